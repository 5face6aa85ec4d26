package learner

import (
	"math"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/net"
	"impalab/learner/stream"
)

// Poses plays the start of an episode with the acting policy and returns n poses of the world's stick, one for every
// second step: the cart's place in hundredths of its half of the track and the lean in milliradians, in turn. It is nil
// on a world without a stick and for a network that sees more than the world. Poses changes no result. Call it in the
// Between hook.
func (l *Learner) Poses(n int) []int16 {
	spec := &l.machine.Spec
	world, err := envs.New(l.cfg.World)
	if err != nil || spec.Inputs() != world.Spec().Size() || spec.States() > 0 {
		return nil
	}
	if _, ok := envs.StickOf(world); !ok {
		return nil
	}
	theta, _ := l.Behaviour()
	forward, policy, chance := net.NewForward(*spec, 1), actor.NewPolicy(*spec, 1), envs.NewRand(l.cfg.Seed, stream.Poses)
	input, poses := make([]float32, spec.Inputs()), []int16{}
	world.Reset(&chance)
	for step := range 2 * n {
		world.Observe(input)
		raw, _ := forward.Run(theta, input, nil, 1)
		if !policy.Choose(raw, world.Spec().Controls, &chance) {
			return poses
		}
		if world.Step(&chance, actor.MapAction(int(policy.Action[0]), len(world.Spec().Actions))).End != envs.Running {
			world.Reset(&chance)
		}
		if stick, _ := envs.StickOf(world); step%2 == 0 {
			poses = append(poses, milli(stick.X/stick.Track, 100), milli(stick.Lean, 1000))
		}
	}
	return poses
}

func milli(v float32, unit float64) int16 {
	return int16(math.Round(max(-3e4, min(3e4, unit*float64(v)))))
}
