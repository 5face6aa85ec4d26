package command

// Several runs at once, as a server has them: do they together do as much as one, and each its share?

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/trial"
)

// maxBenchRuns is more than any server lets learn at once.
const maxBenchRuns = 1000

// measureRuns trains b.Runs runs of cfg side by side, of seeds that follow each other and of an owner each, on cores
// that are dealt out as a server deals them. Steps are those of all together.
func (b *Bench) measureRuns(ctx context.Context, engine learner.Engine, cfg hyper.Config, cores int) (benchReport,
	error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	kernels, err := cfg.Kernels("")
	if err != nil {
		return benchReport{}, UsageError{err}
	}
	most, length := peak(kernels, cores), time.Duration(b.Seconds*float64(time.Second))
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	dealt, steps := schedule.NewCores(cores), make([]atomic.Uint64, b.Runs)
	var like atomic.Pointer[benchReport] // what is the same for all; its GFLOPS are a step's FLOPs
	for i := range steps {
		one := cfg
		one.Seed += uint64(i)
		all.Go(func() {
			if err := b.oneOf(ctx, engine, one, dealt.Share(fmt.Sprint(i), 1), &steps[i], &like); err != nil {
				stop(err)
			}
		})
	}
	read := func() (now []uint64) {
		for i := range steps {
			now = append(now, steps[i].Load())
		}
		return now
	}
	// All of them have begun before the time does.
	for slices.Contains(read(), 0) && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	began, before, cpu := time.Now(), read(), trial.StartCPU()
	select {
	case <-time.After(length):
	case <-ctx.Done():
	}
	after, wall, used := read(), time.Since(began).Seconds(), cpu()
	stop(errMeasured)
	all.Wait()
	switch err := context.Cause(ctx); {
	case errors.Is(err, context.Canceled):
		return benchReport{}, ErrInterrupted
	case !errors.Is(err, errMeasured):
		return benchReport{}, err
	}
	total, each := uint64(0), make([]float64, len(after))
	for i := range after {
		total += after[i] - before[i]
		each[i] = float64(after[i] - before[i])
	}
	even := slices.Min(each) / max(1, slices.Max(each))
	perSec := float64(total) / wall
	out := *like.Load()
	out.Cores, out.Runs, out.Even, out.Steps, out.Wall, out.CPU = cores, b.Runs, &even, total, wall, used
	out.PerSec, out.GFLOPS, out.Peak = perSec, out.GFLOPS*perSec/1e9, most
	out.Share = out.GFLOPS / most
	return out, nil
}

// oneOf trains one run until ctx ends, and counts its steps as they are made.
func (b *Bench) oneOf(ctx context.Context, engine learner.Engine, cfg hyper.Config, share *schedule.Share,
	steps *atomic.Uint64, like *atomic.Pointer[benchReport]) error {
	defer share.Close()
	engine.Cores = share
	share.Hold()
	l, err := engine.New(cfg)
	if err != nil {
		share.Release()
		return err
	}
	on := l.Machine().Device
	like.Store(&benchReport{
		World: cfg.World, Mode: string(cfg.Mode), GFLOPS: l.FLOPsPerStep(), Arithmetic: l.Arithmetic(), Device: on.Name,
		DeviceExact: on.Exact, DeviceWhy: on.Why,
	})
	_, err = l.Run(ctx, learner.Hooks{Between: func(l *learner.Learner) error {
		steps.Store(l.Steps())
		share.Yield()
		return ctx.Err()
	}})
	share.Release()
	l.Close()
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return err
	case l.Diverged() != "":
		return fmt.Errorf("a run diverged before the time was up, at %s; try another --seed", l.Diverged())
	}
	return errors.New("the budget of steps was spent before the time was up: leave steps alone or lower --seconds")
}
