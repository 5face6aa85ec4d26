package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/schedule"
	"impalab/learner/trial"
)

// Bench measures how fast this machine trains: actors and learner together.
type Bench struct {
	runFlags
	deviceFlags
	Seconds float64 `default:"10" range:"0.001..3600" help:"How long to measure." placeholder:"S"`
	Cores   int     `help:"Cores to compute on; 0: all." placeholder:"N"`
	Runs    int     `default:"1" range:"1..1000" help:"Runs that train at once and share the cores, as on a server." placeholder:"N"`
	JSON    bool    `help:"Print one JSON object."`
}

func (Bench) Help() string {
	return `Trains in live mode with unrolls of 20 and batches of 32 unless --set says otherwise, and counts the environment
steps that the learner consumes after its first update. The share of the peak compares with a loop of multiply-adds
on the same cores just before. --runs first measures one run alone, on all cores and on one core, and then compares all
runs with it.

  impalab bench --world cartpole --seconds 10 --json
  impalab bench --world cartpole --set mode=reference --set hidden=128-128
  impalab bench --world cartpole --set mode=reference --runs 30`
}

// benchReport is what --json prints. The keys never change their meaning.
type benchReport struct {
	World  string   `json:"world"`
	Mode   string   `json:"mode"`
	Cores  int      `json:"cores"`
	Runs   int      `json:"runs"`
	Even   *float64 `json:"slowest_of_fastest,omitempty"` // of several runs: the slowest speed over the fastest
	Steps  uint64   `json:"steps"`
	Wall   float64  `json:"wall_s"`
	CPU    *float64 `json:"cpu_s"`
	PerSec float64  `json:"steps_per_s"` // of all runs together
	GFLOPS float64  `json:"gflops"`      // of the network's products only, acting and learning
	Peak   float64  `json:"peak_gflops"`
	Share  float64  `json:"share_of_peak"`

	Arithmetic  string `json:"arithmetic"`
	Device      string `json:"device"` // computes the learner's passes; actors use the cores
	DeviceExact bool   `json:"device_exact"`
	DeviceWhy   string `json:"device_why"`

	// Of several runs: steps_per_s over the steps_per_s of one run alone, measured just before, on all cores and on one.
	OfOne     *float64 `json:"of_one,omitempty"`
	OfOneCore *float64 `json:"of_one_on_a_core,omitempty"`
}

func (b *Bench) Run(ctx context.Context, prog *Program) error {
	all := runtime.GOMAXPROCS(0)
	if b.Cores < 0 || b.Cores > all {
		return usagef("--cores %d: must be a whole number from 1 to %d, the cores of this machine, or 0 for all", b.Cores,
			all)
	}
	if b.Cores == 0 {
		b.Cores = all
	}
	engine, closeEngine, err := b.engine(ctx)
	if err != nil {
		return err
	}
	defer closeEngine()
	cfg, err := b.config("0",
		hyper.Setting{Key: "mode", Value: "live"},
		hyper.Setting{Key: "unroll", Value: "20"},
		hyper.Setting{Key: "batch", Value: "32"})
	if err != nil {
		return UsageError{err}
	}
	report, err := b.measure(ctx, engine, cfg, 1, b.Cores)
	if err != nil {
		return err
	}
	if b.Runs > 1 {
		alone := report.PerSec
		onOne, err := b.measure(ctx, engine, cfg, 1, 1)
		if err != nil {
			return err
		}
		if report, err = b.measure(ctx, engine, cfg, b.Runs, b.Cores); err != nil {
			return err
		}
		of, ofCore := report.PerSec/alone, report.PerSec/onOne.PerSec
		report.OfOne, report.OfOneCore = &of, &ofCore
	}
	if b.JSON {
		printJSON(prog.Stdout, report)
		return nil
	}
	fmt.Fprintf(prog.Stdout, "%s: %.0f steps/s (%d steps in %.1f s), %.2f GFLOP/s in the network's products, on %s; "+
		"%.0f%% of the %.0f that %d cores reach\n", report.World, report.PerSec, report.Steps, report.Wall, report.GFLOPS,
		report.Device, 100*report.Share, report.Peak, report.Cores)
	if b.Runs > 1 {
		fmt.Fprintf(prog.Stdout, "%d runs together make %.2f times the steps of one run alone, and %.2f times the steps of "+
			"one run on one core; the slowest run makes %.2f of the steps of the fastest\n", report.Runs, *report.OfOne,
			*report.OfOneCore, *report.Even)
	}
	return nil
}

