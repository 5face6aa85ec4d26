package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
)

// Networks with every kind of layer, on unrolls: against a forward pass in float64 written out from the definitions.

const (
	unrollSteps = 3
	unrollRows  = 4
)

func flat(s net.Spec) net.Spec { return s.Flat() }

func layeredSpecs() map[string]net.Spec {
	board := net.Spec{Obs: 5 * 4 * 2, Image: [3]int{5, 4, 2}, Activation: kernel.Tanh, Actions: 3, HeadScale: 1}
	with := func(change func(s *net.Spec)) net.Spec {
		s := board
		change(&s)
		return s
	}
	return map[string]net.Spec{
		"shallow": with(func(s *net.Spec) { s.Torso, s.Hidden = net.Shallow, []int{6} }),
		"shallow, a picture": {Torso: net.Shallow, Obs: 20 * 24 * 1, Image: [3]int{20, 24, 1}, Activation: kernel.Tanh,
			Hidden: []int{5}, Actions: 2, HeadScale: 1},
		"deep":               with(func(s *net.Spec) { s.Torso, s.Hidden = net.Deep, []int{6} }),
		"feedback":           with(func(s *net.Spec) { s.Feedback, s.Hidden = 4, []int{6} }),
		"feedback to heads":  {Obs: 3, Feedback: 3, Activation: kernel.Tanh, Actions: 2, HeadScale: 1},
		"lstm":               with(func(s *net.Spec) { s.LSTM, s.Hidden = 5, []int{6} }),
		"lstm alone":         {Obs: 3, LSTM: 4, Actions: 2, HeadScale: 1},
		"separate":           with(func(s *net.Spec) { s.Separate, s.Hidden = true, []int{6} }),
		"values":             with(func(s *net.Spec) { s.Values, s.Hidden = 3, []int{6} }),
		"heads of their own": with(func(s *net.Spec) { s.Hidden, s.HeadHidden = []int{6}, []int{5, 4} }),
		"three heads, seen as one": flat(net.Spec{Obs: 3, Hidden: []int{6}, HeadHidden: []int{5}, Activation: kernel.Tanh,
			Actions: 3, Heads: 3, HeadScale: 1}),
		"separate, and values": with(func(s *net.Spec) {
			s.Hidden, s.HeadHidden, s.LSTM, s.Separate, s.Values = []int{6}, []int{5}, 4, true, 2
		}),
		"all of it": with(func(s *net.Spec) {
			s.Torso, s.Hidden, s.Feedback, s.LSTM, s.Separate, s.Values = net.Shallow, []int{7}, 4, 5, true, 2
		}),
	}
}

// unrolled is a network's parameters and an unroll with cotangents; the second trajectory's episode ends inside it.
type unrolled struct{ theta, input, state, keep, dLogits, dValues []float32 }

func newUnrolled(spec net.Spec, seed uint64) unrolled {
	random := rand.New(rand.NewPCG(seed, 1))
	rows := unrollSteps * unrollRows
	u := unrolled{theta: make([]float32, spec.Params()), keep: slices.Repeat([]float32{1}, rows)}
	spec.Init(u.theta, seed)
	for _, l := range spec.Layers() {
		fill(random, l.Bias(u.theta), 0.3)
	}
	u.keep[unrollRows+1], u.keep[2*unrollRows+3] = 0, 0
	u.input = fill(random, make([]float32, rows*spec.Inputs()), 1)
	u.state = fill(random, make([]float32, unrollRows*spec.States()), 0.7)
	u.dLogits = fill(random, make([]float32, rows*spec.Actions), 1)
	u.dValues = fill(random, make([]float32, rows*max(1, spec.Values)), 1)
	return u
}

func eachLayered(t *testing.T, test func(t *testing.T, spec net.Spec, u unrolled, p *program.Host)) {
	for name, spec := range layeredSpecs() {
		t.Run(name, func(t *testing.T) {
			test(t, spec, newUnrolled(spec, 3), mustHost(t, spec, unrollSteps, unrollRows))
		})
	}
}

