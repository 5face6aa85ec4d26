package lab

import (
	"math"
	"slices"
	"sync"
	"time"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/server/job"
	"impalab/server/store"
	"impalab/web/watch"
	"impalab/web/wire"
)

// record is what is kept of a run: where it stands, its tape, its curves and some snapshots. A run writes to it and
// never waits; scribe.go takes what is new to the store.
type record struct {
	id        string
	elsewhere string // the sweep of which another process trains it, or none yet; "": this one may (elsewhere.go)
	sweep     string // of which it is a run that this process trains, and…

	mu       sync.Mutex
	work     *job.Work // …the job that it is until it is over: what is kept of it, is kept while that is ours
	stands   stands
	computed device.Choice // what the learner's network runs on; the zero Choice before there is one
	state    store.State   // in the store when the run came to be held, and why
	reason   string
	damage   error     // why not all that the store has could be read: the run can be looked at and forked, and not go on
	dirty    bool      // something is not in the store yet
	curved   time.Time // when the curves were last taken there

	tape      tape.Tape
	kept      int            // events of it that the store has
	waiting   []chan<- error // of those who want to know when the store has all that is here now
	before    before
	points    []*wire.Point
	judged    []*wire.Judged
	measured  uint64 // step of the last point there is…
	weighed   uint64 // …and of the last measurement of the value error
	snapshots []snapshot
}

// before is what a run told before it was held.
type before struct {
	points []*wire.Point
	judged []*wire.Judged
}

// upTo is the part of it that was told up to an update.
func (b before) upTo(update uint64) before {
	n := slices.IndexFunc(b.points, func(p *wire.Point) bool { return p.Update > update })
	m := slices.IndexFunc(b.judged, func(j *wire.Judged) bool { return j.Update > update })
	if n < 0 {
		n = len(b.points)
	}
	if m < 0 {
		m = len(b.judged)
	}
	return before{b.points[:n:n], b.judged[:m:m]}
}

// stands is how far a run has come.
type stands struct {
	Steps, Updates, Episodes uint64
	Mean                     float64 // return of the last hundred episodes; NaN before the first
	SHA256                   string  // of the parameters, where it was last looked at
}

// snapshot is a learner as it stood.
type snapshot struct {
	update, step uint64
	marked       bool // somebody may want to come back here
	blob         []byte
	reported     watch.Reported // how far the points of its curves had come
}

// newRecord is that of a run which begins now.
func newRecord(id, build string, spec *Spec) *record {
	c := &record{id: id, dirty: true, stands: stands{Mean: math.NaN()}}
	c.tape.Header = tape.HeaderOf(&spec.Config, build)
	if spec.From.Run != "" {
		c.tape.Parent = &tape.Parent{Run: spec.From.Run, Update: spec.From.Update}
	}
	return c
}

// touch says that something is to be taken to the store.
func (r *Run) touch() {
	r.record.mu.Lock()
	r.record.dirty = true
	r.record.mu.Unlock()
}

// stand says how far the run has come.
func (r *Run) stand(l *learner.Learner) {
	c := r.record
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.Updates() >= c.stands.Updates { // else it is on its way back there
		c.stands.Steps, c.stands.Updates, c.stands.Episodes = l.Steps(), l.Updates(), l.Episodes()
		c.stands.Mean = l.Return100()
		c.dirty = true
	}
}

// markNow marks the tape every so many updates, fewer as a run gets long: about a hundred for every tenfold of its
// length.
func (c *record) markNow(l *learner.Learner) {
	every := uint64(1000)
	for l.Updates() >= 100*every {
		every *= 10
	}
	if l.Updates()%every == 0 {
		c.mark(l)
	}
}

// change puts a change on the tape.
func (c *record) change(changed telemetry.Changed, by string) {
	c.append(tape.ChangeBy(changed, by))
}

// leave puts a change on the tape where the run stands.
func (c *record) leave(change hyper.Change, from string) {
	c.change(telemetry.Changed{
		Step: c.stands.Steps, Update: c.stands.Updates, Key: change.Key(), From: from, To: change.Value(),
	}, tape.ByFork)
}

// mark puts the hash of the parameters on the tape, so that whoever trains the run again can tell whether the bytes are
// the same.
func (c *record) mark(l *learner.Learner) {
	c.mu.Lock()
	known := c.stands.Updates > l.Updates() || l.Updates() == 0 // it has been here before
	for i := len(c.tape.Events) - 1; !known && i >= 0 && c.tape.Events[i].Update == l.Updates(); i-- {
		if c.tape.Events[i].Kind == tape.Continued { // a mark from before it is of other parameters
			break
		}
		known = c.tape.Events[i].Kind == tape.Marked || c.tape.Events[i].Kind == tape.Ended
	}
	c.mu.Unlock()
	if !known {
		c.append(tape.Event{Kind: tape.Marked, Update: l.Updates(), Step: l.Steps(), ParamsSHA256: l.ParamsSHA256()})
	}
}

// mostOutsiders is how many actors from outside the tape names.
const mostOutsiders = 64

// outside puts a trusted actor on the tape, before it supplies anything: what comes of its data cannot be replayed.
func (c *record) outside(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.tape.Outsiders()
	if len(known) >= mostOutsiders || c.tape.End() != nil ||
		slices.ContainsFunc(known, func(e tape.Event) bool { return e.By == name }) {
		return
	}
	update, step := c.tape.Last()
	if c.stands.Updates > update {
		update, step = c.stands.Updates, c.stands.Steps
	}
	c.put(tape.Event{Kind: tape.Outside, Update: update, Step: step, By: name})
}

// outsiders are the actors that the run has believed.
func (c *record) outsiders() []tape.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tape.Outsiders()
}

func (c *record) append(e tape.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(e)
}

// put appends an event; its caller holds the lock.
func (c *record) put(e tape.Event) {
	if len(c.tape.Events) < tape.MaxEvents {
		c.tape.Events = append(c.tape.Events, e)
	}
	if e.ParamsSHA256 != "" {
		c.stands.SHA256 = e.ParamsSHA256
	}
	c.dirty = true
}

// finish says how the run ended.
func (r *Run) finish(l *learner.Learner, state uint8, reason string) {
	end := tape.Event{Kind: tape.Ended, Update: l.Updates(), Step: l.Steps(), State: tape.Done,
		ParamsSHA256: l.ParamsSHA256(), Device: l.Machine().Device.Name}
	if state == wire.StateDiverged {
		end.State, end.Reason = tape.Diverged, reason
	}
	r.record.append(end)
	r.setState(state, reason)
}

// Point keeps a point of the curves, unless the run has been here before.
func (c *record) Point(p *wire.Point) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.Step <= c.measured {
		return false
	}
	c.measured, c.dirty = p.Step, true
	c.points = append(c.points, p)
	return true
}

// computedOn is what the run's network runs on.
func (c *record) computedOn() device.Choice {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.computed
}

// taped is how many events the tape has.
func (c *record) taped() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.tape.Events)
}

// LastPoint is the step of the last point there is; 0 before the first.
func (c *record) LastPoint() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.measured
}

// Judge keeps a measurement of the value error.
func (c *record) Judge(j *wire.Judged) (first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if j.Step <= c.weighed {
		return false
	}
	c.weighed, c.dirty = j.Step, true
	c.judged = append(c.judged, j)
	return true
}
