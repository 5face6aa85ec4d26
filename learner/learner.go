// Package learner wires the loop of IMPALA (§3): actors play unrolls with a policy, the learner corrects for
// its age and takes a step. A reference run is a function of its configuration and its changes alone; a live
// run lets actors race the learner.
package learner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/algo"
	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/replay"
	"impalab/learner/schedule"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Learner is one run. It belongs to one goroutine; use the Between hook to read it or to change its settings.
type Learner struct {
	engine      Engine
	cfg         hyper.Config
	machine     *algo.Machine
	algo        algo.Algorithm
	fleet       fleet
	store       *replay.Store
	rng         envs.Rand  // draws from the replay
	drawn       []int      // places of the batch's replayed trajectories
	weights     []float32  // of these
	others      []*Learner // agents that share the store, see shared.go
	plays       bool       // the agent plays and does not learn
	replayState *replayState
	replayers   *replayers // of replay-by=episode, else nil

	window *lagWindow // parameters of earlier updates, as far back as the lag reaches
	batch  *traj.Batch
	filled bool // the batch is the newest update's
	fresh  []*traj.Unroll
	scores scores

	steps, updates, episodes uint64
	arithmetic               string  // see Arithmetic
	goal                     float64 // mean return that counts as solved
	solved                   uint64  // steps when it was first reached; 0: not yet
	diverged                 string
}

// Hooks watch and change a run. The learner calls them on its own goroutine.
type Hooks struct {
	// Between is called between two updates, never inside one. Run returns its error at once.
	Between func(*Learner) error
	// Due reports whether the next update should be described; nil: always if Update is set. The last update of a
	// budget always is.
	Due func() bool
	// Update receives each described update. The value is good during the call.
	Update func(*telemetry.Update)
	// Episode receives every finished training episode.
	Episode func(telemetry.Episode)
}

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

// Run trains until the budget is spent, the run diverges, ctx ends or a hook stops it.
func (l *Learner) Run(ctx context.Context, hooks Hooks) (Result, error) {
	var update telemetry.Update
	for l.diverged == "" && !l.Finished() {
		if hooks.Between != nil {
			if err := hooks.Between(l); err != nil {
				return l.Result(), err
			}
			if l.Finished() {
				break
			}
		}
		described := (*telemetry.Update)(nil)
		if hooks.Update != nil && (hooks.Due == nil || hooks.Due() || l.last()) {
			described = &update
		}
		if err := l.step(ctx, described, hooks.Episode); err != nil {
			return l.Result(), err
		}
		if described != nil && l.diverged == "" {
			hooks.Update(described)
		}
	}
	return l.Result(), nil
}

// step makes one update of every agent.
func (l *Learner) step(ctx context.Context, out *telemetry.Update, heard func(telemetry.Episode)) error {
	if err := l.update(ctx, out, heard); err != nil || l.diverged != "" {
		return err
	}
	return l.takeTurns(ctx)
}

// update makes one update: collect, learn, publish.
func (l *Learner) update(ctx context.Context, out *telemetry.Update, heard func(telemetry.Episode)) error {
	replayed := l.cfg.Replayed()
	fresh := l.cfg.Fresh()
	if err := l.collect(ctx, fresh, heard); err != nil || l.diverged != "" {
		return err
	}
	lr := l.learningRate() // of the steps before this batch: the last update still has a rate above 0
	l.steps += newSteps(l.fresh[:fresh])
	if !l.Finished() {
		l.fleet.begin(l.window, l.cfg.Fresh())
	}
	l.scores.mark()
	if l.solved == 0 && l.scores.full() && l.scores.mean() >= l.goal {
		l.solved = l.steps
	}
	stored := l.fill(fresh, replayed)

	if out != nil {
		*out = telemetry.Update{}
	}
	if err := l.algo.Update(l.batch, &l.cfg, lr, l.updates, out); err != nil {
		var d algo.Diverged
		if !errors.As(err, &d) {
			return err
		}
		l.diverge(d)
		return nil
	}
	if err := l.machine.Err(); err != nil {
		return err
	}
	l.updates++
	l.filled = true
	for i, place := range l.drawn {
		l.store.Visit(place, float64(l.batch.Surprise[l.cfg.BatchSize-replayed+i]))
	}
	if l.replayers != nil {
		l.replayers.learned(l.batch, l.cfg.BatchSize-replayed, l.store)
	}
	if replayed > 0 && !stored {
		l.keep(fresh)
	}
	l.publish()
	if out != nil {
		out.Step, out.Update, out.Episodes = l.steps, l.updates, l.episodes
	}
	return nil
}

