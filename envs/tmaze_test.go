package envs

import (
	"math"
	"testing"
)

// play runs one episode of a T-maze from a sign and returns its return.
func (w *tMaze) play(sign int, choose func(obs []float32) int) float64 {
	r := NewRand(1, 0)
	w.Reset(&r)
	w.at = sign * (w.length + 3)
	total, obs := 0.0, make([]float32, 3)
	for end := Running; end == Running; {
		w.Observe(obs)
		out := w.Step(&r, choose(obs))
		total += float64(out.Reward)
		end = out.End
	}
	return total
}

// All 81 policies that look at the present only: none is worth more than 0, and walking on and turning is worth 0.
func TestTMazeNeedsMemory(t *testing.T) {
	for _, length := range []float64{2, 10, 100} {
		w := tMazeSized([]float64{length}).New().(*tMaze)
		best := math.Inf(-1)
		for policy := range 81 {
			choose := func(obs []float32) int {
				look := 0 // start, sign up
				switch [3]float32(obs) {
				case [3]float32{0, 1, 1}:
					look = 1 // start, sign down
				case [3]float32{1, 0, 1}:
					look = 2 // corridor
				case [3]float32{0, 1, 0}:
					look = 3 // junction
				}
				return policy / [...]int{1, 3, 9, 27}[look] % 3
			}
			best = max(best, (w.play(0, choose)+w.play(1, choose))/2)
		}
		if best != 0 {
			t.Errorf("length %g: without a memory the best is %v, want 0", length, best)
		}
	}
}

func TestTMazeIsSolvedByRememberingTheSign(t *testing.T) {
	for _, length := range []float64{2, 10, 1000} {
		w := tMazeSized([]float64{length}).New().(*tMaze)
		for sign := range 2 {
			remembered, steps := -1, 0
			paid := w.play(sign, func(obs []float32) int {
				steps++
				switch [3]float32(obs) {
				case [3]float32{1, 1, 0}:
					remembered = 0
				case [3]float32{0, 1, 1}:
					remembered = 2
				case [3]float32{0, 1, 0}:
					return remembered
				}
				return 1
			})
			if paid != 1 || steps != int(length)+1 {
				t.Errorf("length %g, sign %d: %v in %d steps, want 1 in %g", length, sign, paid, steps, length+1)
			}
		}
	}
}

// Only the start tells the two halves of the states apart.
func TestTMazeForgetsTheSign(t *testing.T) {
	w := tMazeSized([]float64{10}).New().(*tMaze)
	a, b := make([]float32, 3), make([]float32, 3)
	for place := range w.length + 3 {
		w.Show(place, a)
		w.Show(place+w.length+3, b)
		if same := [3]float32(a) == [3]float32(b); same != (place > 0) {
			t.Errorf("place %d looks like %v with one sign, %v with the other", place, a, b)
		}
	}
}
