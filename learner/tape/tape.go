// Package tape records a run, so that it can be trained again and compared: its first settings and seed, each change
// with the update before it, and sometimes the hash of its parameters. docs/tape.md describes the file, whose format
// stays readable. Read a tape with Read, write one with a Recorder, train it again with Replay.
package tape

import (
	"fmt"
	"slices"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// Version is the version of the files that this build writes, and the newest it reads.
const Version = 1

// Tape is a run's history.
type Tape struct {
	Header
	Events []Event // in the order in which they happened
}

// Header is the start of the run.
type Header struct {
	Build      string // names the program that made it
	Arithmetic string // of the parameters, as kernel.Set names it
	Settings   []hyper.Setting
	Parent     *Parent // the run that this run forked from; nil: none
	SeedRef    string  // refers to a seed that is stored elsewhere; "": Settings has it
}

// Parent is the point where a fork left another run. The fork's tape begins with the parent's earlier events.
type Parent struct {
	Run    string `json:"run"`
	Update uint64 `json:"update"`
}

// Kind is the kind of an event.
type Kind string

const (
	Changed   Kind = "changed"   // a setting
	Marked    Kind = "marked"    // the parameters, by their hash
	Ended     Kind = "ended"     // the run
	Continued Kind = "continued" // the run, by another build or with another arithmetic
	Outside   Kind = "outside"   // an actor that the run trusts joined it: no replay has its data
	Later     Kind = "later"     // a kind of a later build, kept but not used
)

// IsZero reports whether the line of such an event names no kind: its fields tell it.
func (k Kind) IsZero() bool { return k != Continued && k != Outside }

// Event is one line after the header. It happened between update number Update and the next, at Step environment steps.
// Fields are never renamed in the file and never change their meaning.
type Event struct {
	Update uint64 `json:"update"`
	Step   uint64 `json:"step"`

	Key  string `json:"key,omitempty"` // of a change
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	By   string `json:"by,omitempty"` // the name of the person or program that made the change, or of an actor outside

	ParamsSHA256 string `json:"params_sha256,omitempty"` // of a mark and of the end

	State  string `json:"state,omitempty"`  // of the end: Done or Diverged
	Reason string `json:"reason,omitempty"` // why it diverged
	Device string `json:"device,omitempty"` // of the end: the device that computed the parameters; "": not known

	Kind Kind `json:"kind,omitzero"`

	Since      uint64 `json:"-"` // of a continuation: the first update with parameters of its own
	Arithmetic string `json:"-"` // of the program that continued
	Build      string `json:"-"`

	Line string `json:"-"` // of a later kind: the line itself
}

// How a run ends.
const (
	Done     = "done"
	Diverged = "diverged"
)

// Last returns the newest update and step on the tape.
func (t *Tape) Last() (update, step uint64) {
	if len(t.Events) == 0 {
		return 0, 0
	}
	last := t.Events[len(t.Events)-1]
	return last.Update, last.Step
}

// End returns the end of the run; nil: the tape has none.
func (t *Tape) End() *Event {
	if n := len(t.Events); n > 0 && t.Events[n-1].Kind == Ended {
		return &t.Events[n-1]
	}
	return nil
}

// Before returns the first part of a fork's tape: everything before update, and the marks and continuations at update.
// It has no change made at update, and no end.
func (t *Tape) Before(update uint64) *Tape {
	part := &Tape{Header: t.Header}
	for _, e := range t.Events {
		if e.Update < update && e.Kind != Ended || e.Update == update && (e.Kind == Marked || e.Kind == Continued) {
			part.Events = append(part.Events, e)
		}
	}
	return part
}

// Config returns the first configuration of the run. seed resolves a seed that the tape only refers to, and may be nil.
// Config refuses a setting that this build does not know. A setting that the tape does not name has its usual value.
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

// At applies the tape's changes up to update until to start.
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

// Who made a change, as servers and pages name it.
const (
	ByHand = "hand" // on the page
	ByAPI  = "api"
	ByFork = "fork" // at the start of a fork
	ByTurn = "turn" // planned in the link
)

// ChangeBy returns the event of a change and who made it.
func ChangeBy(c telemetry.Changed, by string) Event {
	return Event{Kind: Changed, Update: c.Update, Step: c.Step, Key: c.Key, From: c.From, To: c.To, By: by}
}

// PlannedAhead returns the planned turns that the tape does not have yet.
func (t *Tape) PlannedAhead(planned []hyper.PlannedChange) []hyper.PlannedChange {
	return planned[t.countMade(planned):]
}

// PlannedOfFork returns the turns of a fork that begins with this tape at a step: the turns already made, and turns of
// later steps. It leaves out turns planned for the step itself, as a fork leaves out changes made there by hand.
func (t *Tape) PlannedOfFork(planned []hyper.PlannedChange, step uint64) []hyper.PlannedChange {
	made := t.countMade(planned)
	later := planned[made:]
	for len(later) > 0 && later[0].Step <= step {
		later = later[1:]
	}
	return slices.Concat(planned[:made], later)
}

func (t *Tape) countMade(planned []hyper.PlannedChange) int {
	return min(len(planned), t.ChangesBy(ByTurn))
}

// Outsiders returns the first line of each trusted actor outside the server.
func (t *Tape) Outsiders() (list []Event) {
	for _, e := range t.Events {
		if e.Kind == Outside && !slices.ContainsFunc(list, func(o Event) bool { return o.By == e.By }) {
			list = append(list, e)
		}
	}
	return list
}

// OutsideWords says since when actors outside the server have supplied data; "" if none has.
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

// Changes counts the tape's changes.
func (t *Tape) Changes() (n int) {
	for i := range t.Events {
		if t.Events[i].Kind == Changed {
			n++
		}
	}
	return n
}

// ChangesBy counts the changes that by made.
func (t *Tape) ChangesBy(by string) (n int) {
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == Changed && e.By == by {
			n++
		}
	}
	return n
}
