package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/program"
)

// peakRounds take some five microseconds. The peak is measured between the operations, because a shared machine may be
// half as fast a minute later.
const peakRounds = 2000

// roofReport describes one operation of one row, or all of them, for each core while all compute.
type roofReport struct {
	Name    string  `json:"name"`
	Op      string  `json:"op"` // "all": all operations of the passes
	Size    []int   `json:"size"`
	Time    float64 `json:"of_passes"` // share of the passes' time
	GFLOPS  float64 `json:"gflops"`
	Share   float64 `json:"share_of_peak"`
	PerByte float64 `json:"flops_per_byte"`
	Peak    float64 `json:"peak_gflops"`
	Roof    float64 `json:"roof_gflops"` // of "all": with every product at its roof, and the rest as measured
	Bound   string  `json:"bound"`       // the limit that decides the roof
	OfOne   float64 `json:"of_one_core"` // multiply-adds of all cores at once, divided by one core's alone
}

// roofline prints what each operation of a network's passes reaches, and its limit: the multiply-adds of the machine,
// the columns of a product, its tanh, or the caches.
type roofline struct{ common }

// Run prints the roofs of the rows.
func (c *roofline) Run(ctx context.Context, out io.Writer) error {
	list, err := c.chosen()
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(c.Cores)
	over := measureRoof(c.Cores)
	if !c.JSON {
		fmt.Fprintf(out, "Each of %d cores, while all compute: vectors of %d numbers; a tanh takes %.2f ns; it reads",
			c.Cores, over.lanes, over.tanh*1e9)
		for i, size := range reads {
			fmt.Fprintf(out, " %.0f GB/s from %d kB,", over.reads[i]/1e9, size>>10)
		}
		fmt.Fprintf(out, " again and again.\nAll at once make %.2f times the multiply-adds of one core alone, and read",
			over.ofOne)
		for i, size := range reads {
			fmt.Fprintf(out, " %.2f times as much from %d kB,", over.readsOfOne[i], size>>10)
		}
		fmt.Fprintf(out, " each.\n%-9s %-12s %-24s %8s %8s %8s %9s %8s  %s\n", "NAME", "OPERATION", "SIZE",
			"OF TIME", "GFLOP/S", "OF PEAK", "FLOP/BYTE", "ROOF", "BOUND BY")
	}
	for _, r := range list {
		found, err := c.roofs(ctx, &r, over)
		if err != nil {
			return fmt.Errorf("row %s: %w", r.name, err)
		}
		if !c.JSON {
			fmt.Fprintf(out, "%s: the peak is %.0f GFLOP/s a core\n", r.name, found[0].Peak)
		}
		for _, f := range found {
			if c.JSON {
				if err := line(out, f); err != nil {
					return err
				}
			} else if f.Time >= 0.01 { // --json prints all
				fmt.Fprintf(out, "%-9s %-12s %-24s %7.1f%% %8.1f %7.0f%% %9.1f %8.1f  %s\n", f.Name, f.Op,
					strings.Trim(fmt.Sprint(f.Size), "[]"), 100*f.Time, f.GFLOPS, 100*f.Share, f.PerByte, f.Roof, f.Bound)
			}
		}
	}
	return nil
}

// roofs runs the passes of one row's network on every core, shard by shard as a run does, and times each operation. It
// joins operations of one kind and size.
func (c *roofline) roofs(ctx context.Context, of *row, over roof) ([]roofReport, error) {
	p, each, err := c.passesOf(of)
	if err != nil {
		return nil, err
	}
	steps := slices.Concat(p.Forward, p.Backward)
	took := make([][]float64, c.Cores)
	var all sync.WaitGroup
	for core := range c.Cores {
		all.Go(func() { took[core] = c.pass(ctx, p, steps, each) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	loop := 0.0
	for _, core := range took {
		loop += core[len(steps)] / float64(c.Cores)
	}
	over.peak = kernel.Auto.FMALoop(1) * peakRounds / loop
	var list []roofReport
	var seconds, atRoof, flops float64 // of a whole pass; atRoof is its time with every product at its roof
	for i := range steps {
		s, t := &steps[i], 0.0
		for _, core := range took {
			t += core[i] / float64(c.Cores)
		}
		at, bound := over.of(s)
		r := roofReport{Name: of.name, Op: s.Op.String(), Size: s.Size[:], Time: t, GFLOPS: s.FLOPs(),
			PerByte: s.FLOPs() / float64(touched(s)), Roof: at / 1e9, Bound: bound}
		seconds, flops = seconds+r.Time, flops+r.GFLOPS
		if at > 0 {
			t = r.GFLOPS / at
		}
		atRoof += t
		if k := slices.IndexFunc(list, r.like); k >= 0 { // another one of that kind and size
			list[k].Time += r.Time
			list[k].GFLOPS += r.GFLOPS
			continue
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(x, y roofReport) int { return cmp.Compare(y.Time, x.Time) })
	list = append(list, roofReport{Name: of.name, Op: "all", Size: []int{}, Time: seconds, GFLOPS: flops,
		Roof: flops / atRoof / 1e9, Bound: "all of these"})
	for i := range list {
		r := &list[i]
		r.GFLOPS /= r.Time * 1e9
		r.Time /= seconds
		r.Peak, r.Share, r.OfOne = over.peak/1e9, r.GFLOPS*1e9/over.peak, over.ofOne
		for len(r.Size) > 0 && r.Size[len(r.Size)-1] == 0 {
			r.Size = r.Size[:len(r.Size)-1]
		}
	}
	return list, nil
}

func (r roofReport) like(o roofReport) bool { return o.Op == r.Op && slices.Equal(o.Size, r.Size) }

// passesOf returns the program of a shard of a row's batch, and the number of shards of each core.
func (c *roofline) passesOf(of *row) (p *program.Program, each int, err error) {
	cfg, err := of.config(hyper.Live)
	if err != nil {
		return nil, 0, err
	}
	spec, err := cfg.Network()
	if err != nil {
		return nil, 0, err
	}
	t, b, recurrent := cfg.UnrollLen, cfg.Share(), spec.States() > 0
	parts, err := program.Deal(func(t, b int) (*program.Program, error) { return graph.Lower(spec.Flat(), t, b, false) },
		recurrent, t, b, program.Shards(recurrent, t, b))
	if err != nil {
		return nil, 0, err
	}
	return parts[0].Program, max(1, len(parts)/c.Cores), nil
}

// pass runs the steps of a program on some shards for a while, forward and then backward as a run does. It returns the
// median seconds of each step, followed by the seconds of peakRounds multiply-adds. A median ignores the moments when
// another program had the core.
func (c *roofline) pass(ctx context.Context, p *program.Program, steps []program.Step, shards int) []float64 {
	calls, took := make([]program.Calls, shards), make([][]time.Duration, len(steps)+1)
	chance := rand.New(rand.NewPCG(1, 1))
	for i := range calls {
		arena := make([]float32, p.Size())
		for at := range arena { // small numbers, so that none grows without bound
			arena[at] = (chance.Float32() - 0.5) / 64
		}
		calls[i] = program.Bind(steps, arena)
	}
	length, began := time.Duration(c.Seconds*float64(time.Second)), time.Now()
	for round := 0; round < 2 || time.Since(began) < length && ctx.Err() == nil; round++ {
		for _, part := range [][2]int{{0, len(p.Forward)}, {len(p.Forward), len(steps)}} {
			for _, shard := range calls {
				for i := part[0]; i < part[1]; i++ {
					from := time.Now()
					shard[i : i+1].Run()
					if t := time.Since(from); round > 0 { // in the first round the caches are cold
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
