package watch

import (
	"fmt"
	"time"

	"impalab/learner"
)

// Pace keeps a run at its speed. It counts from the last change of the speed, so it does not drift.
type Pace struct {
	from  time.Time
	steps uint64
}

// NewPace returns a pace that counts from now.
func NewPace(l *learner.Learner) Pace { return Pace{time.Now(), l.Steps()} }

// Restart counts from now again, after a change of speed or a pause.
func (p *Pace) Restart(l *learner.Learner) { *p = NewPace(l) }

// Wait returns the time until the next update is due. A late run catches up by a quarter of a second at most.
func (p *Pace) Wait(l *learner.Learner) time.Duration {
	speed := l.Config().Speed
	due := p.from.Add(time.Duration(float64(l.Steps()-p.steps) / speed * float64(time.Second)))
	wait := time.Until(due)
	if wait < -time.Second/4 {
		p.Restart(l)
	}
	return wait
}

// Ahead reports the progress of a run that retrains up to its last step.
type Ahead struct{ said time.Time }

// Words returns the progress now and then, else "".
func (a *Ahead) Words(l *learner.Learner, to uint64) string {
	if time.Since(a.said) < time.Second/2 {
		return ""
	}
	a.said = time.Now()
	return fmt.Sprintf("on its way to step %d: %d retrained", to, l.Steps())
}
