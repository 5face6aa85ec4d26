package envs

import (
	"fmt"
	"math"
	"testing"
)

// Boards of any size, by bsuite's rules written out a second time, with the returns of chance and of the best play on
// each.
func TestCatchHasBoardsOfAnySize(t *testing.T) {
	for _, size := range []struct{ rows, columns int }{{10, 5}, {2, 2}, {6, 9}, {3, 12}, {15, 4}} {
		name := fmt.Sprintf("catch:rows=%d,columns=%d", size.rows, size.columns)
		w, err := New(name)
		if err != nil {
			t.Fatal(err)
		}
		spec := w.Spec()
		r := NewRand(4, 0)
		obs := make([]float32, spec.Size())
		byChance, best := 0.0, 0.0
		const episodes = 4000
		for episode := range 2 * episodes {
			w.Reset(&r)
			ball, paddle := -1, size.columns/2
			w.Observe(obs)
			for c := range size.columns {
				if obs[c] == 1 {
					ball = c
				}
			}
			for y := 0; ; {
				for i, v := range obs {
					at := i == y*size.columns+ball || i == (size.rows-1)*size.columns+paddle
					if (v == 1) != at || v != 0 && v != 1 {
						t.Fatalf("%s, ball in row %d: cell %d is %v", name, y, i, v)
					}
				}
				action := r.IntN(3)
				if episode >= episodes { // towards the ball
					action = 1 + min(1, max(-1, ball-paddle))
				}
				paddle = min(max(paddle+action-1, 0), size.columns-1)
				out := w.Step(&r, action)
				w.Observe(obs)
				y++
				if ended := y == size.rows-1; (out.End == Terminated) != ended || !ended && out.Reward != 0 {
					t.Fatalf("%s, ball in row %d: %v", name, y, out)
				} else if !ended {
					continue
				}
				if want := map[bool]float32{true: 1, false: -1}[ball == paddle]; out.Reward != want {
					t.Fatalf("%s: reward %v, want %v", name, out.Reward, want)
				}
				if episode < episodes {
					byChance += float64(out.Reward) / episodes
				} else {
					best += float64(out.Reward) / episodes
				}
				break
			}
		}
		// five standard deviations of a mean of ±1
		const slack = 0.08
		if math.Abs(byChance-float64(spec.Random)) > slack {
			t.Errorf("%s: chance comes to %.3f, Random says %v", name, byChance, spec.Random)
		}
		if math.Abs(best-0.05-float64(spec.Solved)) > slack {
			t.Errorf("%s: the best play comes to %.3f, Solved says %v", name, best, spec.Solved)
		}
	}
}
