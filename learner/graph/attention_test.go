package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
)

// lookers are networks with a Transformer-XL core, or an LSTM of two layers. Some sizes fill no tile.
var lookers = map[string]net.Spec{
	"two layers": {Obs: 3, Actions: 2, TrXL: 4, CoreLayers: 2, CoreHeads: 2, CoreMemory: 3, HeadScale: 1},
	"one head": {Obs: 3, Hidden: []int{5}, Activation: kernel.Tanh, Actions: 2, Feedback: 2, TrXL: 3, CoreHeads: 1,
		CoreMemory: 9, HeadScale: 1},
	"apart":      {Obs: 2, Actions: 2, TrXL: 6, CoreHeads: 3, CoreMemory: 1, Separate: true, HeadScale: 1},
	"two LSTMs":  {Obs: 3, Actions: 2, LSTM: 4, CoreLayers: 2, HeadScale: 1},
	"wide":       {Obs: 20, Actions: 3, TrXL: 40, CoreHeads: 4, CoreMemory: 33, HeadScale: 1},
	"long ago":   {Obs: 3, Actions: 2, TrXL: 16, CoreHeads: 2, CoreMemory: 70, HeadScale: 1},
	"many heads": {Obs: 3, Actions: 2, TrXL: 24, CoreHeads: 8, CoreLayers: 3, CoreMemory: 5, HeadScale: 1},
}

// remembering is an unroll of a network with a memory. Episodes begin at its start, inside it, twice in a row and at
// its last step.
type remembering struct {
	spec                      net.Spec
	steps, rows               int
	theta, input, state, keep []float32
	dLogits, dValues          []float32
}

func newRemembering(spec net.Spec, seed uint64) *remembering {
	r := &remembering{spec: spec, steps: 7, rows: 3}
	random := rand.New(rand.NewPCG(seed, 0))
	noise := func(n int) []float32 { return fill(random, make([]float32, n), 1) }
	all := r.steps * r.rows
	r.theta, r.input = make([]float32, spec.Params()), noise(all*spec.Inputs())
	spec.Init(r.theta, seed)
	for i, v := range noise(len(r.theta)) {
		r.theta[i] += 0.2 * v
	}
	r.dLogits, r.dValues = noise(all*spec.Actions), noise(all)
	r.keep = slices.Repeat([]float32{1}, all)
	for _, at := range [][2]int{{0, 1}, {2, 0}, {3, 0}, {4, 2}, {6, 1}} {
		r.keep[at[0]*r.rows+at[1]] = 0
	}
	// States that play has left: full, half full and empty ones.
	r.state = make([]float32, r.rows*spec.States())
	forward, n := net.NewForward(spec, 1), spec.States()
	for b := range r.rows {
		for range b * (spec.CoreMemory + 1) / 2 {
			forward.Run(r.theta, noise(spec.Inputs()), r.state[b*n:(b+1)*n], 1)
		}
	}
	return r
}

func (r *remembering) host(t *testing.T) *program.Host {
	t.Helper()
	p, err := Lower(r.spec, r.steps, r.rows, false)
	if err != nil {
		t.Fatal(err)
	}
	return program.NewHost(kernel.Auto, p)
}

// The learner's whole unroll, and an actor that takes it step by step: the same outputs and the same memories.
func TestWhatLooksBackIsTheActorsForwardBitForBit(t *testing.T) {
	for _, level := range append(kernel.Vectors(), "go") {
		t.Run(level, func(t *testing.T) {
			defer kernel.Use(level)()
			for name, spec := range lookers {
				sameAsTheActor(t, name, spec)
			}
		})
	}
}

func sameAsTheActor(t *testing.T, name string, spec net.Spec) {
	t.Helper()
	r := newRemembering(spec, 3)
	h := r.host(t)
	logits, values := h.Forward(r.theta, r.input, r.state, r.keep)
	f, states, in := net.NewForward(spec, r.rows), slices.Clone(r.state), spec.Inputs()
	left := make([]float32, spec.States())
	for step := range r.steps {
		for b := range r.rows {
			if r.keep[step*r.rows+b] == 0 {
				clear(states[b*len(left) : (b+1)*len(left)])
			}
		}
		at := step * r.rows
		wantLogits, wantValues := f.Run(r.theta, r.input[at*in:], states, r.rows)
		if !slices.Equal(logits[at*spec.Actions:(at+r.rows)*spec.Actions], wantLogits) ||
			!slices.Equal(values[at:at+r.rows], wantValues) {
			t.Errorf("%s: step %d: %v and %v, the actor has %v and %v", name, step,
				logits[at*spec.Actions:(at+r.rows)*spec.Actions], values[at:at+r.rows], wantLogits, wantValues)
			return
		}
		for b := range r.rows {
			h.StateAfter(at+b, left)
			if !slices.Equal(left, states[b*len(left):(b+1)*len(left)]) {
				t.Errorf("%s: after step %d trajectory %d remembers %v, the actor's %v", name, step, b, left,
					states[b*len(left):(b+1)*len(left)])
			}
		}
	}
}

