package learner

import (
	"fmt"

	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// Changes of settings during a run.

// Apply changes a hot setting and returns the change with its step, for viewers and the tape. It validates the new
// settings; after an error the old ones stay. Call it in the Between hook.
func (l *Learner) Apply(change hyper.Change) (telemetry.Changed, error) {
	if !change.Hot() {
		return telemetry.Changed{}, fmt.Errorf("%s cannot change during a run; start a new run with %s=%s", change.Key(),
			change.Key(), change.Value())
	}
	next := l.cfg
	change.Apply(&next)
	if err := next.Validate(); err != nil {
		return telemetry.Changed{}, err
	}
	if _, err := algo.OwnCorrection(&next); err != nil {
		return telemetry.Changed{}, err
	}
	return l.Set(change), nil
}

// Set is Apply for a hot change whose settings the caller has validated.
func (l *Learner) Set(change hyper.Change) telemetry.Changed {
	key, from := change.Key(), l.cfg.Get(change.Key())
	change.Apply(&l.cfg)
	l.window.push(l.algo.Acting(), l.updates, l.cfg.Lag) // a shorter lag takes effect at once
	l.updateSharers()
	return telemetry.Changed{Step: l.steps, Update: l.updates, Key: key, From: from, To: l.cfg.Get(key)}
}
