package command

// bench measures how fast this machine trains: the whole loop, actors and learner together, not a kernel alone.

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/trial"
)

type Bench struct {
	runFlags
	deviceFlags
	Seconds float64 `default:"10" help:"How long to measure; of --table, each row." placeholder:"S"`
	Cores   int     `help:"Cores to compute on; 0: all. --table measures one, and this." placeholder:"N"`
	Runs    int     `default:"1" help:"Runs that train at once, sharing the cores as a server's do." placeholder:"N"`
	Table   bool    `help:"Measure several networks and algorithms, in reference and live mode, on one core and on all, and on each exact device."`
	Roof    bool    `name:"roofline" help:"Say of each operation of the table's networks what it reaches, and what bounds it: multiply-adds, columns, caches."`
	Rows    string  `help:"With --table or --roofline: only these, with commas between." placeholder:"NAMES"`
	Compare string  `help:"What --json wrote before: say how many times as fast each row is now." placeholder:"FILE"`
	JSON    bool    `help:"Print one JSON object a row."`
}

// Help is printed under bench --help.
func (Bench) Help() string {
	return `Trains in live mode with unrolls of 20 and batches of 32 unless --set says otherwise, and counts environment
steps that the learner consumed. The first update is not timed. The share of the peak is of what a loop of nothing but
multiply-adds reached on the same cores just before. --runs measures one run alone first, and says how much of that
many make together. --table says where the cores' time goes, of parts that are measured by themselves: passes of the
learner's network, the actors' policy, the worlds; the rest is losses, targets, optimiser and copies. --roofline runs
those passes by themselves, and says of each operation what it reaches and what bounds it.

  impalab bench --world cartpole --seconds 10 --json
  impalab bench --world cartpole --set mode=reference --set hidden=128-128
  impalab bench --world cartpole --set mode=reference --runs 30
  impalab bench --table --seconds 5 --json > before.json
  impalab bench --table --seconds 5 --compare before.json`
}

// benchReport is what bench found. The JSON keys never change their meaning.
type benchReport struct {
	Name   string   `json:"name"` // of a row of the table; else the world's
	World  string   `json:"world"`
	Mode   string   `json:"mode"`
	Cores  int      `json:"cores"`
	Runs   int      `json:"runs"`
	Even   *float64 `json:"slowest_of_fastest,omitempty"` // of several runs: the steps of the one over those of the other
	Steps  uint64   `json:"steps"`
	Wall   float64  `json:"wall_s"`
	CPU    *float64 `json:"cpu_s"`
	PerSec float64  `json:"steps_per_s"`
	GFLOPS float64  `json:"gflops"` // of the network's products alone: acting and learning
	Peak   float64  `json:"peak_gflops"`
	Share  float64  `json:"share_of_peak"`

	Arithmetic  string `json:"arithmetic"`
	Device      string `json:"device"` // where the learner's passes were computed; acting is the cores'
	DeviceExact bool   `json:"device_exact"`
	DeviceWhy   string `json:"device_why"`

	Parts *parts   `json:"parts,omitempty"`  // of a row of the table: what the cores' time goes into
	OfOne *float64 `json:"of_one,omitempty"` // of several runs: steps_per_s over that of one alone, measured just before

	OfBefore *float64 `json:"of_before,omitempty"` // steps_per_s over that of --compare
}

// errMeasured ends a measurement.
var errMeasured = errors.New("measured")

