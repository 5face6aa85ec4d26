// Package tape keeps what was done to a run, so that it can be trained again and compared: the settings and the seed
// it began with, each change with the update it was made before, and now and then the hash of its parameters.
// docs/tape.md describes the file, which opens for ever. Read a tape with Read, write one with a Recorder, train it
// again with Replay.
package tape

import (
	"fmt"
	"slices"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// Version is that of the files this build writes, and the newest it reads.
const Version = 1

// Tape is a run's history.
type Tape struct {
	Header
	Events []Event // in the order in which they happened
}

// Header is what the run began with.
type Header struct {
	Build      string // that made it
	Arithmetic string // that it was computed in, as kernel.Set names it
	Settings   []hyper.Setting
	Parent     *Parent // it is a fork of this; nil: of none
	SeedRef    string  // what stands for a seed that is kept elsewhere; "": Settings has it
}

// Parent is where a fork left another run. The fork's tape begins with the parent's events before that.
type Parent struct {
	Run    string `json:"run"`
	Update uint64 `json:"update"`
}

// Kind says what an event is.
type Kind uint8

const (
	Changed   Kind = iota // a setting
	Marked                // the parameters, by their hash
	Ended                 // the run, whose parameters these are
	Continued             // the run, by another build or with another arithmetic
	Outside               // an actor that the run believes joined it: no replay plays what that actor supplied
	Later                 // something that a later build says: it is kept, and nothing is made of it
)

// Event is one line after the header. What happened lies between update number Update and the next, at Step
// environment steps.
type Event struct {
	Kind         Kind
	Update, Step uint64

	Key, From, To, By string // of a change; By is who made it, in free words; of an actor from outside, its name

	ParamsSHA256 string // of a mark and of the end

	State  string // of the end: Done or Diverged
	Reason string // why it diverged
	Device string // of the end: what computed the parameters, cpu or a device's name; "": it does not say

	Since             uint64 // of a continuation: the update at which its parameters begin to be its own
	Build, Arithmetic string // of the program that went on

	Line string // of a later build's: as it stands in the file
}

// How a run ends.
const (
	Done     = "done"
	Diverged = "diverged"
)

// Last is the newest update and step that the tape knows of.
func (t *Tape) Last() (update, step uint64) {
	if len(t.Events) == 0 {
		return 0, 0
	}
	last := t.Events[len(t.Events)-1]
	return last.Update, last.Step
}

// End is how the run ended; nil: it had not when the tape was last written.
func (t *Tape) End() *Event {
	if n := len(t.Events); n > 0 && t.Events[n-1].Kind == Ended {
		return &t.Events[n-1]
	}
	return nil
}

// Before is the part of the tape that a fork at update begins with: all before it, and of what is there the marks and
// who went on, but no change. The end is left out.
func (t *Tape) Before(update uint64) *Tape {
	part := &Tape{Header: t.Header}
	for _, e := range t.Events {
		if e.Update < update && e.Kind != Ended || e.Update == update && (e.Kind == Marked || e.Kind == Continued) {
			part.Events = append(part.Events, e)
		}
	}
	return part
}

// Config is the configuration the run began with. seed resolves a seed that the tape only refers to, and may be nil. A
// setting that this build does not know is refused by name; one that did not exist then has the value of every preset
// that says nothing else.
func (t *Tape) Config(seed func(ref string) (uint64, error)) (hyper.Config, error) {
	cfg, err := hyper.FromRecord(t.Settings)
	if err != nil {
		return cfg, fmt.Errorf("the tape's settings: %w", err)
	}
	if t.SeedRef != "" {
		if seed == nil {
			return cfg, fmt.Errorf("the tape does not hold its seed, only a reference to it (%.64q)", t.SeedRef)
		}
		if cfg.Seed, err = seed(t.SeedRef); err != nil {
			return cfg, fmt.Errorf("the seed %.64q of the tape: %w", t.SeedRef, err)
		}
	}
	return cfg, nil
}

// At is the configuration in force after the tape's last change, or at update until if that is earlier, begun from
// start.
func (t *Tape) At(start hyper.Config, until uint64) (hyper.Config, error) {
	for _, e := range t.Events {
		if e.Kind != Changed || e.Update > until {
			continue
		}
		if err := start.Set(e.Key, e.To); err != nil {
			return start, err
		}
	}
	return start, nil
}

// Who made a change, as servers and pages say it.
const (
	ByHand = "hand" // on the page
	ByAPI  = "api"
	ByFork = "fork" // where it leaves its parent
	ByTurn = "turn" // as its link planned
)

// ChangeBy is the event of what a learner answered to a change, and who made it.
func ChangeBy(c telemetry.Changed, by string) Event {
	return Event{Kind: Changed, Update: c.Update, Step: c.Step, Key: c.Key, From: c.From, To: c.To, By: by}
}

// TurnsToCome are those of a run's planned turns that its tape does not have yet.
func (t *Tape) TurnsToCome(planned []hyper.Turn) []hyper.Turn { return planned[t.turnsMade(planned):] }

// TurnsOfFork are the turns of a fork that begins with this tape at a step: those that are made on it, and those of
// later steps. One that was planned for the very moment of the fork is left out, as what was changed there by hand is.
func (t *Tape) TurnsOfFork(planned []hyper.Turn, step uint64) []hyper.Turn {
	made := t.turnsMade(planned)
	later := planned[made:]
	for len(later) > 0 && later[0].Step <= step {
		later = later[1:]
	}
	return slices.Concat(planned[:made], later)
}

func (t *Tape) turnsMade(planned []hyper.Turn) int { return min(len(planned), t.ChangesBy(ByTurn)) }

// Outsiders are the actors from outside that the run believed, each where it first joined.
func (t *Tape) Outsiders() (list []Event) {
	for _, e := range t.Events {
		if e.Kind == Outside && !slices.ContainsFunc(list, func(o Event) bool { return o.By == e.By }) {
			list = append(list, e)
		}
	}
	return list
}

// OutsideWords says since when actors from outside have supplied data; "" if none has.
func (t *Tape) OutsideWords() string {
	list := t.Outsiders()
	if len(list) == 0 {
		return ""
	}
	return list[0].outsideWords()
}

func (e *Event) outsideWords() string {
	return fmt.Sprintf("an actor outside the server supplied data from update %d", e.Update+1)
}

// Changes is how many changes the tape has.
func (t *Tape) Changes() int { return t.count(func(*Event) bool { return true }) }

// ChangesBy is how many of them somebody made.
func (t *Tape) ChangesBy(by string) int { return t.count(func(e *Event) bool { return e.By == by }) }

func (t *Tape) count(is func(*Event) bool) (n int) {
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == Changed && is(e) {
			n++
		}
	}
	return n
}
