package learner

import (
	"cmp"
	"context"
	"slices"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// The length of the unrolls that Evaluate plays changes no result. An episode lasts at most half an hour of Atari: 108
// 000 frames, of which an agent sees every fourth (Machado et al., 2018, §3).
const (
	evaluateUnroll = 8
	evaluateLimit  = 27_000
)

// Evaluation is the result of the acting policy in whole episodes, with fixed parameters.
type Evaluation struct {
	Tasks  []TaskEvaluation // one task on a single world
	Mean   float64          // of the tasks' scores
	Median float64          // of the tasks' scores
}

// TaskEvaluation is Evaluation on one world.
type TaskEvaluation struct {
	World    string
	Episodes int
	Cut      int      // episodes stopped at the limit of 27 000 steps; they count with their return so far
	Return   float64  // mean over the episodes
	Speed    *float64 // forward, as observed, mean over the steps: m/s; nil on a suite, and where no value shows it
	Score    float64  // of that mean, capped and normalised: 0 is the uniform policy, 1 the reference or better
}

// Evaluate plays the given number of episodes of each task, each in its own copy of the world, so that short episodes
// do not count more often than long ones. Greedy takes the likeliest action, or a Gaussian's mean, instead of a draw.
// Evaluate does not change the run. Its own stream of chance lets both kinds of acting begin in the same states.
func (l *Learner) Evaluate(ctx context.Context, episodes int, greedy bool) (Evaluation, error) {
	tasks := l.cfg.Tasks()
	copies := episodes * tasks
	player, err := actor.New(l.cfg.World, l.machine.Spec, copies, l.cfg.Seed, stream.Evaluate)
	if err != nil {
		return Evaluation{}, err
	}
	player.Greedy, player.Forget = greedy, l.cfg.Forgets()
	length := cmp.Or(player.Forget, evaluateUnroll) // the memory is cleared where an unroll begins
	unrolls := traj.NewUnrolls(copies, length, l.batch.Shape)
	returns, over := make([]float64, copies), make([]bool, copies)
	world, _, err := envs.Describe(l.cfg.World)
	if err != nil {
		return Evaluation{}, err // never: the learner has made the world
	}
	ahead, size, way, steps := world.Ahead, world.Size(), 0., 0
	for step, left := 0, copies; left > 0 && step < evaluateLimit; step += length {
		if err := ctx.Err(); err != nil {
			return Evaluation{}, err
		}
		if err := player.Play(l.algo.Acting(), l.updates, unrolls, func(telemetry.Episode) {}); err != nil {
			return Evaluation{}, err
		}
		for i, u := range unrolls {
			for t := 0; t < u.T && !over[i]; t++ {
				returns[i] += float64(u.Reward[t])
				way += float64(u.Obs[t*size+ahead.Value] * ahead.Unit)
				steps++
				if envs.End(u.End[t]) != envs.Running {
					over[i] = true
					left--
				}
			}
		}
	}
	e := l.evaluation(returns, over)
	if ahead.Unit > 0 {
		speed := way / float64(steps)
		e.Tasks[0].Speed = &speed
	}
	return e, nil
}

// evaluation combines the returns of copies that were dealt to the tasks in turn.
func (l *Learner) evaluation(returns []float64, over []bool) (e Evaluation) {
	tasks := l.scores.tasks
	e.Tasks = make([]TaskEvaluation, len(tasks))
	for i := range returns {
		task := &e.Tasks[i%len(tasks)]
		task.Episodes++
		task.Return += returns[i]
		if !over[i] {
			task.Cut++
		}
	}
	scores := make([]float64, len(tasks))
	for k := range tasks {
		task := &e.Tasks[k]
		task.World = tasks[k].World
		task.Return /= float64(task.Episodes)
		task.Score = tasks[k].Score(task.Return)
		scores[k] = task.Score
		e.Mean += task.Score / float64(len(tasks))
	}
	slices.Sort(scores)
	e.Median = (scores[(len(scores)-1)/2] + scores[len(scores)/2]) / 2
	return e
}