// Run measures.
func (b *Bench) Run(ctx context.Context, prog *Program) error {
	if !(b.Seconds > 0 && b.Seconds <= 3600) {
		return UsageError{fmt.Errorf("--seconds %g: want a number above 0 to 3600", b.Seconds)}
	}
	all := runtime.GOMAXPROCS(0)
	if b.Cores < 0 || b.Cores > all {
		return UsageError{fmt.Errorf("--cores %d: this machine has %d; 0 takes all", b.Cores, all)}
	}
	if b.Cores == 0 {
		b.Cores = all
	}
	before, err := measuredBefore(b.Compare)
	if err != nil {
		return UsageError{err}
	}
	if b.Runs < 1 || b.Runs > maxBenchRuns || b.Table && b.Runs > 1 {
		return UsageError{fmt.Errorf("--runs %d: want 1 to %d, and 1 with --table", b.Runs, maxBenchRuns)}
	}
	if b.Roof {
		return b.roofline(ctx, prog)
	}
	if b.Table {
		return b.table(ctx, prog, before)
	}
	if b.Rows != "" {
		return UsageError{errors.New("--rows names rows of --table and --roofline: give one of them too")}
	}
	engine, letGo, err := b.engine(ctx)
	if err != nil {
		return err
	}
	defer letGo()
	cfg, err := b.config("0",
		hyper.Setting{Key: "mode", Value: "live"},
		hyper.Setting{Key: "unroll", Value: "20"},
		hyper.Setting{Key: "batch", Value: "32"})
	if err != nil {
		return err
	}
	report, err := b.measure(ctx, engine, cfg, b.Cores)
	if err != nil {
		return err
	}
	if b.Runs > 1 {
		alone := report.PerSec
		if report, err = b.measureRuns(ctx, engine, cfg, b.Cores); err != nil {
			return err
		}
		of := report.PerSec / alone
		report.OfOne = &of
	}
	report.Name, report.OfBefore = cfg.World, before.times(cfg.World, &report)
	if b.JSON {
		(&reporter{out: prog.Stdout}).line(report)
		return nil
	}
	fmt.Fprintf(prog.Stdout, "%s: %.0f steps/s (%d steps in %.1f s), %.2f GFLOP/s in the network's products, on %s; "+
		"%.0f%% of the %.0f that %d cores reach\n", report.World, report.PerSec, report.Steps, report.Wall, report.GFLOPS,
		report.Device, 100*report.Share, report.Peak, report.Cores)
	if report.Even != nil {
		fmt.Fprintf(prog.Stdout, "%d runs side by side: together %.2f of the steps a second of one alone; the slowest made "+
			"%.2f of the steps of the fastest\n", report.Runs, *report.OfOne, *report.Even)
	}
	if report.OfBefore != nil {
		fmt.Fprintf(prog.Stdout, "%.2f times as many steps a second as before\n", *report.OfBefore)
	}
	return nil
}

// peak is how many GFLOP/s some cores reach together in a loop of multiply-adds: the best of a few short goes.
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

// measure trains for a while on some of the machine's cores, and counts.
func (b *Bench) measure(ctx context.Context, engine learner.Engine, cfg hyper.Config, cores int) (benchReport, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	kernels, err := cfg.Kernels("")
	if err != nil {
		return benchReport{}, UsageError{err}
	}
	most, length := peak(kernels, cores), time.Duration(b.Seconds*float64(time.Second))
	l, err := engine.New(cfg)
	if err != nil {
		return benchReport{}, err
	}
	defer l.Close()
	var began time.Time
	var first uint64
	var cpu func() *float64
	_, err = l.Run(ctx, learner.Hooks{Between: func(l *learner.Learner) error {
		switch {
		case l.Updates() == 0:
		case began.IsZero():
			began, first, cpu = time.Now(), l.Steps(), trial.StartCPU()
		case time.Since(began) >= length:
			return errMeasured
		}
		return nil
	}})
	switch {
	case ctx.Err() != nil:
		return benchReport{}, ErrInterrupted
	case errors.Is(err, errMeasured):
	case err != nil:
		return benchReport{}, err
	case l.Diverged() != "":
		return benchReport{}, fmt.Errorf("the run diverged before the time was up, at %s; try another --seed", l.Diverged())
	default:
		return benchReport{}, errors.New("the budget of steps was spent before the time was up: leave steps alone or lower " +
			"--seconds")
	}
	wall, steps := time.Since(began).Seconds(), l.Steps()-first
	perSec, on := float64(steps)/wall, l.Machine().Device
	gflops := l.FLOPsPerStep() * perSec / 1e9
	return benchReport{
		World: cfg.World, Mode: string(cfg.Mode), Cores: cores, Runs: 1, Steps: steps, Wall: wall, CPU: cpu(), PerSec: perSec,
		GFLOPS: gflops, Peak: most, Share: gflops / most,
		Arithmetic: l.Arithmetic(), Device: on.Name, DeviceExact: on.Exact, DeviceWhy: on.Why,
	}, nil
}
