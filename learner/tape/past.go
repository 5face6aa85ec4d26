package tape

import (
	"fmt"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
)

// Past is what a learner still has to go through before it is where its run stands: a run comes back there from a
// snapshot, and learns again what came after it, with the changes of its tape. A reference run makes the same bytes as
// the first time. Going back to a moment and forking are the same.
type Past struct {
	*Follower
	from  uint64 // update that the learner begins at
	until uint64 // update that the run stands at
	said  time.Time
}

// Past is what lies between two updates of a tape.
func (t *Tape) Past(from, until uint64) Past {
	return Past{Follower: Follow(t), from: from, until: until}
}

// Apply makes the changes that were made after as many updates. It reports whether the run has been further than this.
func (p *Past) Apply(l *learner.Learner) (returning bool, err error) {
	if err := p.Between(l); err != nil {
		return false, err
	}
	return l.Updates() < p.until, nil
}

// Differs says for people that the run has not come to what its tape says; "" if it has.
func (p *Past) Differs() string {
	if p.Same() {
		return ""
	}
	return fmt.Sprintf("learned again, this run differs from its tape at update %d: another build made it", *p.DiffersAt)
}

// Progress is what a person reads meanwhile, now and then; "" in between.
func (p *Past) Progress(l *learner.Learner) string {
	if time.Since(p.said) < time.Second/2 {
		return ""
	}
	p.said = time.Now()
	return fmt.Sprintf("on its way to update %d: %d of %d learned again", p.until, l.Updates()-p.from, p.until-p.from)
}

// StepsAt is how many steps the run has after some updates: each takes what the actors play for it. Start is what it
// began with.
func (t *Tape) StepsAt(start hyper.Config, updates uint64) (steps uint64) {
	at := uint64(0)
	to := func(update uint64) {
		steps += (update - at) * uint64(start.Fresh()*start.UnrollLen)
		at = update
	}
	for _, e := range t.Events {
		if e.Kind == Changed {
			to(e.Update)
			start.Set(e.Key, e.To) // what the tape holds was in force
		}
	}
	to(updates)
	return steps
}