// diverge records where and why the run must stop.
func (l *Learner) diverge(why error) {
	l.diverged = fmt.Sprintf("update %d, step %d: %s", l.updates+1, l.steps, why)
}

// collect makes the actors play fresh unrolls. If the policy cannot act, the run has diverged.
func (l *Learner) collect(ctx context.Context, n int, heard func(telemetry.Episode)) error {
	for len(l.fresh) < n {
		l.fresh = append(l.fresh, traj.NewUnroll(l.cfg.UnrollLen, l.batch.Shape))
	}
	at := l.steps
	err := l.fleet.collect(ctx, l.window, l.fresh[:n], func(e telemetry.Episode) {
		e.Step = at
		l.episodes++
		l.scores.add(e.Task, float64(e.Return))
		if heard != nil {
			heard(e)
		}
	})
	if errors.Is(err, actor.ErrNotFinite) {
		l.diverge(err)
		return nil
	}
	return err
}

// newSteps counts the steps of fresh unrolls that no earlier unroll has.
func newSteps(fresh []*traj.Unroll) (steps uint64) {
	for _, u := range fresh {
		steps += uint64(u.T - u.Again)
	}
	return steps
}

// fill makes the batch: fresh unrolls first, then replayed ones. The learner learns from fresh unrolls before they
// enter the store (LASER §5). If the store is empty, fill stores the fresh unrolls first, because there is nothing else
// to replay, and returns true.
func (l *Learner) fill(fresh, replayed int) (stored bool) {
	if replayed > 0 && l.store.Len() == 0 {
		l.keep(fresh)
		stored = true
	}
	l.batch.Begin()
	online := l.cfg.BatchSize - replayed
	for i := range online {
		l.batch.Put(i, l.fresh[i], true)
	}
	l.drawn = l.drawn[:0]
	if l.replayers != nil {
		l.replayers.fill(l, online)
		return stored
	}
	for i := online; i < l.cfg.BatchSize; i++ {
		place := l.store.Draw(&l.rng)
		l.drawn = append(l.drawn, place)
		l.batch.Put(i, l.store.At(place), false)
		l.replayState.recall(l.batch, i, l.machine.Theta, l.algo.Acting(), l.store.At(place), l.store)
	}
	l.weights = append(l.weights[:0], l.batch.Weight[:replayed]...) // room
	l.store.Weigh(l.weights, l.drawn)
	for i, weight := range l.weights {
		l.batch.Weigh(online+i, weight)
	}
	return stored
}

// keep adds the fresh unrolls to the store.
func (l *Learner) keep(fresh int) {
	for _, u := range l.fresh[:fresh] {
		l.store.Add(u)
	}
}

func (l *Learner) learningRate() float64 {
	if l.cfg.Anneal == hyper.AnnealLinear {
		return l.cfg.LearningRate * math.Max(0, 1-float64(l.steps)/float64(l.cfg.Steps))
	}
	return l.cfg.LearningRate
}

// publish gives the actors the current parameters.
func (l *Learner) publish() {
	l.window.push(l.algo.Acting(), l.updates, l.cfg.Lag)
	l.fleet.publish(l.algo.Acting(), l.updates)
}

// Apply changes a hot setting and returns the change with its step, for viewers and the tape. It validates the new
// settings; after an error the old ones stay. Call it in the Between hook.
func (l *Learner) Apply(change hyper.Change) (telemetry.Changed, error) {
	if !change.Hot() {
		return telemetry.Changed{}, fmt.Errorf("%s cannot change during a run; start a new run with %s=%s", change.Key(),
			change.Key(), change.Value())
	}
	next := l.cfg
	change.Apply(&next)
	if err := next.Validate(); err != nil {
		return telemetry.Changed{}, err
	}
	return l.Put(change), nil
}

// Put is Apply for a hot change whose settings the caller has validated.
func (l *Learner) Put(change hyper.Change) telemetry.Changed {
	key, from := change.Key(), l.cfg.Get(change.Key())
	change.Apply(&l.cfg)
	l.window.push(l.algo.Acting(), l.updates, l.cfg.Lag) // a shorter lag takes effect at once
	l.updateSharers()
	return telemetry.Changed{Step: l.steps, Update: l.updates, Key: key, From: from, To: l.cfg.Get(key)}
}

// Close stops the run's goroutines.
func (l *Learner) Close() {
	for _, other := range l.others {
		other.Close()
	}
	if l.fleet != nil {
		l.fleet.close()
	}
	if parallel, ok := l.algo.(io.Closer); ok {
		parallel.Close()
	}
	l.machine.Close()
}