// peak returns the GFLOP/s that cores reach together in a loop of multiply-adds: the best of a few short attempts.
func peak(kernels kernel.Set, cores int) float64 {
	const rounds = 2_000_000 // some ten milliseconds
	best, flops := 0.0, float64(cores*rounds)*kernels.FMALoop(1)
	for range 8 {
		var all sync.WaitGroup
		began := time.Now()
		for range cores {
			all.Go(func() { kernels.FMALoop(rounds) })
		}
		all.Wait()
		best = max(best, flops/time.Since(began).Seconds()/1e9)
	}
	return best
}

// benched is one of the runs that measure trains.
type benched struct {
	l        *learner.Learner
	share    *schedule.Share // of the cores; nil: this run has all of them
	from, to mark            // between which its steps count
}

// mark is the state of a run after an update.
type mark struct {
	steps uint64
	at    time.Time
	cpu   *float64 // seconds of the whole process
}

func (r *benched) perSec() float64 {
	return float64(r.to.steps-r.from.steps) / r.to.at.Sub(r.from.at).Seconds()
}

// measure trains n runs side by side for a while, with successive seeds and an owner each, and counts their steps from
// update to update. Several runs share the cores as on a server.
func (b *Bench) measure(ctx context.Context, engine learner.Engine, cfg hyper.Config, n, onCores int) (
	report benchReport, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(onCores))
	kernels, err := cfg.Kernels("")
	if err != nil {
		return report, UsageError{err}
	}
	report = benchReport{World: cfg.World, Mode: string(cfg.Mode), Cores: onCores, Runs: n,
		Peak: peak(kernels, onCores)}
	cores, cpu := schedule.NewCores(onCores), trial.StartCPU()
	runs := make([]*benched, n)
	for i := range runs {
		r := &benched{}
		runs[i] = r
		if n > 1 {
			r.share = cores.Share(fmt.Sprint(i), 1)
			defer r.share.Close()
		}
		engine.Cores = r.share
		r.share.Acquire()
		r.l, err = engine.New(cfg)
		r.share.Release()
		if err != nil {
			return report, err
		}
		defer r.l.Close()
		cfg.Seed++
	}
	if err := b.train(ctx, runs, cpu); err != nil {
		return report, err
	}
	slowest, fastest := math.Inf(1), 0.0
	for _, r := range runs {
		report.Steps += r.to.steps - r.from.steps
		report.Wall = max(report.Wall, r.to.at.Sub(r.from.at).Seconds())
		report.PerSec += r.perSec()
		slowest, fastest = min(slowest, r.perSec()), max(fastest, r.perSec())
		if r.to.cpu != nil {
			used := *r.to.cpu - *runs[0].from.cpu
			report.CPU = &used
		}
	}
	if n > 1 {
		even := slowest / fastest
		report.Even = &even
	}
	l := runs[0].l
	on := l.Machine().Device
	report.GFLOPS = l.FLOPsPerStep() * report.PerSec / 1e9
	report.Share = report.GFLOPS / report.Peak
	report.Arithmetic, report.Device, report.DeviceExact, report.DeviceWhy = l.Arithmetic(), on.Name, on.Exact, on.Why
	return report, nil
}

var errMeasured = errors.New("every run is measured")

// train trains the runs until each has trained for --seconds after the first update of every run. It marks each run's
// first and last update in that time.
func (b *Bench) train(ctx context.Context, runs []*benched, cpu func() *float64) error {
	var begun, measured atomic.Int64
	all, long := int64(len(runs)), time.Duration(b.Seconds*float64(time.Second))
	g, ctx := errgroup.WithContext(ctx)
	for _, r := range runs {
		first := sync.OnceFunc(func() { begun.Add(1) })
		between := func(l *learner.Learner) error {
			if l.Updates() > 0 {
				first()
			}
			now := mark{l.Steps(), time.Now(), cpu()}
			switch {
			case begun.Load() < all:
			case r.from.at.IsZero():
				r.from = now
			case r.to.at.IsZero() && now.at.Sub(r.from.at) >= long:
				r.to = now
				measured.Add(1)
			}
			if measured.Load() == all {
				return errMeasured
			}
			r.share.Yield()
			return ctx.Err()
		}
		g.Go(func() error {
			r.share.Acquire()
			defer r.share.Release()
			_, err := r.l.Run(ctx, learner.Hooks{Between: between})
			switch {
			case errors.Is(err, errMeasured):
				return nil
			case ctx.Err() != nil:
				return ErrInterrupted
			case err != nil:
				return err
			case r.l.Diverged() != "":
				return fmt.Errorf("the run diverged before the time was over, at %s; try another --seed", r.l.Diverged())
			}
			return errors.New("the run used all its steps before the time was over: leave steps out, or lower --seconds")
		})
	}
	return g.Wait()
}
