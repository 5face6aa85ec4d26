// Package learner wires the loop of IMPALA (§3): actors play unrolls with a policy, the learner corrects for
// its age and takes a step. A reference run is a function of its configuration and its changes alone; a live
// run lets actors race the learner.
package learner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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

// Learner is one run. It belongs to one goroutine; to look at it or to steer it, use the Between hook.
type Learner struct {
	engine      Engine
	cfg         hyper.Config
	machine     *algo.Machine
	algo        algo.Algorithm
	fleet       fleet
	store       *replay.Store
	rng         envs.Rand  // draws from the replay
	drawn       []int      // places of the batch's replayed trajectories
	others      []*Learner // that share the store, see sharing.go
	plays       bool       // one of those, and learns nothing
	replayState *replayState

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

// Hooks are how a run is watched and steered. All are called on the learner's goroutine.
type Hooks struct {
	// Between is called between two updates, never inside one. An error stops the run and comes back from Run.
	Between func(*Learner) error
	// Due says whether the next update should be described; nil: always when Update is set. The last one of a budget
	// always is.
	Due func() bool
	// Update receives each described update. The value is good during the call.
	Update func(*telemetry.Update)
	// Episode receives every finished training episode.
	Episode func(telemetry.Episode)
}

// Result is the outcome of a run.
type Result struct {
	Steps, Updates, Episodes     uint64
	ReturnMean100, ReturnBest100 float64 // NaN before the first episode (best: before the hundredth); of a suite, scores
	ReturnMeanRun                float64 // mean over the updates of what ReturnMean100 was then: the area under the curve
	StepsToSolved                uint64  // when the mean of the last hundred first reached the world's Solved; 0: never
	ParamsSHA256                 string
	Arithmetic                   string        // whose bits the parameters are
	Device                       device.Choice // what computed them last
	Diverged                     string        // why it stopped, or ""
	Tasks                        []TaskResult  // of a suite; nil on a world by itself
}

// Engine is what learners compute on.
type Engine struct {
	Lower   algo.Lower        // makes the networks' programs: learner/graph's, or algo.Stored's
	Cores   *schedule.Share   // of which the caller of New and Run holds one, and of Close none; nil: as many as there are
	Devices *device.Selection // where the programs run; nil: on the cores
	Remotes *remote.Actors    // actors in other processes, of one learner at a time; nil: none

	// Like is the arithmetic of settings that leave it to the machine, if this one has it; "": the process's own.
	Like string
}

// New prepares a run; nothing moves before Run.
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

// newAgent makes a learner by itself on a store that others may know too; number tells it from those.
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
	if cfg.Mode == hyper.Live {
		if l.fleet, err = newLiveActors(&l.cfg, machine, e.Cores, e.Remotes); err != nil {
			l.Close()
			return nil, err
		}
	} else {
		remotes := e.Remotes
		if number > 0 {
			remotes = nil // they play for the watched agent
		}
		l.fleet = newReferenceActors(&l.cfg, spec, stream.Actors+uint64(number)*stream.OfAgent, e.Cores, remotes)
	}
	l.publish()
	return l, nil
}

