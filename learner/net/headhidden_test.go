package net

import (
	"math"
	"slices"
	"testing"

	"impalab/learner/kernel"
)

// Three heads with hidden layers of their own: each policy and each value is a perceptron on the torso.
func TestEveryPolicyAndEveryValueHasItsOwnHiddenLayers(t *testing.T) {
	s := Spec{Obs: 4, Hidden: []int{6}, Activation: kernel.ReLU, Actions: 2, Heads: 3, HeadHidden: []int{5, 3},
		HeadScale: 1}
	theta := make([]float32, s.Params())
	s.Init(theta, 5)
	layers := s.Layers()
	if want := (4+1)*6 + 3*(2*((6+1)*5+(5+1)*3)+(3+1)*2+(3+1)); s.Params() != want {
		t.Fatalf("%d parameters, want %d", s.Params(), want)
	}
	names := map[string]bool{}
	for _, l := range layers {
		if names[l.Name] {
			t.Errorf("two layers are called %s", l.Name)
		}
		names[l.Name] = true
		for j := range l.Bias(theta) {
			l.Bias(theta)[j] = float32(j)/10 - 0.1
		}
	}

	obs := []float32{0.3, -1, 2, 0.5}
	dense := func(l *Layer, x []float64) []float64 {
		y := make([]float64, l.Out)
		for j := range y {
			y[j] = float64(l.Bias(theta)[j])
			for i := range x {
				y[j] += x[i] * float64(l.Weights(theta)[i*l.Out+j])
			}
			if l.Act == kernel.ReLU {
				y[j] = max(0, y[j])
			}
		}
		return y
	}
	torso := dense(&layers[0], []float64{0.3, -1, 2, 0.5})
	var want []float64
	for at := 1; at < len(layers)-1; at += 3 { // two hidden layers and the output, six times
		if layers[at+2].Act != kernel.Identity {
			t.Errorf("%s has an activation", layers[at+2].Name)
		}
		want = append(want, dense(&layers[at+2], dense(&layers[at+1], dense(&layers[at], torso)))...)
	}

	flat := s.Flat()
	if flat.Params() != len(theta) || flat.Actions != 8 {
		t.Fatalf("flat: %+v", flat)
	}
	wide, last := NewForward(flat, 1).Run(theta, obs, nil, 1)
	for j, got := range append(slices.Clone(wide), last...) {
		if math.Abs(float64(got)-want[j]) > 1e-5 {
			t.Errorf("column %d is %g, want %g", j, got, want[j])
		}
	}
	logits, values := NewForward(s, 1).Run(theta, obs, nil, 1)
	if !slices.Equal(logits, wide[:2]) || values[0] != wide[2] {
		t.Errorf("the first head says %v and %v, the wide one %v", logits, values, wide[:3])
	}
}

func TestZeroHeadScaleIsUniformThroughHiddenLayersToo(t *testing.T) {
	for _, separate := range []bool{false, true} {
		s := small
		s.HeadHidden, s.HeadScale, s.Separate = []int{4}, 0, separate
		theta := make([]float32, s.Params())
		s.Init(theta, 4)
		logits, values := NewForward(s, 1).Run(theta, []float32{1, -2, 3, -4}, nil, 1)
		if logits[0] != 0 || logits[1] != 0 || values[0] == 0 {
			t.Errorf("separate %v: logits %v, value %v: want 0, 0 and a value", separate, logits, values)
		}
	}
}

// A wide head of means and spreads has an odd number of columns that count as logits.
func TestSeveralGaussianHeadsAreTaken(t *testing.T) {
	s := Spec{Obs: 3, Hidden: []int{4}, Activation: kernel.Tanh, Policy: Tanh, Actions: 2, Heads: 2}
	flat := s.Flat()
	if err := flat.Validate(); err != nil {
		t.Error(err)
	}
}
