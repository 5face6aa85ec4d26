package lab

import (
	"math"
	"slices"
	"sync"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/server/store"
	"impalab/web/wire"
)

// record is what is kept of a run: where it stands, its tape, its curves and some snapshots. A run writes to it and
// never waits; scribe.go takes what is new to the store.
type record struct {
	id string

	mu     sync.Mutex
	stands stands
	state  store.State // in the store when the run came to be held, and why
	reason string
	damage error     // why not all that the store has could be read: the run can be looked at and forked, and not go on
	dirty  bool      // something is not in the store yet
	curved time.Time // when the curves were last taken there

	tape      tape.Tape
	kept      int // events of it that the store has
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
}

// newRecord is that of a run which begins now.
func newRecord(id, build string, spec *Spec) *record {
	c := &record{id: id, dirty: true, stands: stands{Mean: math.NaN()}}
	c.tape.Header = tape.Header{Build: build, Arithmetic: kernel.Arithmetic(), Settings: spec.Config.Settings()}
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
	c.append(tape.Event{
		Kind: tape.Changed, Update: changed.Update, Step: changed.Step, Key: changed.Key, From: changed.From, To: changed.To,
		By: by,
	})
}

// leave puts a change on the tape where the run stands.
func (c *record) leave(change hyper.Change, from string) {
	c.change(telemetry.Changed{
		Step: c.stands.Steps, Update: c.stands.Updates, Key: change.Key(), From: from, To: change.Value(),
	}, byFork)
}

// mark puts the hash of the parameters on the tape, so that whoever trains the run again can tell whether the bytes are
// the same.
func (c *record) mark(l *learner.Learner) {
	c.mu.Lock()
	known := c.stands.Updates > l.Updates() || l.Updates() == 0 // it has been here before
	for i := len(c.tape.Events) - 1; !known && i >= 0 && c.tape.Events[i].Update == l.Updates(); i-- {
		known = c.tape.Events[i].Kind != tape.Changed
	}
	c.mu.Unlock()
	if !known {
		c.append(tape.Event{Kind: tape.Marked, Update: l.Updates(), Step: l.Steps(), ParamsSHA256: l.ParamsSHA256()})
	}
}

func (c *record) append(e tape.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
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

// curves are the points as series, by name.
func curves(points []*wire.Point, judged []*wire.Judged) map[string][]store.Point {
	all := map[string][]store.Point{}
	add := func(series string, step uint64, v float64) {
		all[series] = append(all[series], store.Point{Step: int64(step), Value: v})
	}
	for _, p := range points {
		add(seriesUpdate, p.Step, float64(p.Update))
		add(seriesEpisodes, p.Step, float64(p.Episodes))
		add(seriesReturn, p.Step, float64(p.Return))
		add(seriesRecent, p.Step, float64(p.Recent))
		if p.Ended > 0 {
			add(seriesLow, p.Step, float64(p.Low))
			add(seriesHigh, p.Step, float64(p.High))
			add(seriesEnded, p.Step, float64(p.Ended))
		}
		for i, v := range p.Figures {
			add(telemetry.Figures[i].Name, p.Step, float64(v))
		}
		for _, t := range p.Traces {
			add(t.Name, p.Step, float64(t.Value))
			if !math.IsInf(float64(t.Bound), 1) {
				add(t.Name+seriesBound, p.Step, float64(t.Bound))
			}
		}
	}
	for _, j := range judged {
		add(seriesValueError, j.Step, float64(j.ValueError))
		add(seriesStates, j.Step, float64(j.States))
		add(seriesJudgedUpdate, j.Step, float64(j.Update))
	}
	return all
}

// Names of series beside those of telemetry's tables.
const (
	seriesUpdate       = "update"
	seriesEpisodes     = "episodes"
	seriesReturn       = "return_mean_100"
	seriesRecent       = "return_mean_10"
	seriesLow          = "return_low"
	seriesHigh         = "return_high"
	seriesEnded        = "episodes_ended"
	seriesValueError   = "value_error"
	seriesStates       = "value_error_states"
	seriesJudgedUpdate = "value_error_update"
	seriesBound        = "_bound"
)

// pointsOf are the points and the measurements of the value error that a run's curves were made of, in the order of
// their steps. Curves come by the name of their series; a value that they do not have is NaN, a number of episodes 0.
func pointsOf(of map[string][]store.Point) (points []*wire.Point, judged []*wire.Judged) {
	at := map[int64]*wire.Point{}
	for _, p := range of[seriesReturn] {
		point := &wire.Point{
			Step: uint64(p.Step), Return: float32(p.Value), Recent: float32(math.NaN()),
			Figures: make([]float32, telemetry.NumFigures),
		}
		for i := range point.Figures {
			point.Figures[i] = float32(math.NaN())
		}
		points, at[p.Step] = append(points, point), point
	}
	each := func(series string, set func(*wire.Point, float64)) {
		for _, p := range of[series] {
			if point := at[p.Step]; point != nil {
				set(point, p.Value)
			}
		}
	}
	each(seriesUpdate, func(p *wire.Point, v float64) { p.Update = uint64(v) })
	each(seriesEpisodes, func(p *wire.Point, v float64) { p.Episodes = uint64(v) })
	each(seriesRecent, func(p *wire.Point, v float64) { p.Recent = float32(v) })
	each(seriesLow, func(p *wire.Point, v float64) { p.Low = float32(v) })
	each(seriesHigh, func(p *wire.Point, v float64) { p.High = float32(v) })
	each(seriesEnded, func(p *wire.Point, v float64) { p.Ended = uint32(v) })
	for i := range telemetry.Figures {
		each(telemetry.Figures[i].Name, func(p *wire.Point, v float64) { p.Figures[i] = float32(v) })
	}
	for i := range telemetry.Quantities {
		name := telemetry.Quantities[i].Name
		each(name, func(p *wire.Point, v float64) {
			p.Traces = append(p.Traces, wire.Trace{Name: name, Value: float32(v), Bound: float32(math.Inf(1))})
		})
		each(name+seriesBound, func(p *wire.Point, v float64) {
			if n := len(p.Traces); n > 0 && p.Traces[n-1].Name == name {
				p.Traces[n-1].Bound = float32(v)
			}
		})
	}
	states, updates := map[int64]float64{}, map[int64]float64{}
	for _, p := range of[seriesStates] {
		states[p.Step] = p.Value
	}
	for _, p := range of[seriesJudgedUpdate] {
		updates[p.Step] = p.Value
	}
	for _, p := range of[seriesValueError] {
		judged = append(judged, &wire.Judged{
			Step: uint64(p.Step), Update: uint64(updates[p.Step]), ValueError: float32(p.Value), States: uint32(states[p.Step]),
		})
	}
	return points, judged
}
