package algo

import (
	"math"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Pixel control a second time: plain float64 sums over a batch, with the network run by hand along each trajectory.

// pictures fills a batch with what another policy played, without and with time limits, and weights of replay.
func pictures(m *Machine, cfg *hyper.Config, r *envs.Rand) *traj.Batch {
	b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
	b.Begin()
	for i := range b.B {
		u := traj.NewUnroll(b.T, b.Shape)
		u.Begin(0)
		for j := range u.Obs {
			u.Obs[j] = float32(r.Norm())
		}
		for j := range u.State {
			u.State[j] = float32(math.Tanh(r.Norm()))
		}
		for t := range u.T {
			u.Action[t] = int32(r.IntN(b.Actions))
			for a := range b.Actions {
				u.Mu[t*b.Actions+a] = float32(-math.Log(float64(b.Actions)))
			}
			switch r.IntN(7) {
			case 0:
				u.End[t] = uint8(envs.Terminated)
			case 1:
				u.End[t] = uint8(envs.Truncated)
				for j := range u.Cut(t) {
					u.Cuts[len(u.Cuts)-1].Obs[j] = float32(r.Norm())
				}
			}
		}
		b.SetColumn(i, u, i%2 == 0)
		b.Weigh(i, float32(0.5+r.Float64()))
	}
	return b
}

// heads64 returns the columns of pixel control of a batch's rows and of its Tail.
func heads64(m *Machine, b *traj.Batch) (rows, tail [][]float64) {
	forward := net.NewForward(m.Spec.Flat(), 1)
	actions := m.Spec.Actions
	look := func(obs, state []float32) []float64 {
		wide, _ := forward.Run(m.Theta, obs[:b.Size], state, 1)
		return widened(wide[actions:])
	}
	rows, tail = make([][]float64, b.T*b.B), make([][]float64, b.B+len(b.Cuts))
	for k := range b.B {
		state := slices.Clone(b.State[k*b.States:][:b.States])
		for step := range b.T {
			i := step*b.B + k
			if b.Keep[i] == 0 {
				clear(state)
			}
			rows[i] = look(b.Obs[i*b.Size:], state)
			if cut := slices.Index(b.Cuts, i); cut >= 0 {
				tail[b.B+cut] = look(b.Tail[(b.B+cut)*b.Size:], slices.Clone(state))
			}
		}
		tail[k] = look(b.Tail[k*b.Size:], state)
	}
	return rows, tail
}

func duel64(cell []float64, a int) float64 {
	q := cell[0] + cell[1+a]
	for _, other := range cell[1:] {
		q -= other / float64(len(cell)-1)
	}
	return q
}

// returns64 returns R of every row and cell: changes of the cell, discounted by 0.9, to the end of the episode. At the
// end of the unroll or at a time limit, max_a Q continues the sum.
func returns64(m *Machine, b *traj.Batch, tail [][]float64) [][]float64 {
	h, w, c, side := m.Spec.Image[0], m.Spec.Image[1], m.Spec.Image[2], m.Spec.CellSide
	wide := 1 + m.Spec.Actions
	change := func(before, after []float32, cell int) (sum float64) {
		for y := range side {
			for x := range side {
				for k := range c {
					row, column := h%side/2+cell/(w/side)*side+y, w%side/2+cell%(w/side)*side+x
					i := (row*w+column)*c + k
					sum += math.Abs(float64(after[i]) - float64(before[i]))
				}
			}
		}
		return sum / float64(side*side*c)
	}
	best := func(at, cell int) float64 {
		high := math.Inf(-1)
		for a := range m.Spec.Actions {
			high = max(high, duel64(tail[at][cell*wide:(cell+1)*wide], a))
		}
		return high
	}
	all := make([][]float64, b.T*b.B)
	for i := range all {
		for cell := range (h / side) * (w / side) {
			sum, gamma := 0.0, 1.0
			for row := i; ; row += b.B {
				before := b.Obs[row*b.Size:]
				end, last := envs.End(b.End[row]), row+b.B >= len(all)
				if end == envs.Terminated {
					break
				}
				at, after := row%b.B, b.Tail[row%b.B*b.Size:]
				if end == envs.Truncated {
					at = b.B + slices.Index(b.Cuts, row)
					after = b.Tail[at*b.Size:]
				} else if !last {
					after = b.Obs[(row+b.B)*b.Size:]
				}
				sum += gamma * change(before, after, cell)
				gamma *= 0.9
				if last || end == envs.Truncated {
					sum += gamma * best(at, cell)
					break
				}
			}
			all[i] = append(all[i], sum)
		}
	}
	return all
}

// alone are settings that leave the gradient to pixel control.
const alone = "world=catch hidden=6 policy-cost=0 value-cost=0 entropy=0 kl=off clip=inf pixel-control=0.3 " +
	"pixel-cell=2 "

// Rows whose returns end inside the unroll, at its end and at a time limit, under every algorithm that has the head.
func TestPixelControlIsTheDerivativeOfItsPrintedLoss(t *testing.T) {
	worst := 0.0
	for _, settings := range []string{
		"", "pixel-cell=3 unroll=1", "batch=37 unroll=20", "algo=laser", "algo=a2c lag=0", "algo=vmpo", "popart=on",
		"lstm=4", "lstm=4 batch=37 unroll=20", "algo=vmpo lstm=4 popart=on", "lstm=0 trxl=4 core-heads=2 feedback=on",
		"reduce=sum", "torsos=separate head-hidden=5", "torso=shallow", "pixel-cell=5 feedback=on",
	} {
		cfg, m, a := learning(t, alone+settings)
		r := envs.NewRand(44, 0)
		var out telemetry.Update
		for now := range uint64(2) { // the second, because memory is used again
			b := pictures(m, cfg, &r)
			rows, tail := heads64(m, b)
			want := returns64(m, b, tail)
			out = telemetry.Update{}
			if err := a.Update(b, cfg, 1e-3, now, &out); err != nil {
				t.Fatal(err)
			}
			c, total := &m.control, 0.0
			scale := cfg.PixelControl
			if cfg.Reduce == hyper.Mean {
				scale /= float64(b.T * b.B)
			}
			wide := 1 + m.Spec.Actions
			for i, head := range rows {
				got := c.dWide[i*c.width+c.actions : (i+1)*c.width]
				taken := int(b.Action[i])
				for k, r := range want[i] {
					cell := head[k*wide : (k+1)*wide]
					gap := duel64(cell, taken) - r
					total += float64(b.Weight[i]) * gap * gap
					for j := range cell { // ∂Q(a)/∂V = 1, ∂Q(a)/∂A(j) = 1[j = a] − 1/|A|
						slope := 1.0
						if j > 0 {
							slope = -1 / float64(len(cell)-1)
						}
						if j == 1+taken {
							slope++
						}
						d := 2 * scale * float64(b.Weight[i]) * gap * slope
						far := math.Abs(float64(got[k*wide+j])-d) / (scale + math.Abs(d))
						worst = max(worst, far)
						if !(far < 2e-5) {
							t.Fatalf("%q: update %d, row %d, cell %d, column %d: %v, want %v", settings, now, i, k, j,
								got[k*wide+j], d)
						}
					}
				}
			}
			told := math.NaN()
			for _, trace := range out.AlgoValues.List() {
				if trace.Of == telemetry.ControlError {
					told = float64(trace.Value)
				}
			}
			if rms := math.Sqrt(total / float64(len(rows)*len(want[0]))); !(math.Abs(told-rms) < 1e-4*rms) {
				t.Errorf("%q: an error of %v is told, %v is there", settings, told, rms)
			}
		}
	}
	t.Logf("the largest deviation is %.1g", worst)
}

func TestPixelControlAllocatesNothing(t *testing.T) {
	for _, settings := range []string{"", "lstm=4", "algo=vmpo"} {
		cfg, m, a := learning(t, alone+settings)
		r := envs.NewRand(47, 0)
		b := pictures(m, cfg, &r)
		var out telemetry.Update
		update := func() {
			out = telemetry.Update{}
			if err := a.Update(b, cfg, 1e-3, 0, &out); err != nil {
				t.Fatal(err)
			}
		}
		update()
		if n := testing.AllocsPerRun(50, update); n != 0 {
			t.Errorf("%q: %v allocations an update", settings, n)
		}
	}
}

// dense64 is a network of dense layers in float64: all columns of its last layer.
func dense64(spec *net.Spec, theta, x []float64) []float64 {
	layers, outs := spec.Layers(), [][]float64{}
	for _, l := range layers {
		var y []float64
		switch l.Kind {
		case net.Join:
			for _, from := range l.From {
				y = append(y, outs[from]...)
			}
		case net.Dense:
			in := x
			if l.From[0] >= 0 {
				in = outs[l.From[0]]
			}
			for o := range l.Out {
				sum := theta[l.B+o]
				for j, v := range in {
					sum += v * theta[l.W+j*l.Out+o]
				}
				if l.Act == kernel.Tanh {
					sum = math.Tanh(sum)
				}
				y = append(y, sum)
			}
		}
		outs = append(outs, y)
	}
	return outs[len(outs)-1]
}

func TestPixelControlIsTheGradientThroughTheNetwork(t *testing.T) {
	for _, settings := range []string{"", "algo=vmpo", "head-hidden=4", "popart=on"} {
		cfg, m, a := learning(t, alone+"hidden=4 unroll=3 batch=3 pixel-cell=5 "+settings)
		r := envs.NewRand(45, 0)
		b := pictures(m, cfg, &r)
		_, tail := heads64(m, b)
		want := returns64(m, b, tail)
		theta, wide := widened(m.Theta), 1+m.Spec.Actions
		if err := a.Update(b, cfg, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		agree(t, settings, m.grad, theta, func(theta []float64) (sum float64) {
			for i := range want {
				head := dense64(&m.Spec, theta, widened(b.Obs[i*b.Size:(i+1)*b.Size]))[m.Spec.Actions:]
				for k, r := range want[i] {
					gap := duel64(head[k*wide:(k+1)*wide], int(b.Action[i])) - r
					sum += float64(b.Weight[i]) * gap * gap
				}
			}
			return cfg.PixelControl * sum / float64(len(want))
		})
	}
}

// All other layers have the gradients of the same network without the head, whose cost is next to nothing.
func TestPixelControlLeavesTheOtherLosses(t *testing.T) {
	for _, settings := range []string{"", "algo=vmpo", "lstm=4", "batch=37 unroll=20", "popart=on"} {
		const network = "world=catch hidden=6 head-hidden=5 head-scale=1 clip=inf "
		cfg, plain, a := learning(t, network+settings)
		with, m, b := learning(t, network+"pixel-control=1e-9 pixel-cell=2 "+settings)
		ours, theirs := m.Spec.Layers(), plain.Spec.Layers()
		named := func(name string) *net.Layer {
			return &ours[slices.IndexFunc(ours, func(l net.Layer) bool { return l.Name == name })]
		}
		for i := range theirs {
			copy(named(theirs[i].Name).Weights(m.Theta), theirs[i].Weights(plain.Theta))
			copy(named(theirs[i].Name).Bias(m.Theta), theirs[i].Bias(plain.Theta))
		}
		if v, ok := b.(*VMPO); ok {
			copy(v.target, m.Theta)
		}
		r, again := envs.NewRand(46, 0), envs.NewRand(46, 0)
		if err := a.Update(pictures(plain, cfg, &r), cfg, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		if err := b.Update(pictures(m, with, &again), with, 0, 0, nil); err != nil {
			t.Fatal(err)
		}
		moved := 0.0
		for i := range theirs {
			want, got := theirs[i].Weights(plain.grad), named(theirs[i].Name).Weights(m.grad)
			for k, g := range want {
				moved += math.Abs(float64(g))
				if math.Abs(float64(g-got[k])) > 1e-6*(1+math.Abs(float64(g))) {
					t.Fatalf("%q: %s has gradient %v at %d, without the head %v", settings, theirs[i].Name, got[k], k, g)
				}
			}
		}
		if moved < 0.01 {
			t.Errorf("%q: gradients of %v in all try nothing", settings, moved)
		}
	}
}
