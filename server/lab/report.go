package lab

import (
	"slices"
	"time"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/telemetry"
	"impalab/web/hub"
	"impalab/web/wire"
)

// report turns what the learner tells into what the page shows: an x-ray ten times a second, and points of the
// curves, denser at the beginning than later.
type report struct {
	topic *hub.Topic
	kept  *record
	tasks []envs.Task // of a suite, whose returns are shown as scores; else nil

	nextXRay  time.Time
	pointStep uint64 // the next point is of the first update that has come to this step
	told      uint64 // step of the last point when this learner began: it tells of what ended up to there
	returns   quartiles
	last      telemetry.Update
	fresh     bool // last has not been shown yet

	rateFrom  time.Time
	rateSteps uint64
	rate      float64
}

const (
	xrayEvery = 100 * time.Millisecond
	firstGap  = 256  // steps between points at first…
	gapShare  = 1024 // …and later a share of the steps so far
	bandEvery = 8    // episodes at least whose quartiles are told
)

// nextPoint is the step of the point after one at step. It depends on nothing else: runs of one seed have points at the
// same steps, and can be compared, however fast they went and however often they were interrupted.
func nextPoint(step uint64) uint64 { return step + max(firstGap, step/gapShare) }

func newReport(of *Run, l *learner.Learner) *report {
	r := &report{topic: of.topic, kept: of.record, rateFrom: time.Now()}
	if r.told = of.record.lastPoint(); r.told > 0 {
		r.pointStep = nextPoint(r.told)
	}
	if _, tasks, err := envs.Describe(l.Config().World); err == nil && len(tasks) > 1 {
		r.tasks = tasks
	}
	return r
}

// due says whether the next update is worth describing.
func (r *report) due(l *learner.Learner) bool {
	return l.Steps()+uint64(l.Fresh()*l.Config().UnrollLen) >= r.pointStep || time.Now().After(r.nextXRay)
}

func (r *report) episode(e telemetry.Episode) {
	v := float64(e.Return)
	if r.tasks != nil {
		v = r.tasks[e.Task].Score(v)
	}
	r.returns.add(v)
}

func (r *report) update(u *telemetry.Update) { r.last, r.fresh = *u, true }

// flush sends what has come due: the newest update when the run pauses, and a last point when it is over. It runs
// between two updates.
func (r *report) flush(l *learner.Learner, paused, over bool) {
	if l.Steps() <= r.told {
		r.returns = quartiles{}
	}
	if !r.fresh {
		return
	}
	if r.last.Step >= r.pointStep || over {
		r.pointStep = nextPoint(r.last.Step)
		r.point(l)
	}
	if now := time.Now(); paused || over || now.After(r.nextXRay) {
		r.nextXRay = now.Add(xrayEvery)
		r.xray(now, l)
		r.fresh = false
	}
}

func (r *report) point(l *learner.Learner) {
	p := wire.Point{
		Step: r.last.Step, Update: r.last.Update, Episodes: r.last.Episodes, Return: float32(l.Return100()),
		Recent:  float32(l.Return10()),
		Figures: slices.Clone(r.last.Figures[:]),
	}
	if r.returns.seen >= bandEvery {
		p.Ended = uint32(r.returns.seen)
		low, high := r.returns.take()
		p.Low, p.High = float32(low), float32(high)
	}
	for _, t := range r.last.Traces.List() {
		p.Traces = append(p.Traces, wire.Trace{Name: telemetry.Quantities[t.Of].Name, Value: t.Value, Bound: t.Bound})
	}
	if r.kept.point(&p) {
		r.topic.Publish(&p, 0)
	}
}

func (r *report) xray(now time.Time, l *learner.Learner) {
	u := &r.last
	if passed := now.Sub(r.rateFrom).Seconds(); passed > 0.5 {
		r.rate = float64(u.Step-r.rateSteps) / passed
		r.rateFrom, r.rateSteps = now, u.Step
	}
	var returns []float32
	for _, t := range l.Tasks() {
		returns = append(returns, float32(t.ReturnMean100))
	}
	x := wire.XRay{
		Step: u.Step, Update: u.Update, Episodes: u.Episodes, StepsPerSecond: float32(r.rate),
		Ratios: append([]uint32(nil), u.Ratios[:]...), Ages: append([]uint32(nil), u.Ages[:]...), Returns: returns,
		Figures: slices.Clone(u.Figures[:]),
	}
	r.topic.Offer(&x)
}
