package net

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"impalab/learner/kernel"
)

var small = Spec{Obs: 4, Hidden: []int{5, 3}, Activation: kernel.Tanh, Actions: 2, HeadScale: 0.01}

func TestLayersFillThetaWithoutAGap(t *testing.T) {
	for _, s := range []Spec{small, {Obs: 7, Actions: 3}, {Obs: 1, Hidden: []int{1}, Activation: kernel.ReLU,
		Actions: 1}} {
		at := 0
		for _, l := range s.Layers() {
			if l.W != at || l.B != at+l.In*l.Out {
				t.Errorf("%s of %+v starts at %d, %d", l.Name, s, l.W, l.B)
			}
			at = l.B + l.Out
		}
		if at != s.Params() {
			t.Errorf("%+v: the layers end at %d, Params is %d", s, at, s.Params())
		}
	}
	layers := small.Layers()
	if n := len(layers); n != 3 || layers[0].Name != "torso0" || layers[2].Name != "heads" || layers[2].Out != 3 ||
		layers[2].Act != kernel.Identity {
		t.Errorf("layers are %+v", layers)
	}
	if want := (4+1)*5 + (5+1)*3 + (3+1)*3; small.Params() != want {
		t.Errorf("%d parameters, want %d", small.Params(), want)
	}
}

func TestValidateNamesTheNumberToChange(t *testing.T) {
	if err := small.Validate(); err != nil {
		t.Fatal(err)
	}
	table := Spec{Obs: 48, Actions: 4} // neither layers nor an activation: a table
	if err := table.Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(s *Spec){
		"observation of 0":       func(s *Spec) { s.Obs = 0 },
		"observation of 65537":   func(s *Spec) { s.Obs = MaxObs + 1 },
		"-1 heads":               func(s *Spec) { s.Heads = -1 },
		"-1 actions":             func(s *Spec) { s.Actions = -1 },
		"9 hidden layers":        func(s *Spec) { s.Hidden = slices.Repeat([]int{2}, 9) },
		"layer 1 has 4097 units": func(s *Spec) { s.Hidden = []int{4, 4097} },
		"layer 0 has 0 units":    func(s *Spec) { s.Hidden = []int{0} },
		"without an activation":  func(s *Spec) { s.Activation = kernel.Identity },
		"activation 9 is":        func(s *Spec) { s.Activation = 9 },
		"scale is NaN":           func(s *Spec) { s.HeadScale = float32(math.NaN()) },
		"scale is -1":            func(s *Spec) { s.HeadScale = -1 },
		"parameters: at most":    func(s *Spec) { s.Obs = MaxObs; s.Hidden = []int{4096} },
	} {
		s := small
		change(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want …%s…", err, want)
		}
	}
}

func TestTheSeedDecidesTheta(t *testing.T) {
	a, b := make([]float32, small.Params()), make([]float32, small.Params())
	for i := range b {
		b[i] = 7 // Init overwrites whatever was there
	}
	small.Init(a, 1)
	small.Init(b, 1)
	if !slices.Equal(a, b) {
		t.Error("one seed gave two networks")
	}
	small.Init(b, 2)
	if slices.Equal(a, b) {
		t.Error("two seeds gave one network")
	}
}

func TestInitKeepsTheSignalsSize(t *testing.T) {
	s := Spec{Obs: 100, Hidden: []int{400, 300}, Activation: kernel.ReLU, Actions: 50, HeadScale: 0.01}
	theta := make([]float32, s.Params())
	s.Init(theta, 3)
	layers := s.Layers()
	for i, l := range layers {
		sum, n := 0.0, 0
		for j, w := range l.Weights(theta) {
			if i == len(layers)-1 && j%l.Out == s.Actions {
				continue // the value's column
			}
			sum += float64(w) * float64(w)
			n++
		}
		want := math.Sqrt2
		if i == len(layers)-1 {
			want = 0.01
		}
		if gain := math.Sqrt(sum / float64(n) * float64(l.In)); math.Abs(gain/want-1) > 0.03 {
			t.Errorf("%s has gain %.4f, want %.4f", l.Name, gain, want)
		}
		for _, b := range l.Bias(theta) {
			if b != 0 {
				t.Errorf("%s starts with a bias of %g", l.Name, b)
			}
		}
	}
}

