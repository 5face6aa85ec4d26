package watch

import (
	"fmt"
	"time"

	"impalab/learner"
)

// Pace holds a run to its speed without drifting: it counts from when the speed was last set.
type Pace struct {
	from  time.Time
	steps uint64
}

// NewPace counts from now.
func NewPace(l *learner.Learner) Pace { return Pace{time.Now(), l.Steps()} }

// Restart counts from now again: the speed is another, or the run has paused.
func (p *Pace) Restart(l *learner.Learner) { *p = NewPace(l) }

// Wait is how long until the next update is due at Speed steps a second. A run that fell behind does not rush
// to catch up for more than a quarter of a second.
func (p *Pace) Wait(l *learner.Learner) time.Duration {
	speed := l.Config().Speed
	due := p.from.Add(time.Duration(float64(l.Steps()-p.steps) / speed * float64(time.Second)))
	wait := time.Until(due)
	if wait < -time.Second/4 {
		p.Restart(l)
	}
	return wait
}

// Ahead says how far a run has come that stood elsewhere at a step, and learns up to there what it had learned.
type Ahead struct{ said time.Time }

// Words are what a person reads meanwhile, now and then; "" in between.
func (a *Ahead) Words(l *learner.Learner, to uint64) string {
	if time.Since(a.said) < time.Second/2 {
		return ""
	}
	a.said = time.Now()
	return fmt.Sprintf("on its way to step %d: %d learned again", to, l.Steps())
}
