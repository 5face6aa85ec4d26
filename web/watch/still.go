package watch

import (
	"impalab/envs"
	"impalab/learner"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/web/play"
	"impalab/web/wire"
)

// Still makes the messages of single updates, for learners that retrain earlier updates. It depends on no clock, so the
// same updates give the same messages.
type Still struct {
	player *play.Player
	gauge  *gauge // nil if the world is not finite
	own    Policies
}

// NewStill starts an episode of the learner's world.
func NewStill(l *learner.Learner) (*Still, error) {
	cfg, spec := l.Config(), l.Machine().Spec
	player, err := play.NewPlayer(cfg.World, spec, envs.NewRand(cfg.Seed, stream.Watch))
	if err != nil {
		return nil, err
	}
	return &Still{player: player, gauge: gaugeFor(player, spec)}, nil
}

// Of returns the messages of the learner's newest update u: the x-ray, the gauge of a finite world, the parameters if
// wanted, and the world after one step. A policy that is not finite takes no step.
func (s *Still) Of(l *learner.Learner, u *telemetry.Update, parameters bool) []wire.Message {
	s.own.CopyFrom(l, s.player.Tasks())
	seen := []wire.Message{xrayOf(u, l)}
	if s.gauge != nil {
		if g := s.gauge.solve(&s.own); g != nil {
			seen = append(seen, g)
		}
	}
	if parameters && len(s.own.Target) <= wire.MaxParameters {
		seen = append(seen, weightsOf(&s.own))
	}
	if f, err := s.player.Step(&s.own.Policies, &s.own.Config); err == nil {
		seen = append(seen, f)
	}
	return seen
}

// Moments are the messages of consecutive updates that fit into a frame.
type Moments struct {
	Parameters bool             // include the parameters
	Newest     telemetry.Update // the update to add
	Made       []wire.Message

	still *Still
	size  int // bytes of Made
}

// Add adds the messages of the learner's newest update. full is true if they do not fit.
func (m *Moments) Add(l *learner.Learner) (full bool, err error) {
	if m.still == nil {
		if m.still, err = NewStill(l); err != nil {
			return false, err
		}
	}
	seen := m.still.Of(l, &m.Newest, m.Parameters)
	for _, one := range seen {
		frame, err := wire.Append(nil, one)
		if err != nil {
			return false, err
		}
		m.size += len(frame) + 4
	}
	if m.size > wire.MaxToBrowser/2 && len(m.Made) > 0 {
		return true, nil
	}
	m.Made = append(m.Made, seen...)
	return false, nil
}
