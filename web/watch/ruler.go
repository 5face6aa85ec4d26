package watch

import (
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/web/wire"
)

// ruler measures the value error of the newest parameters, a little at a time. It takes at most a fixed share of one
// core, whatever the network, the run and the machine.
type ruler struct {
	held  *learner.HeldOut
	now   func() time.Time
	from  time.Time     // time up to which the allowance was counted
	spare time.Duration // rest of the allowance; negative: time to wait

	busy     bool
	of       measured // the current measurement, or the last
	finished bool     // at least one is complete
}

// measured identifies the parameters of a measurement.
type measured struct {
	step, update       uint64
	gamma, rewardScale float64
	reward             loss.Reward
}

const (
	rulerShare = 0.015                // of one core
	rulerSpare = 5 * time.Millisecond // the largest allowance
)

func newRuler(cfg *hyper.Config, l *learner.Learner) (*ruler, error) {
	held, err := learner.NewHeldOut(cfg, l.Machine().Spec)
	if err != nil {
		return nil, err
	}
	return &ruler{held: held, now: time.Now, from: time.Now()}, nil
}

// refresh continues the measurement within the allowance, and publishes its result. It measures no parameters twice.
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
