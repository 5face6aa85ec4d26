package envs

import (
	"math"
	"testing"
)

// listener is an innermost layer that records the actions.
type listener struct {
	core
	heard func(m move)
}

func (l *listener) act(_ *Rand, m move) Outcome {
	l.heard(m)
	return Outcome{}
}

// noisy puts noise on actions and returns the action of each of n steps.
func noisy(t *testing.T, spec Spec, deviation float64, n int, m move, heard func(m move)) {
	b := &wrapping{spec: spec}
	if err := wrapActNoise(b, deviation); err != nil {
		t.Fatal(err)
	}
	top, r := b.layers[0](&listener{heard: heard}, nil), NewRand(1, 0)
	for range n {
		top.act(&r, m)
	}
}

// Controls move by so many half ranges, here of 2 and of 10, and stay within them.
func TestNoiseOnControlsIsInHalfRanges(t *testing.T) {
	const n, deviation = 20_000, .1
	spec := Spec{Controls: []Control{{Name: "near", Low: -2, High: 2}, {Name: "far", Low: 0, High: 20}}}
	var squares [2]float64
	noisy(t, spec, deviation, n, move{controls: []float32{0, 10}}, func(m move) {
		squares[0] += float64(m.controls[0]) * float64(m.controls[0]) / n
		squares[1] += float64(m.controls[1]-10) * float64(m.controls[1]-10) / n
	})
	for i, half := range []float64{2, 10} {
		if got, want := math.Sqrt(squares[i]), deviation*half; math.Abs(got-want) > .03*want {
			t.Errorf("control %d moves by %v, want %v", i, got, want)
		}
	}
	noisy(t, spec, 10, 1000, move{controls: []float32{2, 0}}, func(m move) {
		if m.controls[0] < -2 || m.controls[0] > 2 || m.controls[1] < 0 || m.controls[1] > 20 {
			t.Fatalf("beyond the range: %v", m.controls)
		}
	})
}

// Of two actions, noise of deviation σ does the other with probability Φ(−1/σ): 15.9 % for 1, 2.3 % for a half.
func TestNoiseOnNamedActionsCarriesOverTheMiddle(t *testing.T) {
	const n = 100_000
	for deviation, want := range map[float64]float64{1: .15866, .5: .02275, .1: 0} {
		other := 0
		noisy(t, Spec{Actions: []string{"left", "right"}}, deviation, n, move{action: 1},
			func(m move) { other += 1 - m.action })
		if got := float64(other) / n; math.Abs(got-want) > .004 {
			t.Errorf("σ %v: the other one in %v of the steps, want %v", deviation, got, want)
		}
	}
}