func newStore(cfg *hyper.Config) *replay.Store {
	if cfg.Sampling == hyper.SamplePrioritised {
		return replay.NewPrioritised(cfg.ReplaySize, cfg.UnrollLen, replay.Priority{
			Exponent: cfg.Priority, Correction: cfg.PriorityBeta, Uniform: cfg.PriorityUniform,
		})
	}
	return replay.New(cfg.ReplaySize, cfg.UnrollLen)
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

// step is one update of every agent there is.
func (l *Learner) step(ctx context.Context, out *telemetry.Update, heard func(telemetry.Episode)) error {
	if err := l.update(ctx, out, heard); err != nil || l.diverged != "" {
		return err
	}
	return l.takeTurns(ctx)
}

// update is one update: collect, learn, publish.
func (l *Learner) update(ctx context.Context, out *telemetry.Update, heard func(telemetry.Episode)) error {
	replayed := l.cfg.Replayed()
	fresh := l.Fresh()
	if err := l.collect(ctx, fresh, heard); err != nil || l.diverged != "" {
		return err
	}
	lr := l.learningRate() // of the steps before this batch: the first update has it whole, the last one not yet 0
	l.steps += uint64(fresh * l.cfg.UnrollLen)
	if !l.Finished() {
		l.fleet.begin(l.window, l.Fresh())
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
	if replayed > 0 && !stored {
		l.keep(fresh)
	}
	l.publish()
	if out != nil {
		out.Step, out.Update, out.Episodes = l.steps, l.updates, l.episodes
	}
	return nil
}

// Fresh is how many unrolls the actors play for each update.
func (l *Learner) Fresh() int { return l.cfg.Fresh() }

// diverge notes where and why the run has to stop.
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
	l.drawn = l.drawn[:0]
	for i := range l.cfg.BatchSize {
		if i < online {
			l.batch.Put(i, l.fresh[i], true)
			continue
		}
		place := l.store.Draw(&l.rng)
		l.drawn = append(l.drawn, place)
		l.batch.Put(i, l.store.At(place), false)
		l.replayState.recall(l.batch, i, l.machine.Theta, l.algo.Acting(), l.store.At(place), l.store)
	}
	l.store.Weigh(l.batch.Weight[online:], l.drawn)
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

// publish makes the present parameters the newest that actors can have.
func (l *Learner) publish() {
	l.window.push(l.algo.Acting(), l.updates, l.cfg.Lag)
	l.fleet.publish(l.algo.Acting(), l.updates)
}

// Apply changes a hot setting and returns the change with its step, for viewers and the tape. If the other settings do
// not allow the change, the error names them and the settings stay. Call it in the Between hook.
func (l *Learner) Apply(change hyper.Change) (telemetry.Changed, error) {
	if !change.Hot() {
		return telemetry.Changed{}, fmt.Errorf("%s cannot change while a run goes on; begin anew with %s=%s", change.Key(),
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

// Config is the configuration in force.
func (l *Learner) Config() *hyper.Config { return &l.cfg }

// Machine is the network being trained; for reading, from the Between hook.
func (l *Learner) Machine() *algo.Machine { return l.machine }

// Behaviour is the parameters that actors act with now, and the update that made them. Good until the next update.
func (l *Learner) Behaviour() (theta []float32, version uint64) { return l.window.at(l.cfg.Lag) }

// Steps, Updates and Episodes count the run's progress.
func (l *Learner) Steps() uint64    { return l.steps }
func (l *Learner) Updates() uint64  { return l.updates }
func (l *Learner) Episodes() uint64 { return l.episodes }

// Return100 is the mean return of the last hundred episodes, on a suite the mean capped normalised score; NaN before
// the first of each task.
func (l *Learner) Return100() float64 { return l.scores.mean() }

// Solved is how many steps it had taken when Return100 first came to what counts as solved in its world; 0: not yet.
func (l *Learner) Solved() uint64 { return l.solved }

// Return10 is Return100 over the last ten episodes: it shows a recovery tens of thousands of steps sooner, and
// flutters.
func (l *Learner) Return10() float64 { return l.scores.recent() }

// Score is the mean capped normalised score over the tasks of a suite, or of the one world: 0 is its Random, 1 its
// Solved or better.
func (l *Learner) Score() float64 { return l.scores.score() }

// Tasks returns the result on each task of a suite; nil for a single world.
func (l *Learner) Tasks() []TaskResult { return l.scores.results() }

// Finished reports whether the budget of steps is spent.
func (l *Learner) Finished() bool { return l.cfg.Steps > 0 && l.steps >= l.cfg.Steps }

// last reports whether the next update spends the budget.
func (l *Learner) last() bool {
	return l.cfg.Steps > 0 && l.steps+uint64(l.Fresh()*l.cfg.UnrollLen) >= l.cfg.Steps
}

// Diverged is why the run had to stop, or "".
func (l *Learner) Diverged() string { return l.diverged }

// ParamsSHA256 is the hash of the parameters, little-endian and in their order.
func (l *Learner) ParamsSHA256() string { return hashParams(l.machine.Theta) }

// Mixed is the arithmetic of a run that went on from a snapshot made in another one.
const Mixed = "mixed"

// Arithmetic names the arithmetic that produced the parameters: that of Computes, or Mixed. Runs of one arithmetic give
// the same bytes everywhere. Across arithmetics, and with Mixed, only figures agree.
func (l *Learner) Arithmetic() string { return l.arithmetic }

// Computes is the arithmetic of the updates from now on.
func (l *Learner) Computes() string { return l.machine.Spec.Kernels.Arithmetic() }

// Result sums the run up as it stands.
func (l *Learner) Result() Result {
	return Result{
		Steps: l.steps, Updates: l.updates, Episodes: l.episodes,
		ReturnMean100: l.scores.mean(), ReturnBest100: l.scores.bestMean(),
		ReturnMeanRun: l.scores.meanOverRun(), StepsToSolved: l.solved,
		ParamsSHA256: l.ParamsSHA256(), Arithmetic: l.arithmetic, Device: l.machine.Device, Diverged: l.diverged,
		Tasks: l.Tasks(),
	}
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

// FLOPsPerStep counts the floating-point operations of the network's products that one environment step costs: a
// forward pass to act, and the passes of an update over the batch, of which old trajectories are a part too.
func (l *Learner) FLOPsPerStep() float64 {
	forward, back := 0.0, 0.0
	for _, layer := range l.machine.Spec.Layers() {
		forward += layer.FLOPs()
		back += layer.FLOPs() // to the weights
		if layer.From[0] >= 0 {
			back += layer.FLOPs() // to what went in
		}
	}
	passes, rows := algo.PassesOf(&l.cfg), float64(l.cfg.BatchSize)/float64(l.Fresh())
	return forward + rows*(float64(passes.Forward)*forward+float64(passes.Back)*back)
}

func hashParams(theta []float32) string {
	h := sha256.New()
	var b [4]byte
	for _, v := range theta {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		h.Write(b[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}
