package command

// The roof over each operation of a network's passes: what this machine's multiply-adds, a product's columns, its tanh
// and the caches allow it at most, beside what it reaches. What is far below its roof could be better written; what is
// at it, or is no product, bounds the run.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/program"
)

// peakRounds are some five microseconds of multiply-adds: the peak is that of the same moments as the operations, for
// a core of a machine that others use too may be half as fast a minute later.
const peakRounds = 2000

// roofReport is one operation of one row, or all of them: each core, while all compute.
type roofReport struct {
	Name    string  `json:"name"`
	Op      string  `json:"op"` // "all": the whole of the passes
	Size    []int   `json:"size"`
	Time    float64 `json:"of_passes"` // share of the passes' time
	GFLOPS  float64 `json:"gflops"`
	Share   float64 `json:"share_of_peak"`
	PerByte float64 `json:"flops_per_byte"`
	Peak    float64 `json:"peak_gflops"`
	Roof    float64 `json:"roof_gflops"` // of all: with every product at its roof, and the rest as it is
	Bound   string  `json:"bound"`       // what makes the roof
}

// roofline prints the roofs of the table's rows.
func (b *Bench) roofline(ctx context.Context, prog *Program) error {
	if err := b.itsOwnRows("--roofline"); err != nil {
		return UsageError{err}
	}
	if b.Table || b.Runs > 1 || b.Compare != "" || b.Device != device.Auto && b.Device != device.CPU {
		return UsageError{errors.New("--roofline measures the passes on the processor by themselves: leave out --table, " +
			"--runs, --compare and --device")}
	}
	names, err := b.names()
	if err != nil {
		return UsageError{err}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(b.Cores))
	over := b.machine()
	if !b.JSON {
		fmt.Fprintf(prog.Stdout, "Each core, while %d compute: %d numbers at once; a tanh in %.2f ns; it reads",
			b.Cores, over.lanes, over.tanh*1e9)
		for i, size := range reads {
			fmt.Fprintf(prog.Stdout, " %.0f GB/s of %d kB,", over.reads[i]/1e9, size>>10)
		}
		fmt.Fprintf(prog.Stdout, " over and over.\n%-9s %-12s %-24s %8s %8s %8s %9s %8s  %s\n", "NAME", "OPERATION", "SIZE",
			"OF TIME", "GFLOP/S", "OF PEAK", "FLOP/BYTE", "ROOF", "BOUND BY")
	}
	for _, row := range benchRows {
		if !slices.Contains(names, row.name) {
			continue
		}
		list, err := b.roofs(ctx, row, over)
		if err != nil {
			return fmt.Errorf("row %s: %w", row.name, err)
		}
		if !b.JSON {
			fmt.Fprintf(prog.Stdout, "%s: the peak is %.0f GFLOP/s a core\n", row.name, list[0].Peak)
		}
		for _, r := range list {
			if b.JSON {
				(&reporter{out: prog.Stdout}).line(r)
				continue
			}
			if r.Time < 0.01 {
				continue // --json has them all
			}
			fmt.Fprintf(prog.Stdout, "%-9s %-12s %-24s %7.1f%% %8.1f %7.0f%% %9.1f %8.1f  %s\n", r.Name, r.Op,
				strings.Trim(fmt.Sprint(r.Size), "[]"), 100*r.Time, r.GFLOPS, 100*r.Share, r.PerByte, r.Roof, r.Bound)
		}
	}
	return nil
}