// objective64 is ⟨dLogits, logits⟩ + ⟨dValues, values⟩ in float64.
func (u *unrolled) objective64(spec net.Spec, theta []float64) float64 {
	total := 0.0
	values := max(1, spec.Values)
	state := widen(u.state)
	for r := range unrollSteps * unrollRows {
		b := r % unrollRows
		mine := state[b*spec.States() : (b+1)*spec.States()]
		if u.keep[r] == 0 {
			clear(mine)
		}
		heads := heads64(spec, theta, widen(u.input[r*spec.Inputs():(r+1)*spec.Inputs()]), mine)
		for a := range spec.Actions {
			total += float64(u.dLogits[r*spec.Actions+a]) * heads[a]
		}
		for v := range values {
			total += float64(u.dValues[r*values+v]) * heads[spec.Actions+v]
		}
	}
	return total
}

func widen(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// heads64 takes one row through every layer; the state moves on.
func heads64(spec net.Spec, theta, input, state []float64) []float64 {
	layers := spec.Layers()
	outs := make([][]float64, len(layers))
	read := func(from int) []float64 {
		switch from {
		case net.Observation:
			return input[:spec.Obs]
		case net.Feedback:
			return input[spec.Obs:]
		}
		return outs[from]
	}
	for i := range layers {
		l := &layers[i]
		rows, cols, bias := l.Shape()
		w, b := theta[l.W:l.W+rows*cols], theta[l.B:l.B+bias]
		x := read(l.From[0])
		var y []float64
		switch l.Kind {
		case net.Dense:
			y = slices.Clone(b)
			for k, v := range x {
				for j := range y {
					y[j] += v * w[k*cols+j]
				}
			}
		case net.Conv:
			y = conv64(l.Filter, x, w, b)
		case net.Pool:
			y = pool64(l.Window, x)
		case net.Activate:
			y = slices.Clone(x)
		case net.Add:
			y = slices.Clone(x)
			for j, v := range read(l.From[1]) {
				y[j] += v
			}
		case net.Join:
			y = slices.Clone(x)
			for _, from := range l.From[1:] {
				y = append(y, read(from)...)
			}
		case net.LSTM:
			y = lstm64(x, w, state[l.State:l.State+2*l.Out])
		}
		for j := range y {
			switch l.Act {
			case kernel.Tanh:
				y[j] = math.Tanh(y[j])
			case kernel.ReLU:
				y[j] = max(0, y[j])
			}
		}
		outs[i] = y
	}
	return outs[len(layers)-1]
}

func conv64(g kernel.Conv, x, w, b []float64) (y []float64) {
	for oy := range g.OutH() {
		for ox := range g.OutW() {
			for o := range g.Out {
				sum := b[o]
				for ky := range g.Size {
					for kx := range g.Size {
						iy, ix := oy*g.Stride+ky-g.Pad, ox*g.Stride+kx-g.Pad
						if iy < 0 || iy >= g.H || ix < 0 || ix >= g.W {
							continue
						}
						for i := range g.In {
							sum += x[(iy*g.W+ix)*g.In+i] * w[((ky*g.Size+kx)*g.In+i)*g.Out+o]
						}
					}
				}
				y = append(y, sum)
			}
		}
	}
	return y
}

func pool64(g kernel.Pool, x []float64) (y []float64) {
	for oy := range g.OutH() {
		for ox := range g.OutW() {
			for c := range g.C {
				top := math.Inf(-1)
				for iy := max(0, oy*g.Stride-g.Pad); iy < min(g.H, oy*g.Stride-g.Pad+g.Size); iy++ {
					for ix := max(0, ox*g.Stride-g.Pad); ix < min(g.W, ox*g.Stride-g.Pad+g.Size); ix++ {
						top = max(top, x[(iy*g.W+ix)*g.C+c])
					}
				}
				y = append(y, top)
			}
		}
	}
	return y
}

func lstm64(z, w, state []float64) []float64 {
	n := len(state) / 2
	h, c := state[:n], state[n:]
	gates := slices.Clone(z)
	for k, v := range h {
		for j := range gates {
			gates[j] += v * w[k*4*n+j]
		}
	}
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for j := range n {
		c[j] = sigmoid(gates[n+j])*c[j] + sigmoid(gates[j])*math.Tanh(gates[2*n+j])
		h[j] = sigmoid(gates[3*n+j]) * math.Tanh(c[j])
	}
	return slices.Clone(h)
}

func TestEveryLayerIsTheActorsForwardBitForBit(t *testing.T) {
	eachLayered(t, func(t *testing.T, spec net.Spec, u unrolled, p *program.Host) {
		logits, _ := p.Forward(u.theta, u.input, u.state, u.keep)
		want := make([]float32, len(logits))
		net.NewForward(spec, unrollRows).Through(want, u.theta, u.input, u.state, u.keep, unrollSteps, unrollRows)
		if !slices.Equal(logits, want) {
			t.Errorf("logits differ:\n%v\n%v", logits, want)
		}
	})
}

func TestEveryLayersGradientAndTangentAreFiniteDifferences(t *testing.T) {
	eachLayered(t, func(t *testing.T, spec net.Spec, u unrolled, p *program.Host) {
		grad := make([]float32, len(u.theta))
		p.Forward(u.theta, u.input, u.state, u.keep)
		p.Backward(grad, u.dLogits, u.dValues)
		along := fill(rand.New(rand.NewPCG(8, 8)), make([]float32, len(u.theta)), 1)
		tLogits, tValues := p.Tangent(along)
		for name, got := range map[string]float64{"Jᵀ": dot(grad, along), "J": dot(tLogits, u.dLogits) + dot(tValues,
			u.dValues)} {
			theta, best := widen(u.theta), math.Inf(1)
			want := 0.0
			for _, h := range []float64{1e-5, 1e-6, 1e-7} { // a kink within the step spoils one of them
				at := func(s float64) float64 {
					moved := slices.Clone(theta)
					for i := range moved {
						moved[i] += s * float64(along[i])
					}
					return u.objective64(spec, moved)
				}
				d := (at(h) - at(-h)) / (2 * h)
				if e := math.Abs(got-d) / math.Max(1, math.Abs(d)); e < best {
					best, want = e, d
				}
			}
			if best > 1e-4 {
				t.Errorf("%s gives %g along a direction, the finite difference is %g", name, got, want)
			}
		}
	})
}

func TestEveryParameterHasItsGradient(t *testing.T) {
	eachLayered(t, func(t *testing.T, spec net.Spec, u unrolled, p *program.Host) {
		grad := make([]float32, len(u.theta))
		p.Forward(u.theta, u.input, u.state, u.keep)
		p.Backward(grad, u.dLogits, u.dValues)
		for _, l := range spec.Layers() {
			if rows, cols, _ := l.Shape(); rows*cols == 0 {
				continue
			}
			for i := l.W; i < l.B; i += max(1, (l.B-l.W)/5) {
				best, want := math.Inf(1), 0.0
				for _, h := range []float64{1e-4, 1e-6} {
					theta := widen(u.theta)
					theta[i] += h
					up := u.objective64(spec, theta)
					theta[i] -= 2 * h
					d := (up - u.objective64(spec, theta)) / (2 * h)
					if e := math.Abs(float64(grad[i])-d) / math.Max(1e-2, math.Abs(d)); e < best {
						best, want = e, d
					}
				}
				if best > 1e-3 {
					t.Errorf("%s, weight %d: %g, the finite difference is %g", l.Name, i-l.W, grad[i], want)
				}
			}
		}
	})
}

// STAC takes the tangent where it has gone back to, and the last Backward was elsewhere.
func TestTheTangentKnowsTheLastForwardAlone(t *testing.T) {
	eachLayered(t, func(t *testing.T, spec net.Spec, u unrolled, p *program.Host) {
		p.Forward(u.theta, u.input, u.state, u.keep)
		logits, values := p.Tangent(u.theta)
		want := slices.Concat(logits, values)

		elsewhere := slices.Clone(u.theta)
		for i := range elsewhere {
			elsewhere[i] *= 0.5
		}
		p.Forward(elsewhere, u.input, u.state, u.keep)
		p.Backward(make([]float32, len(u.theta)), u.dLogits, u.dValues)
		p.Forward(u.theta, u.input, u.state, u.keep)
		if logits, values = p.Tangent(u.theta); !slices.Equal(slices.Concat(logits, values), want) {
			t.Error("it is another after a Backward elsewhere")
		}
	})
}

func TestShardsOfTrajectoriesComputeWhatOnePlanDoes(t *testing.T) {
	eachLayered(t, func(t *testing.T, spec net.Spec, u unrolled, p *program.Host) {
		for _, shards := range []int{1, 3} {
			lower := func(t, b int) (*program.Program, error) { return Lower(spec, t, b, true) }
			s, err := program.NewSharded(kernel.Auto, lower,
				spec.LSTM > 0, unrollSteps, unrollRows, shards)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Close)
			wantLogits, wantValues := p.Forward(u.theta, u.input, u.state, u.keep)
			logits, values := s.Forward(u.theta, u.input, u.state, u.keep)
			if !slices.Equal(logits, wantLogits) || !slices.Equal(values, wantValues) {
				t.Fatalf("%d shards give other outputs", shards)
			}
			want, got := make([]float32, len(u.theta)), make([]float32, len(u.theta))
			p.Backward(want, u.dLogits, u.dValues)
			s.Backward(got, u.dLogits, u.dValues)
			for i := range want {
				if d := math.Abs(float64(got[i] - want[i])); d > 1e-4*math.Max(1, math.Abs(float64(want[i]))) {
					t.Fatalf("%d shards: gradient %d is %g, not %g", shards, i, got[i], want[i])
				}
			}
			after, wantAfter := make([]float32, spec.States()), make([]float32, spec.States())
			for row := range unrollSteps * unrollRows {
				s.StateAfter(row, after)
				p.StateAfter(row, wantAfter)
				if !slices.Equal(after, wantAfter) {
					t.Fatalf("%d shards: another state after row %d", shards, row)
				}
			}
			wantLogits, _ = p.Tangent(u.theta)
			if logits, _ = s.Tangent(u.theta); !slices.Equal(logits, wantLogits) {
				t.Fatalf("%d shards give other tangents", shards)
			}
		}
	})
}

func TestTheStateAfterAnUnrollIsTheActors(t *testing.T) {
	eachLayered(t, func(t *testing.T, spec net.Spec, u unrolled, p *program.Host) {
		if spec.LSTM == 0 {
			t.Skip("it has none")
		}
		p.Forward(u.theta, u.input, u.state, u.keep)
		f, state := net.NewForward(spec, unrollRows), slices.Clone(u.state)
		got := make([]float32, spec.States())
		for step := range unrollSteps {
			for b := range unrollRows {
				if u.keep[step*unrollRows+b] == 0 {
					clear(state[b*spec.States() : (b+1)*spec.States()])
				}
			}
			f.Run(u.theta, u.input[step*unrollRows*spec.Inputs():], state, unrollRows)
			for b := range unrollRows {
				p.StateAfter(step*unrollRows+b, got)
				if want := state[b*spec.States() : (b+1)*spec.States()]; !slices.Equal(got, want) {
					t.Fatalf("step %d, trajectory %d: %v, the actor has %v", step, b, got, want)
				}
			}
		}
	})
}
