// Package watch is what people see of a run while it learns: x-rays and points of its curves (Report), a copy of the
// world that is played for them, how far off the values are (Watch), and the pace at which they can follow. It tells
// all of that to a hub's topic, and knows neither who listens nor what is kept. It is the same behind a server and in a
// browser that has none. Look at Report first.
package watch

import (
	"slices"
	"time"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/telemetry"
	"impalab/web/hub"
	"impalab/web/wire"
)

// Kept is what is kept of a run that may come back to where it was, so that nothing is told twice.
type Kept interface {
	LastPoint() uint64               // the step of the newest point; 0 before the first
	Point(*wire.Point) (first bool)  // keeps a point, and says whether the run had not been there before
	Judge(*wire.Judged) (first bool) // the same of a measurement of the value error
}

// Report turns what the learner tells into what the page shows: an x-ray ten times a second, and points of the
// curves, denser at the beginning than later.
type Report struct {
	topic *hub.Topic
	kept  Kept
	tasks []envs.Task // of a suite, whose returns are shown as scores; else nil

	reported Reported
	nextXRay time.Time
	last     telemetry.Update
	fresh    bool // last has not been shown yet

	rateFrom  time.Time
	rateSteps uint64
	rate      float64
}

// Reported is how far the points of a run's curves have come. It belongs to a snapshot: a run that goes on from one has
// points at the same steps, over the same episodes, as if it had never stopped.
type Reported struct {
	Next    uint64    // the next point is of the first update that has come to this step
	Returns Quartiles // of the episodes since the last that told any
}

const (
	xrayEvery = 100 * time.Millisecond
	BandEvery = 8 // episodes at least whose quartiles are told
)

// NewReport is for one learner of a run, from where its snapshot stood. Where that is not known, it has told no point
// before the last that was kept.
func NewReport(topic *hub.Topic, kept Kept, l *learner.Learner, from Reported) *Report {
	r := &Report{topic: topic, kept: kept, reported: from, rateFrom: time.Now()}
	if last := kept.LastPoint(); from.Next == 0 && l.Updates() > 0 && last > 0 {
		r.reported.Next = telemetry.NextPoint(last)
	}
	if _, tasks, err := envs.Describe(l.Config().World); err == nil && len(tasks) > 1 {
		r.tasks = tasks
	}
	return r
}

// Reported is how far the points have come between two updates, for a snapshot that is taken there after Points.
func (r *Report) Reported() Reported {
	from := r.reported
	from.Returns.Kept = slices.Clone(from.Returns.Kept)
	return from
}

// Due says whether the next update is worth describing.
func (r *Report) Due(l *learner.Learner) bool {
	return l.Steps()+uint64(l.Config().Fresh()*l.Config().UnrollLen) >= r.reported.Next || time.Now().After(r.nextXRay)
}

// Episode takes a training episode that has ended: it is a learner's Episode hook.
func (r *Report) Episode(e telemetry.Episode) {
	v := float64(e.Return)
	if r.tasks != nil {
		v = r.tasks[e.Task].Score(v)
	}
	r.reported.Returns.add(v)
}

// Update takes an update that was described: it is a learner's Update hook.
func (r *Report) Update(u *telemetry.Update) { r.last, r.fresh = *u, true }

// Flush sends what has come due: the newest update when the run pauses, and a last point when it is over. It runs
// between two updates.
func (r *Report) Flush(l *learner.Learner, paused, over bool) {
	r.Points(l, over)
	if now := time.Now(); r.fresh && (paused || over || now.After(r.nextXRay)) {
		r.nextXRay = now.Add(xrayEvery)
		r.xray(now, l)
		r.fresh = false
	}
}

// Points makes the point that has come due, and a last one when the run is over. A run that learns again what it has
// told makes its points again, and tells none a second time.
func (r *Report) Points(l *learner.Learner, over bool) {
	if !r.fresh || r.last.Step < r.reported.Next && !over {
		return
	}
	r.reported.Next = telemetry.NextPoint(r.last.Step)
	p := wire.Point{
		Step: r.last.Step, Update: r.last.Update, Episodes: r.last.Episodes, Return: float32(l.Return100()),
		Recent:  float32(l.Return10()),
		Figures: slices.Clone(r.last.Figures[:]),
	}
	if returns := &r.reported.Returns; returns.Seen >= BandEvery {
		p.Ended = uint32(returns.Seen)
		low, high := returns.take()
		p.Low, p.High = float32(low), float32(high)
	}
	for _, t := range r.last.Traces.List() {
		p.Traces = append(p.Traces, wire.Trace{Name: telemetry.Quantities[t.Of].Name, Value: t.Value, Bound: t.Bound})
	}
	if r.kept.Point(&p) {
		r.topic.Publish(&p, 0)
	}
}

func (r *Report) xray(now time.Time, l *learner.Learner) {
	u := &r.last
	if passed := now.Sub(r.rateFrom).Seconds(); passed > 0.5 {
		r.rate = float64(u.Step-r.rateSteps) / passed
		r.rateFrom, r.rateSteps = now, u.Step
	}
	x := xrayOf(u, l)
	x.StepsPerSecond = float32(r.rate)
	r.topic.Offer(x)
}

// xrayOf is an update of a learner that has made none since, in a copy and without its speed.
func xrayOf(u *telemetry.Update, l *learner.Learner) *wire.XRay {
	var returns []float32
	for _, t := range l.Tasks() {
		returns = append(returns, float32(t.ReturnMean100))
	}
	return &wire.XRay{
		Step: u.Step, Update: u.Update, Episodes: u.Episodes,
		Ratios: append([]uint32(nil), u.Ratios[:]...), Ages: append([]uint32(nil), u.Ages[:]...), Returns: returns,
		Figures: slices.Clone(u.Figures[:]),
	}
}