func TestZeroHeadScaleIsTheUniformPolicy(t *testing.T) {
	s := small
	s.HeadScale = 0
	theta := make([]float32, s.Params())
	s.Init(theta, 4)
	logits, values := NewForward(s, 1).Run(theta, []float32{1, -2, 3, -4}, nil, 1)
	if logits[0] != 0 || logits[1] != 0 || values[0] == 0 {
		t.Errorf("logits %v, value %v: want 0, 0 and a value", logits, values)
	}
}

// naive is the network in float64, one row, as one would write it on paper.
func naive(s Spec, theta, obs []float32) []float64 {
	x := make([]float64, s.Obs)
	for i := range x {
		x[i] = float64(obs[i])
	}
	for _, l := range s.Layers() {
		y := make([]float64, l.Out)
		for j := range y {
			y[j] = float64(l.Bias(theta)[j])
			for i := range x {
				y[j] += x[i] * float64(l.Weights(theta)[i*l.Out+j])
			}
			switch l.Act {
			case kernel.ReLU:
				y[j] = max(y[j], 0)
			case kernel.Tanh:
				y[j] = math.Tanh(y[j])
			}
		}
		x = y
	}
	return x
}

func TestForwardIsTheNetworkOnPaper(t *testing.T) {
	for name, s := range map[string]Spec{
		"tanh":  {Obs: 4, Hidden: []int{33, 17}, Activation: kernel.Tanh, Actions: 3, HeadScale: 1},
		"relu":  {Obs: 4, Hidden: []int{33}, Activation: kernel.ReLU, Actions: 1, HeadScale: 1},
		"table": {Obs: 9, Actions: 4, HeadScale: 1},
	} {
		const rows = 2*maxBlock + 5 // two blocks and a rest
		theta := make([]float32, s.Params())
		s.Init(theta, 5)
		for _, l := range s.Layers() {
			for j := range l.Bias(theta) {
				l.Bias(theta)[j] = float32(j) / 10
			}
		}
		obs := make([]float32, rows*s.Obs)
		for i := range obs {
			obs[i] = float32(i%13)/6 - 1
		}
		logits, values := NewForward(s, rows+1).Run(theta, obs, nil, rows)
		if len(logits) != rows*s.Actions || len(values) != rows {
			t.Fatalf("%s: %d logits and %d values", name, len(logits), len(values))
		}
		for r := range rows {
			want := naive(s, theta, obs[r*s.Obs:])
			got := append(slices.Clone(logits[r*s.Actions:(r+1)*s.Actions]), values[r])
			for j := range want {
				if math.Abs(float64(got[j])-want[j]) > 1e-4 {
					t.Fatalf("%s, row %d, output %d: %g, want %g", name, r, j, got[j], want[j])
				}
			}
		}
	}
}

// A row's result does not depend on the other rows: spectators see the actor's own numbers.
func TestOneRowAloneHasTheSameBits(t *testing.T) {
	theta := make([]float32, small.Params())
	small.Init(theta, 6)
	obs := make([]float32, 70*small.Obs)
	for i := range obs {
		obs[i] = float32(i%29)/14 - 1
	}
	logits, values := NewForward(small, 70).Run(theta, obs, nil, 70)
	one := NewForward(small, 1)
	for r := range 70 {
		l, v := one.Run(theta, obs[r*small.Obs:], nil, 1)
		if !slices.Equal(l, logits[r*small.Actions:(r+1)*small.Actions]) || v[0] != values[r] {
			t.Fatalf("row %d alone: %v %v", r, l, v)
		}
	}
}

