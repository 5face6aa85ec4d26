package watch

import (
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/web/wire"
)

// ruler measures the value error of the newest parameters again and again, a little at a time, so that it takes no more
// than a fixed share of one processor however large the network, however fast the run and however slow the machine.
type ruler struct {
	held  *learner.HeldOut
	now   func() time.Time
	from  time.Time     // until when the allowance was counted
	spare time.Duration // what is left of it; negative: what has to be waited for

	busy     bool
	of       measured // in progress, or the last
	finished bool     // one at least
}

// measured is what decides a measurement besides the parameters, and which those are.
type measured struct {
	step, update       uint64
	gamma, rewardScale float64
	reward             loss.Reward
}

const (
	rulerShare = 0.015                // of one processor
	rulerSpare = 5 * time.Millisecond // the most that is saved up
)

func newRuler(cfg *hyper.Config, l *learner.Learner) (*ruler, error) {
	held, err := learner.NewHeldOut(cfg, l.Machine().Spec)
	if err != nil {
		return nil, err
	}
	return &ruler{held: held, now: time.Now, from: time.Now()}, nil
}

// refresh goes on measuring as far as the allowance reaches, and publishes what has been found. Parameters that have
// been measured are not measured again.
func (r *ruler) refresh(p *Policies, publish func(*wire.Judged)) error {
	now := r.now()
	r.spare = min(r.spare+time.Duration(rulerShare*float64(now.Sub(r.from))), rulerSpare)
	r.from = now
	for r.spare > 0 {
		if !r.busy {
			next := measured{p.Step, p.Update, p.Config.Gamma, p.Config.RewardScale, p.Config.Reward}
			if r.finished && next == r.of {
				return nil
			}
			if err := r.held.Begin(p.Target, p.Shift, p.Scale, &p.Config); err != nil {
				return err
			}
			r.busy, r.of = true, next
		}
		done := r.held.Play()
		took := r.now().Sub(now)
		now = now.Add(took)
		r.spare -= took
		if done {
			r.busy, r.finished = false, true
			found := r.held.Judgement()
			publish(&wire.Judged{
				Step: r.of.step, Update: r.of.update, ValueError: float32(found.ValueError), States: uint32(found.States),
			})
		}
	}
	return nil
}
