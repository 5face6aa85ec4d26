package algo

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// The statistics change, the head is rescaled, and the values stay (V-MPO §4.1).
func TestObservingTargetsMovesNoValue(t *testing.T) {
	for _, changes := range []string{"torsos=shared", "torsos=separate", "lstm=4", "head-hidden=3",
		"world=catch pixel-control=0.1"} {
		_, m, _, b := tiny(t, "vtrace", append(strings.Fields(changes), "popart=on")...)
		_, values := m.Forward(b)
		before := slices.Clone(values)
		targets := make([]float32, len(before))
		for i := range targets {
			targets[i] = 1000 + 300*float32(i%7)
		}
		for range 40 {
			m.pop.observe(m.Theta, targets, nil, b)
		}
		if m.pop.stats.Shift[0] < 100 || m.pop.stats.Scale[0] < 10 {
			t.Fatalf("%s: the statistics stayed at %v, %v", changes, m.pop.stats.Shift, m.pop.stats.Scale)
		}
		_, values = m.Forward(b)
		for i, v := range values {
			if math.Abs(float64(v-before[i])) > 1e-2 { // float32 at a scale of hundreds
				t.Fatalf("%s: value %d moved from %g to %g", changes, i, before[i], v)
			}
		}
	}
}

// The value loss at unit scale is the real one over σ²; its derivative in θ must be that loss's slope.
func TestPopArtsGradientEqualsTheLossesAtUnitScale(t *testing.T) {
	_, m, _, b := tiny(t, "vtrace", "popart=on")
	m.pop.stats.Shift[0], m.pop.stats.Scale[0] = 5, 4
	target := float32(2)
	loss := func() float64 {
		sum := 0.0
		_, values := m.Forward(b)
		for _, v := range values {
			d := float64(v-target) / 4
			sum += d * d / 2
		}
		return sum
	}
	logits, values := m.Forward(b)
	dValues := make([]float32, len(values))
	for i, v := range values {
		dValues[i] = v - target // of ½(V − G)², real
	}
	grad := append([]float32(nil), m.Backward(make([]float32, len(logits)), dValues)...)
	for _, i := range []int{0, 7, len(m.Theta) - 1, len(m.Theta) - 9} {
		const h = 1e-2
		at := m.Theta[i]
		m.Theta[i] = at + h
		up := loss()
		m.Theta[i] = at - h
		slope := (up - loss()) / (2 * h)
		m.Theta[i] = at
		if math.Abs(slope-float64(grad[i])) > 1e-2*math.Max(0.1, math.Abs(slope)) {
			t.Errorf("θ_%d: gradient %g, slope %g", i, grad[i], slope)
		}
	}
}

// With PopArt the critic's loss is at unit scale, and so is what surprises: large rewards alone win no priority.
func TestSurpriseIsAtTheScaleOfTheLoss(t *testing.T) {
	cfg, m, _, b := tiny(t, "vtrace", "popart=on", "algo=laser", "trust=inf", "reward-scale=30")
	m.pop.stats.Rate = 0.02
	a := NewLaser(m, cfg)
	_, values := m.Forward(b)
	before := slices.Clone(values)
	if err := a.Update(b, cfg, 0, 0, nil); err != nil {
		t.Fatal(err)
	}
	scale := float64(m.pop.stats.Scale[0])
	if scale < 2 {
		t.Fatalf("σ is %g: too near 1 to show", scale)
	}
	for k, surprise := range b.Surprise {
		want := 0.0
		for step := range b.T {
			i := step*b.B + k
			miss := math.Abs(float64(a.targets.VS[i]-before[i])) / scale
			if math.Abs(float64(b.Errors[i])-miss) > 1e-5*miss {
				t.Errorf("trajectory %d, step %d: error %g, want %g", k, step, b.Errors[i], miss)
			}
			want += miss / float64(b.T)
		}
		if want == 0 || math.Abs(float64(surprise)-want) > 1e-5*want {
			t.Errorf("trajectory %d: surprise %g, want %g", k, surprise, want)
		}
	}
}

// With fixed statistics a suite has a value for each task, and no target moves a statistic or a parameter.
func TestFixedStatisticsStay(t *testing.T) {
	_, m, _, b := tiny(t, "vtrace", "popart=fixed")
	targets := make([]float32, len(m.pop.values))
	for i := range targets {
		targets[i] = 1000
	}
	theta := slices.Clone(m.Theta)
	m.pop.observe(m.Theta, targets, nil, b)
	if m.pop.stats.Shift[0] != 0 || m.pop.stats.Scale[0] != 1 || !slices.Equal(theta, m.Theta) {
		t.Errorf("the statistics moved to %v, %v", m.pop.stats.Shift, m.pop.stats.Scale)
	}
}