func TestForwardAllocatesNothing(t *testing.T) {
	f := NewForward(small, 8)
	theta, obs := make([]float32, small.Params()), make([]float32, 8*small.Obs)
	if n := testing.AllocsPerRun(20, func() { f.Run(theta, obs, nil, 8) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestForwardRefusesWhatDoesNotFit(t *testing.T) {
	f := NewForward(small, 2)
	theta := make([]float32, small.Params())
	for name, wrong := range map[string]func(){
		"three rows":    func() { f.Run(theta, make([]float32, 12), nil, 3) },
		"a short obs":   func() { f.Run(theta, make([]float32, 7, 8), nil, 2) },
		"a short theta": func() { f.Run(theta[:50], make([]float32, 8), nil, 2) },
		"no rows":       func() { NewForward(small, 0) },
		"a bad spec":    func() { NewForward(Spec{}, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was taken", name)
				}
			}()
			wrong()
		}()
	}
}

func BenchmarkForward(b *testing.B) {
	s := Spec{Obs: 4, Hidden: []int{64, 64}, Activation: kernel.Tanh, Actions: 2}
	theta := make([]float32, s.Params())
	s.Init(theta, 7)
	for _, c := range []struct {
		name string
		rows int
	}{{"1", 1}, {"32", 32}, {"640", 640}} {
		b.Run(c.name, func(b *testing.B) {
			f := NewForward(s, c.rows)
			obs := make([]float32, c.rows*s.Obs)
			b.ReportAllocs()
			for b.Loop() {
				f.Run(theta, obs, nil, c.rows)
			}
		})
	}
}

func TestTheFirstHeadActsWhateverStandsBesideIt(t *testing.T) {
	three := small
	three.Heads = 3
	theta := make([]float32, three.Params())
	three.Init(theta, 9)
	flat := three.Flat()
	if flat.Params() != len(theta) || flat.Actions != 8 {
		t.Fatalf("flat: %+v", flat)
	}
	obs := []float32{0.3, -1, 2, 0.5, 1, 1, -2, 0.1}
	logits, values := NewForward(three, 2).Run(theta, obs, nil, 2)
	wide, last := NewForward(flat, 2).Run(theta, obs, nil, 2)
	for r := range 2 {
		if logits[2*r] != wide[8*r] || logits[2*r+1] != wide[8*r+1] || values[r] != wide[8*r+2] {
			t.Errorf("row %d: %v and %v, the wide one %v and %v", r, logits, values, wide, last)
		}
	}
	one := small.Flat()
	if one.Actions != small.Actions || one.Params() != small.Params() {
		t.Errorf("one head, flat: %+v", one)
	}
	layers := three.Layers()
	w := layers[2].Weights(theta)
	var largest [3]float64 // of each value's
	for i, v := range w {  // each head's policy starts small, its value does not have to
		size, logit := math.Abs(float64(v)), i%3 < 2
		if logit && size > 0.01 {
			t.Errorf("weight %d of a policy head is %v", i, v)
		}
		if !logit {
			largest[i%9/3] = max(largest[i%9/3], size)
		}
	}
	for h, size := range largest {
		if size < 0.01 {
			t.Errorf("no weight of value %d is larger than %v", h, size)
		}
	}
}

// Parts of a batch, on Forwards of their own, are the whole to the last bit: rows, or trajectories where there is a
// memory.
func TestPartsOfABatchAreTheWhole(t *testing.T) {
	const steps, copies = 7, 5
	for _, units := range []int{0, 6} {
		spec := Spec{Obs: 4, Hidden: []int{9}, Activation: kernel.Tanh, Actions: 3, LSTM: units, HeadScale: 1}
		theta, random := make([]float32, spec.Params()), rand.New(rand.NewPCG(3, 4))
		spec.Init(theta, 1)
		input, state := make([]float32, steps*copies*4), make([]float32, copies*spec.States())
		keep := make([]float32, steps*copies)
		for _, x := range [][]float32{input, state} {
			for i := range x {
				x[i] = float32(random.NormFloat64())
			}
		}
		for i := range keep {
			keep[i] = float32(random.IntN(2))
		}
		want := make([]float32, steps*copies*3)
		NewForward(spec, 8).Through(want, theta, input, state, keep, steps, copies)
		for n := 1; n <= copies; n++ {
			got := make([]float32, len(want))
			for k := range n {
				NewForward(spec, 8).ThroughPart(got, theta, input, state, keep, steps, copies, k, n)
			}
			if !slices.Equal(got, want) {
				t.Errorf("LSTM of %d, %d parts: %v, want %v", units, n, got, want)
			}
		}
	}
}
