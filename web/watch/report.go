// Package watch reports a run to its viewers while it learns: x-rays and points of its curves (Report), a copy of the
// world to look at and the error of the values (Watch), and a speed that people can follow. It publishes to a hub's
// topic. It is the same on a server and in a browser. Start with Report.
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

// Kept stores the points of a run, so that a run that retrains reports nothing twice.
type Kept interface {
	LastPoint() uint64               // returns the step of the newest point; 0 before the first
	Point(*wire.Point) (first bool)  // stores a point, and reports whether it is new
	Judge(*wire.Judged) (first bool) // stores a measurement of the value error, and reports whether it is new
}

// Report turns the learner's reports into messages: an x-ray ten times a second, and points of the curves, denser at
// the beginning.
type Report struct {
	topic *hub.Topic
	kept  Kept
	tasks []envs.Task // tasks of a suite, whose returns are shown as scores; else nil

	reported Reported
	nextXRay time.Time
	last     telemetry.Update
	fresh    bool // last has not been shown yet

	rateFrom  time.Time
	rateSteps uint64
	rate      float64
}

// Reported is the progress of a run's points, stored with a snapshot. A resumed run makes points at the same steps,
// over the same episodes, as an uninterrupted one.
type Reported struct {
	Next    uint64    // step of the next point
	Returns Quartiles // returns of the episodes since the last quartiles
}

const (
	xrayEvery = 100 * time.Millisecond
	BandEvery = 8 // fewest episodes of a quartile
)

// NewReport returns the report of a learner, continued from a snapshot. Without a snapshot's progress it continues
// after the last stored point.
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

// Reported returns the progress of the points, for a snapshot between two updates.
func (r *Report) Reported() Reported {
	from := r.reported
	from.Returns.Kept = slices.Clone(from.Returns.Kept)
	return from
}

// Due reports whether the next update should be described.
func (r *Report) Due(l *learner.Learner) bool {
	return l.Steps()+uint64(l.Config().Fresh()*l.Config().UnrollLen) >= r.reported.Next || time.Now().After(r.nextXRay)
}

// Episode adds a training episode. It is a learner's Episode hook.
func (r *Report) Episode(e telemetry.Episode) {
	v := float64(e.Return)
	if r.tasks != nil {
		v = r.tasks[e.Task].Score(v)
	}
	r.reported.Returns.add(v)
}

// Update takes a described update. It is a learner's Update hook.
func (r *Report) Update(u *telemetry.Update) { r.last, r.fresh = *u, true }

// Flush sends the messages that are due: the newest update at a pause, and a last point at the end. The caller is
// between two updates.
func (r *Report) Flush(l *learner.Learner, paused, over bool) {
	r.Points(l, over)
	if now := time.Now(); r.fresh && (paused || over || now.After(r.nextXRay)) {
		r.nextXRay = now.Add(xrayEvery)
		r.xray(now, l)
		r.fresh = false
	}
}

// Points makes the point that is due, and a last one at the end. A run that retrains makes its points again, but
// publishes none twice.
func (r *Report) Points(l *learner.Learner, over bool) {
	if !r.fresh || r.last.Step < r.reported.Next && !over {
		return
	}
	r.reported.Next = telemetry.NextPoint(r.last.Step)
	p := wire.Point{
		Step: r.last.Step, Update: r.last.Update, Episodes: r.last.Episodes, Return: float32(l.Return100()),
		Recent:  float32(l.Return10()),
		Figures: slices.Clone(r.last.Metrics[:]),
	}
	if returns := &r.reported.Returns; returns.Seen >= BandEvery {
		p.Ended = uint32(returns.Seen)
		low, high := returns.flush()
		p.Low, p.High = float32(low), float32(high)
	}
	for _, t := range r.last.AlgoValues.List() {
		p.Traces = append(p.Traces, wire.Trace{Name: telemetry.AlgoMetrics[t.Of].Name, Value: t.Value, Bound: t.Bound})
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

// xrayOf returns the x-ray of the learner's newest update, without its speed.
func xrayOf(u *telemetry.Update, l *learner.Learner) *wire.XRay {
	var returns []float32
	for _, t := range l.Tasks() {
		returns = append(returns, float32(t.ReturnMean100))
	}
	return &wire.XRay{
		Step: u.Step, Update: u.Update, Episodes: u.Episodes,
		Ratios: append([]uint32(nil), u.Ratios[:]...), Ages: append([]uint32(nil), u.Ages[:]...), Returns: returns,
		Figures: slices.Clone(u.Metrics[:]),
	}
}
