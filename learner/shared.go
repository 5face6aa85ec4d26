package learner

import (
	"context"
	"fmt"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/stream"
)

// Shared replay (LASER §5.4 and figure 3): several agents add to one store and all draw from it. The watched agent is
// the caller's Learner. It owns the others, which learn "from scratch, concurrently at identical speed" (§5.1): after
// each of its updates each other agent makes one, in order, so that a run stays a function of its settings. Counts and
// reports are the watched agent's own. The store holds replay-size steps of all agents together.

// sweep holds the other agents' factors of learning rate and entropy cost under sharing=sweep: LASER's grid for Atari,
// {1/2, 1, 2} × {1/2, 1, 2} around the configured values, without its middle, the watched agent (§5.1). With more than
// eight agents the list repeats.
var sweep = [...]struct{ learningRate, entropy float64 }{
	{0.5, 1}, {2, 1}, {1, 0.5}, {1, 2}, {0.5, 0.5}, {2, 2}, {0.5, 2}, {2, 0.5},
}

// sharer returns the configuration of the i-th other agent. It differs from cfg in the seed and in the kind of sharing.
func sharer(cfg *hyper.Config, i int) hyper.Config {
	other := *cfg
	seeds := envs.NewRand(cfg.Seed, stream.Sharers+uint64(i))
	other.Seed = seeds.Uint64() >> 32
	other.Sharers = 0
	switch cfg.Sharing {
	case hyper.ShareSweep:
		by := sweep[i%len(sweep)]
		other.LearningRate *= by.learningRate
		other.Entropy *= by.entropy
	case hyper.ShareRandom:
		other.Behave = hyper.BehaveUniform
	case hyper.ShareContrary:
		other.RewardScale = -other.RewardScale // after the transform: it maximises the opposite of the watched agent's reward
	}
	return other
}

// share makes the other agents, on the store of l.
func (l *Learner) share() error {
	for i := range l.cfg.Sharers {
		other, err := l.engine.newAgent(sharer(&l.cfg, i), l.store, i+1)
		if err != nil {
			return err
		}
		other.plays = l.cfg.Sharing == hyper.ShareRandom
		l.others = append(l.others, other)
	}
	return nil
}

// NewGroup makes learners of several configurations on one store. Each learns by itself and is watched, as the members
// of a population are (LASER fig. 3 right). TrainInTurn trains them.
func (e Engine) NewGroup(cfgs []hyper.Config) (group []*Learner, err error) {
	store := newStore(&cfgs[0])
	for i := range cfgs {
		var l *Learner
		if err = cfgs[i].Validate(); err == nil {
			l, err = e.newAgent(cfgs[i], store, i)
		}
		if err != nil {
			for _, made := range group {
				made.Close()
			}
			return nil, err
		}
		group = append(group, l)
	}
	return group, nil
}

// TrainInTurn brings the learners of a group to a number of steps, an update of each in order: they run "concurrently
// at identical speed" (LASER §5.1). A learner that diverges makes no further update, and the others continue. ctx ends
// it when all have made equally many.
func TrainInTurn(ctx context.Context, group []*Learner, until uint64) error {
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		more = false
		for _, l := range group {
			if l.diverged != "" || l.Finished() || l.steps >= until {
				continue
			}
			if err := l.update(ctx, nil, nil); err != nil {
				return err
			}
			more = true
		}
	}
	return nil
}

// updateSharers gives the other agents the settings of l after a change.
func (l *Learner) updateSharers() {
	for i, other := range l.others {
		other.cfg = sharer(&l.cfg, i)
		other.window.push(other.algo.Acting(), other.updates, other.cfg.Lag)
	}
}

// trainOthers lets every other agent make an update. If one diverges, the run ends: its data would not be the
// configured data.
func (l *Learner) trainOthers(ctx context.Context) error {
	for i, other := range l.others {
		turn := func() error { return other.update(ctx, nil, nil) }
		if other.plays {
			turn = func() error { return other.play(ctx) }
		}
		if err := turn(); err != nil {
			return err
		}
		if other.diverged != "" {
			l.diverged = fmt.Sprintf("agent %d of the %d that share the replay: %s", i+1, len(l.others), other.diverged)
			return nil
		}
	}
	return nil
}

// play plays for an agent that does not learn, and adds the play to the store.
func (l *Learner) play(ctx context.Context) error {
	fresh := l.cfg.Fresh()
	if err := l.collect(ctx, fresh, nil); err != nil || l.diverged != "" {
		return err
	}
	l.steps += newSteps(l.fresh[:fresh])
	if l.cfg.Replayed() > 0 {
		l.storeFresh(fresh)
	}
	l.updates++ // the age of its play counts updates
	l.publish()
	return nil
}
