package command

// bench measures how fast this machine trains: the whole loop, actors and learner together, not a kernel alone.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/trial"
)

type Bench struct {
	runFlags
	deviceFlags
	Seconds float64 `default:"10" help:"How long to measure." placeholder:"S"`
	JSON    bool    `help:"Print one JSON object."`
}

// Help is printed under bench --help.
func (Bench) Help() string {
	return `Trains in live mode with unrolls of 20 and batches of 32 unless --set says otherwise, and counts environment
steps that the learner consumed. The first update is not timed.

  impalab bench --world cartpole --seconds 10 --json
  impalab bench --world cartpole --set mode=reference --set hidden=128-128`
}

// benchReport is what bench found. The JSON keys never change their meaning.
type benchReport struct {
	World  string   `json:"world"`
	Steps  uint64   `json:"steps"`
	Wall   float64  `json:"wall_s"`
	CPU    *float64 `json:"cpu_s"`
	PerSec float64  `json:"steps_per_s"`
	GFLOPS float64  `json:"gflops"` // of the network's products alone: acting and learning

	Arithmetic  string `json:"arithmetic"`
	Device      string `json:"device"` // where the learner's passes were computed; acting is the cores'
	DeviceExact bool   `json:"device_exact"`
	DeviceWhy   string `json:"device_why"`
}

// errMeasured ends a measurement.
var errMeasured = errors.New("measured")

// Run measures.
func (b *Bench) Run(ctx context.Context, prog *Program) error {
	if !(b.Seconds > 0 && b.Seconds <= 3600) {
		return UsageError{fmt.Errorf("--seconds %g: want a number above 0 to 3600", b.Seconds)}
	}
	done, err := b.compute()
	if err != nil {
		return err
	}
	defer done()
	engine, letGo, err := b.engine()
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
	report, err := measure(ctx, engine, cfg, time.Duration(b.Seconds*float64(time.Second)))
	if err != nil {
		return err
	}
	if b.JSON {
		(&reporter{out: prog.Stdout}).line(report)
		return nil
	}
	fmt.Fprintf(prog.Stdout, "%s: %.0f steps/s (%d steps in %.1f s), %.2f GFLOP/s in the network's products, on %s\n",
		report.World, report.PerSec, report.Steps, report.Wall, report.GFLOPS, report.Device)
	return nil
}

// measure trains for a while and counts.
func measure(ctx context.Context, engine learner.Engine, cfg hyper.Config, length time.Duration) (benchReport, error) {
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
	return benchReport{
		World: cfg.World, Steps: steps, Wall: wall, CPU: cpu(), PerSec: perSec,
		GFLOPS:     l.FLOPsPerStep() * perSec / 1e9,
		Arithmetic: l.Arithmetic(), Device: on.Name, DeviceExact: on.Exact, DeviceWhy: on.Why,
	}, nil
}