// The network as Dai et al. (2019) and Parisotto et al. (2019) print it, one number at a time: against the program's
// outputs, and its differences against the program's gradient.
func TestTheGatedTransformerIsItsDefinition(t *testing.T) {
	for _, name := range []string{"two layers", "one head"} {
		r := newRemembering(lookers[name], 5)
		h, theta := r.host(t), make([]float64, len(r.theta))
		for i, v := range r.theta {
			theta[i] = float64(v)
		}
		logits, values := h.Forward(r.theta, r.input, r.state, r.keep)
		wantLogits, wantValues := r.plain(theta)
		for i, want := range slices.Concat(wantLogits, wantValues) {
			if got := float64(slices.Concat(logits, values)[i]); !(math.Abs(got-want) <= 1e-5*(1+math.Abs(want))) {
				t.Fatalf("%s: output %d is %g, the definition says %g", name, i, got, want)
			}
		}
		loss := func() (sum float64) {
			logits, values := r.plain(theta)
			for i, v := range logits {
				sum += v * float64(r.dLogits[i])
			}
			for i, v := range values {
				sum += v * float64(r.dValues[i])
			}
			return sum
		}
		grad := make([]float32, len(theta))
		h.Backward(grad, r.dLogits, r.dValues)
		const eps = 1e-5
		worst := 0.0
		for i, at := range theta {
			theta[i] = at + eps
			up := loss()
			theta[i] = at - eps
			want := (up - loss()) / (2 * eps)
			theta[i] = at
			far := math.Abs(float64(grad[i])-want) / (1 + math.Abs(want))
			worst = max(worst, far)
			if !(far <= 1e-4) {
				t.Errorf("%s: ∂L/∂θ[%d] = %g, the difference says %g", name, i, grad[i], want)
			}
		}
		t.Logf("%s: the largest relative deviation of %d derivatives is %.2g", name, len(theta), worst)
	}
}