// roofs runs the passes of one row's network on every core, shard by shard as a run does, and times each operation.
// Those of one kind and size are one.
func (b *Bench) roofs(ctx context.Context, row benchRow, over roof) ([]roofReport, error) {
	name := row.name
	p, each, err := b.passesOf(row)
	if err != nil {
		return nil, err
	}
	steps := slices.Concat(p.Forward, p.Backward)
	took := make([][]float64, b.Cores)
	var all sync.WaitGroup
	for core := range b.Cores {
		all.Go(func() { took[core] = b.pass(ctx, p, steps, each) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	loop := 0.0
	for _, of := range took {
		loop += of[len(steps)] / float64(b.Cores)
	}
	over.peak = kernel.Auto.FMALoop(1) * peakRounds / loop
	var list []roofReport
	var seconds, atRoof, flops float64 // of a whole pass; atRoof is what it would take with every product at its roof
	for i := range steps {
		s, t := &steps[i], 0.0
		for _, of := range took {
			t += of[i] / float64(b.Cores)
		}
		at, bound := over.of(s)
		r := roofReport{Name: name, Op: s.Op.String(), Size: s.Size[:], Time: t, GFLOPS: s.FLOPs(),
			PerByte: s.FLOPs() / float64(touched(s)), Roof: at / 1e9, Bound: bound}
		seconds, flops = seconds+r.Time, flops+r.GFLOPS
		if at > 0 {
			t = r.GFLOPS / at
		}
		atRoof += t
		if k := slices.IndexFunc(list, r.like); k >= 0 { // one more of that kind and size
			list[k].Time += r.Time
			list[k].GFLOPS += r.GFLOPS
			continue
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(x, y roofReport) int { return cmp.Compare(y.Time, x.Time) })
	list = append(list, roofReport{Name: name, Op: "all", Size: []int{}, Time: seconds, GFLOPS: flops,
		Roof: flops / atRoof / 1e9, Bound: "all of these"})
	for i := range list {
		r := &list[i]
		r.GFLOPS /= r.Time * 1e9
		r.Time /= seconds
		r.Peak, r.Share = over.peak/1e9, r.GFLOPS*1e9/over.peak
		for len(r.Size) > 0 && r.Size[len(r.Size)-1] == 0 {
			r.Size = r.Size[:len(r.Size)-1]
		}
	}
	return list, nil
}

func (r roofReport) like(o roofReport) bool { return o.Op == r.Op && slices.Equal(o.Size, r.Size) }

// passesOf is the program of a shard of a row's batch, and how many shards are a core's.
func (b *Bench) passesOf(row benchRow) (p *program.Program, each int, err error) {
	cfg, err := b.rowConfig(row, hyper.Live)
	if err != nil {
		return nil, 0, err
	}
	spec, err := cfg.Network()
	if err != nil {
		return nil, 0, err
	}
	rows := cfg.UnrollLen * cfg.Share()
	parts, err := program.Deal(func(t, b int) (*program.Program, error) { return graph.Lower(spec.Flat(), t, b, false) },
		spec.LSTM > 0, cfg.UnrollLen, cfg.Share(), program.Shards(rows))
	if err != nil {
		return nil, 0, err
	}
	return parts[0].Program, max(1, len(parts)/b.Cores), nil
}

// pass runs the steps of a program on some shards, there and then back as a run does, for a while. It gives the seconds
// that each step takes, and behind them those of peakRounds of multiply-adds: medians, which know nothing of the times
// when the core was another's.
func (b *Bench) pass(ctx context.Context, p *program.Program, steps []program.Step, shards int) []float64 {
	calls, took := make([]program.Calls, shards), make([][]time.Duration, len(steps)+1)
	chance := rand.New(rand.NewPCG(1, 1))
	for i := range calls {
		arena := make([]float32, p.Size())
		for at := range arena { // small numbers, so that nothing grows without bound
			arena[at] = (chance.Float32() - 0.5) / 64
		}
		calls[i] = program.Bind(steps, arena)
	}
	length, began := time.Duration(b.Seconds*float64(time.Second)), time.Now()
	for round := 0; round < 2 || time.Since(began) < length && ctx.Err() == nil; round++ {
		for _, part := range [][2]int{{0, len(p.Forward)}, {len(p.Forward), len(steps)}} {
			for _, of := range calls {
				for i := part[0]; i < part[1]; i++ {
					from := time.Now()
					of[i : i+1].Run()
					if t := time.Since(from); round > 0 { // the first finds nothing in the caches
						took[i] = append(took[i], t)
					}
				}
			}
		}
		from := time.Now()
		kernel.Auto.FMALoop(peakRounds)
		took[len(steps)] = append(took[len(steps)], time.Since(from))
	}
	each := make([]float64, len(took))
	for i, t := range took {
		slices.Sort(t)
		each[i] = t[len(t)/2].Seconds()
	}
	return each
}
