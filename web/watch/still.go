package watch

import (
	"impalab/envs"
	"impalab/learner"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/web/play"
	"impalab/web/wire"
)

// Still makes what a page is shown of an update for learners that nobody watches: those that learn again what a run has
// learned before. It hurries for no eye, so the same updates have the same stills.
type Still struct {
	player *play.Player
	gauge  *gauge // nil unless the world is finite
	own    Policies
}

// NewStill begins an episode of the learner's world to look at, as Watch does for a run.
func NewStill(l *learner.Learner) (*Still, error) {
	cfg, spec := l.Config(), l.Machine().Spec
	player, err := play.NewPlayer(cfg.World, spec, envs.NewRand(cfg.Seed, stream.Watch))
	if err != nil {
		return nil, err
	}
	return &Still{player: player, gauge: gaugeFor(player, spec)}, nil
}

// Of is what there is to see of the learner's newest update u: the x-ray, the gauge if the world is finite, the
// parameters if they are wanted, and the world after a step with them. A policy that is not finite takes no step.
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

// Moments are stills of updates that follow each other, as many as a frame carries.
type Moments struct {
	Parameters bool             // are wanted
	Newest     telemetry.Update // to be added
	Made       []wire.Message

	still *Still
	size  int // bytes of Made
}

// Add adds what there is to see of the learner's newest update. It is full where that would be more than a frame.
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