// plain is the logits and values of the whole unroll.
func (r *remembering) plain(theta []float64) (logits, values []float64) {
	s, layers := r.spec, map[string]net.Layer{}
	for _, l := range r.spec.Layers() {
		layers[l.Name] = l
	}
	weights := func(name string) []float64 {
		l := layers[name]
		rows, cols, _ := l.Shape()
		return theta[l.W : l.W+rows*cols]
	}
	linear := func(name string, x []float64) []float64 {
		l := layers[name]
		w, y := weights(name), slices.Clone(theta[l.B:l.B+l.Out])
		for i, v := range x {
			for j := range y {
				y[j] += v * w[i*l.Out+j]
			}
		}
		return y
	}
	each := func(x []float64, f func(float64) float64) []float64 {
		y := slices.Clone(x)
		for i, v := range y {
			y[i] = f(v)
		}
		return y
	}
	relu := func(x []float64) []float64 { return each(x, func(v float64) float64 { return max(0, v) }) }
	sigma := func(x []float64) []float64 {
		return each(x, func(v float64) float64 { return 1 / (1 + math.Exp(-v)) })
	}
	gate := func(name string, x, y []float64) []float64 {
		both := slices.Concat(y, x)
		reset, open := sigma(linear(name+".reset", both)), sigma(linear(name+".open", both))
		past := slices.Clone(x)
		for i := range past {
			past[i] *= reset[i]
		}
		next := each(linear(name+".next", slices.Concat(y, past)), math.Tanh)
		out := slices.Clone(x)
		for i := range out {
			out[i] = (1-open[i])*x[i] + open[i]*next[i]
		}
		return out
	}
	d, heads := s.TrXL, s.CoreHeads
	size := d / heads
	for range r.steps * r.rows {
		logits, values = append(logits, make([]float64, s.Actions)...), append(values, 0)
	}
	for b := range r.rows {
		seen := make([][][]float64, max(1, s.CoreLayers)) // of each layer, n of every step so far
		for layer := range seen {
			state := r.state[b*s.States()+layer*(1+s.CoreMemory*d):]
			for k := s.CoreMemory - int(state[0]); k < s.CoreMemory; k++ {
				n := make([]float64, d)
				for j := range n {
					n[j] = float64(state[1+k*d+j])
				}
				seen[layer] = append(seen[layer], n)
			}
		}
		for t := range r.steps {
			row := t*r.rows + b
			input := make([]float64, s.Inputs())
			for i := range input {
				input[i] = float64(r.input[row*s.Inputs()+i])
			}
			x := input[:s.Obs]
			for i := range s.Hidden {
				x = each(linear("torso"+string(rune('0'+i)), x), math.Tanh)
			}
			x = linear("embed", slices.Concat(x, input[s.Obs:]))
			for layer := range seen {
				if r.keep[row] == 0 {
					seen[layer] = nil
				}
				name := "layer" + string(rune('0'+layer)) + "."
				n := normal(x)
				seen[layer] = append(seen[layer], n)
				window := seen[layer][max(0, len(seen[layer])-s.CoreMemory-1):]
				w, query := weights(name+"attend"), linear(name+"query", n) // q + u
				y := make([]float64, d)
				for h := range heads {
					from := h * size
					project := func(of int, n []float64, i int) (sum float64) {
						for j, v := range n {
							sum += v * w[of*d*d+(from+i)*d+j]
						}
						return sum
					}
					scores, total := make([]float64, len(window)), 0.0
					for k, past := range window {
						for i := range size {
							far := project(1, position(len(window)-1-k, d), i)
							scores[k] += query[from+i]*project(0, past, i) + (query[from+i]+w[3*d*d+from+i])*far
						}
						scores[k] = math.Exp(scores[k] / math.Sqrt(float64(size)))
						total += scores[k]
					}
					for k, past := range window {
						for i := range size {
							for j, v := range past {
								y[from+i] += scores[k] / total * v * w[2*d*d+h*d*size+j*size+i]
							}
						}
					}
				}
				x = gate(name+"gate", x, relu(linear(name+"out", y)))
				x = gate(name+"gate1", x, relu(linear(name+"narrow", relu(linear(name+"wide", normal(x))))))
			}
			heads := linear("heads", x)
			copy(logits[row*s.Actions:], heads[:s.Actions])
			values[row] = heads[s.Actions]
		}
	}
	return logits, values
}

func normal(x []float64) []float64 {
	mean, square, y := 0.0, 0.0, slices.Clone(x)
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	for i, v := range x {
		y[i] = (v - mean) / math.Sqrt(square+1e-5)
	}
	return y
}

// position is the encoding of a distance: sines of falling frequencies, then cosines.
func position(distance, d int) (r []float64) {
	half := (d + 1) / 2
	for j := range d {
		angle := float64(distance) * math.Pow(1e4, -float64(j%half)/float64(half))
		if j < half {
			r = append(r, math.Sin(angle))
		} else {
			r = append(r, math.Cos(angle))
		}
	}
	return r
}

// What happened before an episode began, and more than CoreMemory steps ago, changes nothing.
func TestNothingOutsideTheWindowIsSeen(t *testing.T) {
	spec := lookers["two layers"]
	spec.CoreLayers = 1 // layers above see further, through the layers below
	r := newRemembering(spec, 7)
	h := r.host(t)
	logits, _ := h.Forward(r.theta, r.input, r.state, r.keep)
	before := slices.Clone(logits)
	for b := range r.rows { // step 1, of whichever trajectory
		r.input[(r.rows+b)*spec.Obs] += 3
	}
	logits, _ = h.Forward(r.theta, r.input, r.state, r.keep)
	for row := range r.steps * r.rows {
		step, b := row/r.rows, row%r.rows
		same := slices.Equal(logits[row*2:row*2+2], before[row*2:row*2+2])
		ends := map[int]int{0: 1, 1: 4, 2: 3}[b] // the last step that may see step 1: of its episode, or 3 steps on
		if seen := step >= 1 && step <= ends; seen == same {
			t.Errorf("trajectory %d, step %d: changed %v, want %v", b, step, !same, seen)
		}
	}
}

func TestAMetagradientThroughAttentionIsRefused(t *testing.T) {
	_, err := Lower(lookers["two layers"], 3, 2, true)
	if err == nil || !strings.Contains(err.Error(), "directional derivative of attention") {
		t.Errorf("%v", err)
	}
}
