package learner

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"impalab/learner/algo"
	"impalab/learner/device"
	"impalab/learner/hyper"
)

// Result is the outcome of a run.
type Result struct {
	Steps, Updates, Episodes     uint64
	ReturnMean100, ReturnBest100 float64 // NaN before the first episode (best: before the hundredth); of a suite, scores
	ReturnMeanRun                float64 // mean of ReturnMean100 over the updates: the area under the curve
	StepsToSolved                uint64  // when ReturnMean100 first reached the world's Solved; 0: never
	ParamsSHA256                 string
	Arithmetic                   string        // of the parameters, as Learner.Arithmetic names it
	Device                       device.Choice // that computed them last
	Diverged                     string        // why the run stopped, or ""
	Tasks                        []TaskResult  // of a suite; nil for a single world
}

// Result returns the outcome so far.
func (l *Learner) Result() Result {
	return Result{
		Steps: l.steps, Updates: l.updates, Episodes: l.episodes,
		ReturnMean100: l.scores.mean(), ReturnBest100: l.scores.bestMean(),
		ReturnMeanRun: l.scores.meanOverRun(), StepsToSolved: l.solved,
		ParamsSHA256: l.ParamsSHA256(), Arithmetic: l.arithmetic, Device: l.machine.Device, Diverged: l.diverged,
		Tasks: l.Tasks(),
	}
}

// Config returns the configuration in force.
func (l *Learner) Config() *hyper.Config { return &l.cfg }

// Machine returns the network that learns, for reading from the Between hook.
func (l *Learner) Machine() *algo.Machine { return l.machine }

// Behaviour returns the parameters that actors act with now, and the update that made them. They are good until the
// next update.
func (l *Learner) Behaviour() (theta []float32, version uint64) { return l.window.at(l.cfg.Lag) }

// Steps, Updates and Episodes count the run's progress.
func (l *Learner) Steps() uint64    { return l.steps }
func (l *Learner) Updates() uint64  { return l.updates }
func (l *Learner) Episodes() uint64 { return l.episodes }

// Return100 returns the mean return of the last hundred episodes, on a suite the mean capped normalised score; NaN
// before the first of each task.
func (l *Learner) Return100() float64 { return l.scores.mean() }

// Return10 is Return100 over the last ten episodes. It shows a recovery tens of thousands of steps sooner, and
// flutters.
func (l *Learner) Return10() float64 { return l.scores.recent() }

// Score returns the mean capped normalised score over the tasks of a suite, or of the one world: 0 is its Random, 1 its
// Solved or better.
func (l *Learner) Score() float64 { return l.scores.score() }

// Tasks returns the result on each task of a suite; nil for a single world.
func (l *Learner) Tasks() []TaskResult { return l.scores.results() }

// Finished reports whether the budget of steps is spent.
func (l *Learner) Finished() bool { return l.cfg.Steps > 0 && l.steps >= l.cfg.Steps }

// last reports whether the next update may spend the budget: with an overlap the updates shortly before that, too.
func (l *Learner) last() bool {
	return l.cfg.Steps > 0 && l.steps+uint64(l.cfg.Fresh()*l.cfg.UnrollLen) >= l.cfg.Steps
}

// Diverged returns why the run had to stop, or "".
func (l *Learner) Diverged() string { return l.diverged }

// ParamsSHA256 returns the hash of the parameters, little-endian and in their order.
func (l *Learner) ParamsSHA256() string { return hashParams(l.machine.Theta) }

func hashParams(theta []float32) string {
	bytes := make([]byte, 0, 4*len(theta)) // binary.Append would be 14 kB more to download
	for _, v := range theta {
		bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(v))
	}
	return fmt.Sprintf("%x", sha256.Sum256(bytes))
}

// Mixed is the arithmetic of a run that continued from another arithmetic's snapshot.
const Mixed = "mixed"

// Arithmetic names the arithmetic of the parameters: the result of Computes, or Mixed. Runs of one arithmetic give
// the same bytes everywhere. Across arithmetics, and with Mixed, only figures agree.
func (l *Learner) Arithmetic() string { return l.arithmetic }

// Computes names the arithmetic of the updates from now on.
func (l *Learner) Computes() string { return l.machine.Spec.Kernels.Arithmetic() }

// FLOPsPerStep counts the floating-point operations of the network's products for one environment step: a forward pass
// to act, and the passes of an update over the batch, old trajectories included.
func (l *Learner) FLOPsPerStep() float64 {
	forward, back := 0.0, 0.0
	for _, layer := range l.machine.Spec.Layers() {
		forward += layer.FLOPs()
		back += layer.FLOPs() // to the weights
		if layer.From[0] >= 0 {
			back += layer.FLOPs() // to the input
		}
	}
	passes, rows := algo.PassesOf(&l.cfg), float64(l.cfg.BatchSize*l.cfg.UnrollLen)/float64(l.cfg.Advance())
	return forward + rows*(float64(passes.Forward)*forward+float64(passes.Back)*back)
}
