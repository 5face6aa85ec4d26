package runloop

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/web/hub"
	"impalab/web/wire"
)

// Record is a run's past. The run writes it and never waits; its host reads it. The mutex guards all of it, and the
// fields that a host adds.
type Record struct {
	sync.Mutex
	Tape   tape.Tape
	At     Position       // of the run
	Points []*wire.Point  // of its curves, in the order of their steps…
	Judged []*wire.Judged // …and the measurements of its value error
	Dirty  bool           // something has changed since the host cleared this

	inherited       int    // changes that a fork has from its parent
	pointed, judged uint64 // steps of the last point and of the last measurement there ever were
}

// Position is the progress of a run.
type Position struct {
	Steps, Updates, Episodes uint64
	Mean                     float64 // return of the last hundred episodes; NaN before the first
	SHA256                   string  // of the parameters, where it was last computed
}

// maxJudged bounds the measurements that a record keeps. A small run measures several times a second.
const maxJudged = 20_000

// NewRecord returns the record of a run that begins now.
func NewRecord(cfg *hyper.Config, build string) *Record {
	return &Record{Tape: tape.Tape{Header: tape.HeaderOf(cfg, build)}, At: Position{Mean: math.NaN()}, Dirty: true}
}

// SetPublished sets the points and measurements that the run has published and its host has not stored.
func (c *Record) SetPublished(points []*wire.Point, judged []*wire.Judged) {
	c.Lock()
	defer c.Unlock()
	c.Points, c.Judged = points, judged
	if n := len(points); n > 0 {
		c.pointed = points[n-1].Step
	}
	if n := len(judged); n > 0 {
		c.judged = judged[n-1].Step
	}
}

// Fork returns the record of a new run that equals this one up to an update, and the settings with which it continues.
// Link is of this run; Fork changes it to the link of the fork.
func (c *Record) Fork(from wire.Origin, link *hyper.Link, settings []hyper.Setting) (*Record, *hyper.Config, error) {
	c.Lock()
	defer c.Unlock()
	if from.Update > c.At.Updates {
		return nil, nil, fmt.Errorf("update %d: the run has reached update %d", from.Update, c.At.Updates)
	}
	fork := &Record{Tape: *c.Tape.Before(from.Update), Dirty: true}
	fork.inherited = fork.Tape.Changes()
	fork.Tape.Parent = &tape.Parent{Run: from.Run, Update: from.Update}
	fork.At = Position{Updates: from.Update, Steps: fork.Tape.StepsAt(link.Config, from.Update), Mean: math.NaN()}
	fork.SetPublished(upTo(c.Points, func(p *wire.Point) bool { return p.Update > from.Update }),
		upTo(c.Judged, func(j *wire.Judged) bool { return j.Update > from.Update }))
	if n := len(fork.Points); n > 0 {
		fork.At.Episodes, fork.At.Mean = fork.Points[n-1].Episodes, float64(fork.Points[n-1].Return)
	}
	link.Turns = fork.Tape.PlannedOfFork(link.Turns, fork.At.Steps)
	cfg, err := fork.Tape.At(link.Config, math.MaxUint64)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range settings {
		if s.Key == "preset" || s.Key == "p" {
			continue // the fork's links count from the preset of its parent
		}
		change, err := hyper.ParseHot(s.Key, s.Value)
		if err != nil {
			return nil, nil, err
		}
		was := cfg.Get(change.Key())
		change.Apply(&cfg)
		fork.Change(fork.changedHere(change, was), tape.ByFork)
	}
	return fork, &cfg, nil
}

// Inherits reports whether a snapshot of the parent belongs to the past of this fork.
func (c *Record) Inherits(s *Snapshot) bool {
	return s.Update <= c.At.Updates && s.Changes <= c.inherited
}

// upTo copies the part before the first later one: a topic numbers its events.
func upTo[T any](all []*T, later func(*T) bool) (part []*T) {
	for _, one := range all {
		if later(one) {
			break
		}
		own := *one
		part = append(part, &own)
	}
	return part
}

// retell publishes the run's past again, in the order of its steps.
func (c *Record) retell(topic *hub.Topic) {
	points, judged := c.Points, c.Judged
	tell := func(step uint64) {
		for ; len(points) > 0 && points[0].Step <= step; points = points[1:] {
			topic.Publish(points[0], 0)
		}
		for ; len(judged) > 0 && judged[0].Step <= step; judged = judged[1:] {
			topic.Publish(judged[0], 0)
		}
	}
	for _, e := range c.Tape.Events {
		if e.Kind == tape.Changed {
			tell(e.Step)
			topic.Publish(&wire.Changed{Step: e.Step, Update: e.Update, Key: e.Key, From: e.From, To: e.To}, 0)
		}
	}
	tell(math.MaxUint64)
}

