package tape

import (
	"fmt"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
)

// Past is the part of a run that a learner must learn again: it continues from a snapshot, and repeats the later
// updates with the changes of the tape. A reference run makes the same bytes again. Going back to a moment and forking
// use it too.
type Past struct {
	*Follower
	from  uint64 // the learner's first update
	until uint64 // the run's last update
	said  time.Time
}

// Past returns the part between two updates of the tape.
func (t *Tape) Past(from, until uint64) Past {
	return Past{Follower: Follow(t), from: from, until: until}
}

// Apply makes the changes that follow the learner's update. It reports whether the learner is still behind the run.
func (p *Past) Apply(l *learner.Learner) (returning bool, err error) {
	if err := p.Between(l); err != nil {
		return false, err
	}
	return l.Updates() < p.until, nil
}

// Differs returns a sentence for people if the learner differs from the tape, else "".
func (p *Past) Differs() string {
	if p.Same() {
		return ""
	}
	return fmt.Sprintf("retrained, this run differs from its tape at update %d: another build made it", *p.DiffersAt)
}

// Progress returns a sentence for people twice a second, else "".
func (p *Past) Progress(l *learner.Learner) string {
	if time.Since(p.said) < time.Second/2 {
		return ""
	}
	p.said = time.Now()
	return fmt.Sprintf("on its way to update %d: %d of %d retrained", p.until, l.Updates()-p.from, p.until-p.from)
}

// StepsAt returns the steps of the run after some updates: each takes the unrolls that the actors play for it. Start is
// the run's first configuration.
func (t *Tape) StepsAt(start hyper.Config, updates uint64) (steps uint64) {
	at, copies := uint64(0), 0
	to := func(update uint64) {
		if update > at && start.Fresh() != copies {
			copies = start.Fresh() // new copies of the world, whose first unrolls repeat no steps
			steps += uint64(copies * start.Overlap)
		}
		steps += (update - at) * uint64(start.Advance())
		at = update
	}
	for _, e := range t.Events {
		if e.Kind == Changed {
			to(e.Update)
			start.Set(e.Key, e.To) // the tape holds only changes that were in force
		}
	}
	to(updates)
	return steps
}
