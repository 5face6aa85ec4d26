package learner

import (
	"impalab/envs"
	"impalab/learner/algo"
	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/replay"
	"impalab/learner/schedule"
	"impalab/learner/stream"
	"impalab/learner/traj"
)

// How a run is made of its parts.

// Engine makes learners. It holds everything that they compute on.
type Engine struct {
	Lower   algo.Lower        // makes the networks' programs: learner/graph's, or algo.Stored's
	Cores   *schedule.Share   // the caller of New and Run holds one core, the caller of Close none; nil: all cores
	Devices *device.Selection // where the programs run; nil: on the cores
	Remotes *remote.Actors    // actors in other processes, for one learner at a time; nil: none

	// Like names the arithmetic for arithmetic=auto, if this machine has it; "": the process's own.
	Like string
}

// New prepares a run. Run starts it.
func (e Engine) New(cfg hyper.Config) (*Learner, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if _, err := algo.OwnCorrection(&cfg); err != nil {
		return nil, err
	}
	l, err := e.newAgent(cfg, newStore(&cfg), 0)
	if err != nil {
		return nil, err
	}
	if err := l.share(); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// newAgent makes one learner on a store that other agents may share; number counts the agents from 0.
func (e Engine) newAgent(cfg hyper.Config, store *replay.Store, number int) (*Learner, error) {
	kernels, err := cfg.Kernels(e.Like)
	if err != nil {
		return nil, err
	}
	machine, err := algo.NewMachineOn(e.Devices, kernels, e.Lower, &cfg)
	if err != nil {
		return nil, err
	}
	world, tasks, err := envs.Describe(cfg.World)
	if err != nil {
		machine.Close()
		return nil, err
	}
	machine.On(e.Cores)
	algorithm, err := algo.New(machine, &cfg)
	if err != nil {
		machine.Close()
		return nil, err
	}
	spec := machine.Spec
	l := &Learner{
		cfg: cfg, engine: e, machine: machine, algo: algorithm, goal: float64(world.Solved), scores: newScores(tasks),
		store: store, rng: envs.NewRand(cfg.Seed, stream.Replay), arithmetic: kernels.Arithmetic(),
		window: newLagWindow(), batch: traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, spec.Shape()),
	}
	l.replayState = newReplayState(&l.cfg, spec)
	if cfg.ReplayBy == hyper.ByEpisode {
		l.replayers = newReplayers(spec, cfg.UnrollLen, cfg.BatchSize)
	}
	if cfg.Mode == hyper.Live {
		if l.fleet, err = newLiveActors(&l.cfg, machine, e.Cores, e.Remotes); err != nil {
			l.Close()
			return nil, err
		}
	} else {
		remotes := e.Remotes
		if number > 0 {
			remotes = nil // remote actors play for the watched agent
		}
		l.fleet = newReferenceActors(&l.cfg, spec, stream.Actors+uint64(number)*stream.OfAgent, e.Cores, remotes)
	}
	l.publish()
	return l, nil
}

func newStore(cfg *hyper.Config) *replay.Store {
	by := &replay.Priority{Exponent: cfg.Priority, Correction: cfg.PriorityBeta, Uniform: cfg.PriorityUniform}
	if cfg.Sampling == hyper.SampleUniform {
		by = nil
	}
	if by != nil && cfg.ReplayBy == hyper.ByUnroll {
		return replay.NewPrioritised(cfg.ReplaySize, cfg.UnrollLen, *by)
	}
	store := replay.New(cfg.ReplaySize, cfg.UnrollLen)
	if cfg.ReplayBy == hyper.ByEpisode {
		store.ByEpisode(by)
	}
	return store
}