// Touch notes that something has changed.
func (c *Record) Touch() {
	c.Lock()
	c.Dirty = true
	c.Unlock()
}

// Position returns the progress of the run.
func (c *Record) Position() Position {
	c.Lock()
	defer c.Unlock()
	return c.At
}

// advance records the progress of the run.
func (c *Record) advance(l *learner.Learner) {
	c.Lock()
	defer c.Unlock()
	if l.Updates() >= c.At.Updates { // else it returns there
		c.At = Position{l.Steps(), l.Updates(), l.Episodes(), l.Return100(), c.At.SHA256}
		c.Dirty = true
	}
}

// toCome returns the past that a learner at an update has to recompute, and the planned changes that the tape does not
// have.
func (c *Record) toCome(from uint64, planned []hyper.PlannedChange) (tape.Past, []hyper.PlannedChange) {
	c.Lock()
	defer c.Unlock()
	return c.Tape.Past(from, c.At.Updates), c.Tape.PlannedAhead(planned)
}

// Past returns the past that a learner at an update has to recompute.
func (c *Record) Past(from uint64) tape.Past {
	past, _ := c.toCome(from, nil)
	return past
}

// changesUntil counts the changes that were made before an update, or at it.
func (c *Record) changesUntil(update uint64) (n int) {
	c.Lock()
	defer c.Unlock()
	for _, e := range c.Tape.Events {
		if e.Kind == tape.Changed && e.Update <= update {
			n++
		}
	}
	return n
}

// taped returns the number of events on the tape.
func (c *Record) taped() int {
	c.Lock()
	defer c.Unlock()
	return len(c.Tape.Events)
}

// changedHere returns a change that was made at the present step.
func (c *Record) changedHere(change hyper.Change, from string) telemetry.Changed {
	at := c.Position()
	return telemetry.Changed{Step: at.Steps, Update: at.Updates, Key: change.Key(), From: from, To: change.Value()}
}

// Change puts a change on the tape.
func (c *Record) Change(changed telemetry.Changed, by string) { c.Append(tape.ChangeBy(changed, by)) }

// Append puts an event on the tape.
func (c *Record) Append(e tape.Event) {
	c.Lock()
	defer c.Unlock()
	c.AppendLocked(e)
}

// AppendLocked is Append for a caller that holds the mutex.
func (c *Record) AppendLocked(e tape.Event) {
	if len(c.Tape.Events) < tape.MaxEvents {
		c.Tape.Events = append(c.Tape.Events, e)
	}
	if e.ParamsSHA256 != "" {
		c.At.SHA256 = e.ParamsSHA256
	}
	c.Dirty = true
}

// markNow marks the tape every 1000 updates, and more rarely as the run gets long: about a hundred times for each
// tenfold of its length.
func (c *Record) markNow(l *learner.Learner) {
	every := uint64(1000)
	for l.Updates() >= 100*every {
		every *= 10
	}
	if l.Updates()%every == 0 {
		c.mark(l)
	}
}

// mark puts the hash of the parameters on the tape, so that a later replay can be compared with it.
func (c *Record) mark(l *learner.Learner) {
	c.Lock()
	known := c.At.Updates > l.Updates() || l.Updates() == 0 // the run has been here before
	for _, e := range slices.Backward(c.Tape.Events) {
		if known || e.Update != l.Updates() || e.Kind == tape.Continued { // a mark before that is of other parameters
			break
		}
		known = e.Kind == tape.Marked || e.Kind == tape.Ended
	}
	c.Unlock()
	if !known {
		c.Append(tape.Event{Kind: tape.Marked, Update: l.Updates(), Step: l.Steps(), ParamsSHA256: l.ParamsSHA256()})
	}
}

// LastPoint, Point and Judge implement watch.Kept: nothing is published twice.
func (c *Record) LastPoint() uint64 {
	c.Lock()
	defer c.Unlock()
	return c.pointed
}

// LastJudged returns the step of the last measurement; 0 before the first.
func (c *Record) LastJudged() uint64 {
	c.Lock()
	defer c.Unlock()
	return c.judged
}

func (c *Record) Point(p *wire.Point) (first bool) {
	c.Lock()
	defer c.Unlock()
	if p.Step <= c.pointed {
		return false
	}
	c.pointed, c.Dirty = p.Step, true
	c.Points = append(c.Points, p)
	return true
}

func (c *Record) Judge(j *wire.Judged) (first bool) {
	c.Lock()
	defer c.Unlock()
	if j.Step <= c.judged {
		return false
	}
	c.judged, c.Dirty = j.Step, true
	if c.Judged = append(c.Judged, j); len(c.Judged) > maxJudged {
		c.Judged = c.Judged[1:]
	}
	return true
}
