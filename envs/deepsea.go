package envs

import "math"

// DeepSea is bsuite's test of exploration (Osband et al., 2019): of 2^size ways to dive only one ends at the treasure,
// and every step towards it costs. An agent that acts at random needs 2^size episodes to see it once.

const (
	seaUsual = 10
	seaCost  = .01 // of a dive that goes right all the way
)

var seaOptions = []Option{
	{Key: "size", Sentence: "Rows and columns; the steps of a dive.", Min: 2, Max: 50, Usual: seaUsual, Whole: true},
	{Key: "lot", Sentence: "The seed that decides, cell by cell, which action goes right; 0: always the second.", Min: 0,
		Max: 1e6, Usual: 1, Whole: true},
	{Key: "noise",
		Sentence: "1: going right fails once in size times, and rewards at both ends of the last row are noisy.",
		Max:      1, Whole: true},
}

// deepSea embeds its table for the states and the trail. It steps on its own, with bsuite's draws in bsuite's order:
// the table has no noise in its rewards.
type deepSea struct {
	finite
	size  int
	swaps []bool // [size·size] where the first action goes right
	noisy bool
}

func deepSeaSized(values []float64) Entry {
	size, noisy := int(values[0]), values[2] == 1
	swaps := make([]bool, size*size)
	if values[1] > 0 {
		r := NewRand(uint64(values[1]), 0)
		for i := range swaps {
			swaps[i] = r.IntN(2) == 1
		}
	}
	mdp := deepSeaMDP(size, swaps, noisy)
	// Half the steps go right; every one must, and all but the last must succeed, for the treasure.
	arrives := 1.0
	if noisy {
		arrives = math.Pow(1-1/float64(size), float64(size-1))
	}
	spec := &Spec{
		Name:  "deep-sea",
		Title: "Deep sea",
		Summary: "Dive to the treasure in the far corner: 1 for the treasure, −.01 for a whole way right; which action " +
			"goes right differs from cell to cell.",
		Source:  "bsuite, environments/deep_sea.py",
		Obs:     []int{size, size},
		Actions: []string{"first", "second"},
		Limit:   size, // never cut: a dive of size steps is over
		Random:  figure(math.Pow(.5, float64(size))*arrives - seaCost/2),
		Solved:  figure(.9 * (arrives - seaCost)),
		View:    [2]float32{float32(size), float32(size) + 1},
		Rate:    8,
	}
	return Entry{Spec: spec, New: func() World {
		w := &deepSea{newFinite(spec, mdp), size, swaps, noisy}
		if noisy {
			return struct{ World }{w} // its table has average payments, so it is not Finite
		}
		return w
	}}
}

// Only cells with column ≤ row can be reached; they are numbered in reading order. One more row is the sea's floor,
// where dives are over.
func seaState(row, col int) int { return row*(row+1)/2 + col }

func seaCell(s int) (row, col int) {
	row = int((math.Sqrt(float64(8*s+1)) - 1) / 2)
	return row, s - seaState(row, 0)
}

func deepSeaMDP(size int, swaps []bool, noisy bool) *MDP {
	n := seaState(size, size)
	m := &MDP{States: n, Actions: 2, Next: make([][]Branch, 2*n), Over: make([]bool, n), Start: make([]float64, n)}
	m.Start[0] = 1
	for s := range n {
		row, col := seaCell(s)
		if row == size {
			m.Over[s] = true
			continue
		}
		for action := range 2 {
			if (action == 1) == swaps[row*size+col] {
				m.Next[2*s+action] = []Branch{{1, seaState(row+1, max(col-1, 0)), 0}}
				continue
			}
			pay := float32(-seaCost / float64(size))
			if col == size-1 {
				pay = float32(1 - seaCost/float64(size))
			}
			to := seaState(row+1, min(col+1, size-1))
			if fails := seaState(row+1, col); noisy && to != fails {
				p := 1 / float64(size)
				m.Next[2*s+action] = []Branch{{1 - p, to, pay}, {p, fails, pay}}
			} else {
				m.Next[2*s+action] = []Branch{{1, to, pay}}
			}
		}
	}
	return m
}

func (w *deepSea) Reset(*Rand) {
	w.at, w.steps = 0, 0
	w.forget()
}

func (w *deepSea) Step(r *Rand, action int) Outcome {
	if uint(action) >= 2 {
		panic("envs: deep sea has actions 0 and 1")
	}
	row, col := seaCell(w.at)
	if row == w.size {
		return Outcome{End: Terminated}
	}
	right := (action == 1) != w.swaps[row*w.size+col]
	reward := 0.0
	if right && col == w.size-1 {
		reward = 1
	}
	if w.noisy && row == w.size-1 && (col == 0 || col == w.size-1) {
		reward += r.Norm()
	}
	if right {
		if u := r.Float64(); u > 1/float64(w.size) || !w.noisy { // drawn with and without noise, as in bsuite
			col = min(col+1, w.size-1)
		}
		reward -= seaCost / float64(w.size)
	} else {
		col = max(col-1, 0)
	}
	copy(w.trail[1:], w.trail[:])
	w.trail[0], w.at = w.at, seaState(row+1, col)
	w.steps++
	if row+1 == w.size {
		return Outcome{Reward: float32(reward), End: Terminated}
	}
	return Outcome{Reward: float32(reward)}
}

// Show is all zeros on the sea's floor.
func (w *deepSea) Show(s int, obs []float32) {
	clear(obs[:w.size*w.size])
	if row, col := seaCell(s); row < w.size {
		obs[row*w.size+col] = 1
	}
}

func (w *deepSea) Observe(obs []float32) { w.Show(w.at, obs) }

// Draw leaves the cells no dive can reach dark. A tick in every cell points the way its first action goes.
func (w *deepSea) Draw(c Canvas) {
	size := float32(w.size)
	floor(c, size, size+1)
	for row := range w.size {
		c.Rect(float32(row)+1, float32(row), size-float32(row)-1, 1, Wall)
	}
	c.Rect(0, size, size, 1, Wall)
	c.Rect(size-.9, size-.9, .8, .8, Prize)
	for s := range seaState(w.size, 0) - 1 { // the treasure lies on the last one
		row, col := seaCell(s)
		x, y, way := float32(col)+.5, float32(row)+.5, float32(-.16)
		if w.swaps[row*w.size+col] {
			way = .16
		}
		c.Line(x, y, x+way, y+.16, .05, Faint)
	}
	for i, s := range w.trail {
		if s >= 0 {
			row, col := seaCell(s)
			c.Circle(float32(col)+.5, float32(row)+.5, .17-.022*float32(i), Past)
		}
	}
	row, col := seaCell(w.at)
	c.Circle(float32(col)+.5, float32(row)+.5, .33, Agent)
}
