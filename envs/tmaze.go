package envs

import "fmt"

// The T-maze (Bakker, 2002) is the smallest world that needs a memory. A sign at the start says which way to turn, and
// at the end of the corridor the sign is no longer visible. All places in between look the same, so counting cells does
// not help either.
//
// A policy without a memory can do no better than 0, the mean of right and wrong. It turns up with one probability,
// whatever the sign is: 1 for one sign is −1 for the other. Not to arrive is worse than to turn wrongly: an episode
// that is cut holds at least limit − length bumps, together −1.9 or less. With a memory the best is 1.

const (
	tMazeUsual = 10
	tMazeSlack = 20 // the limit, in lengths of the corridor
	tMazeBump  = .1 // the price of a bump, times the length
	tMazeView  = 14 // cells of a corridor that are seen at once, less one
)

// Places of one half of the states, from the start: 0..length, then the two arms. The other half has the other sign.
func tMazeMDP(length int) *MDP {
	const up, right, down = 0, 1, 2
	half := length + 3
	m := &MDP{States: 2 * half, Actions: 3, Next: make([][]Branch, 3*2*half), Over: make([]bool, 2*half),
		Start: make([]float64, 2*half)}
	bump := -tMazeBump / float32(length)
	for sign := range 2 {
		at := sign * half
		m.Start[at] = .5
		for place := range length {
			s := at + place
			m.Next[3*s+up] = []Branch{{1, s, bump}}
			m.Next[3*s+right] = []Branch{{1, s + 1, 0}}
			m.Next[3*s+down] = []Branch{{1, s, bump}}
		}
		junction, pay := at+length, float32(1-2*sign)
		m.Next[3*junction+up] = []Branch{{1, junction + 1, pay}}
		m.Next[3*junction+right] = []Branch{{1, junction, bump}}
		m.Next[3*junction+down] = []Branch{{1, junction + 2, -pay}}
		m.Over[junction+1], m.Over[junction+2] = true, true
	}
	return m
}

type tMaze struct {
	finite
	length int
}

var tMazeOptions = []Option{
	{Key: "length", Sentence: "Steps from the sign to the junction.", Min: 2, Max: 1000, Usual: tMazeUsual, Whole: true},
}

func tMazeSized(values []float64) Entry {
	length := int(values[0])
	mdp := tMazeMDP(length)
	spec := &Spec{
		Name:  "t-maze",
		Title: "T-maze",
		Summary: fmt.Sprintf("Read the sign, walk %d steps, turn as it said: 1 for the right turn, −1 for the wrong one, "+
			"−%g for a bump. Without a memory the best is 0.", length, tMazeBump/float64(length)),
		Source: "Bakker (2002), Reinforcement learning with long short-term memory: its observations; rewards of ±1 as in " +
			"bsuite's memory_len, environments/memory_chain.py",
		Obs:     []int{3},
		Actions: []string{"up", "right", "down"},
		Limit:   tMazeSlack * length,
		// two bumps for each cell, half a one at the junction; the turn is worth 0
		Random: figure(-tMazeBump * (2 + .5/float64(length))),
		Solved: .9,
		View:   [2]float32{float32(min(length, tMazeView)) + 2, 5},
		Rate:   8,
	}
	return Entry{Spec: spec, New: func() World { return &tMaze{newFinite(spec, mdp), length} }}
}

// split splits a state: which sign (0: up, 1: down), and how far from the start.
func (w *tMaze) split(s int) (sign, place int) {
	half := w.length + 3
	return s / half, s % half
}

// Show has Bakker's three bits: 110 and 011 at the start, 101 in the corridor, 010 at the junction.
func (w *tMaze) Show(s int, obs []float32) {
	_ = obs[2]
	obs[0], obs[1], obs[2] = 0, 0, 0
	switch sign, place := w.split(s); {
	case place == 0:
		obs[1], obs[2*sign] = 1, 1
	case place < w.length:
		obs[0], obs[2] = 1, 1
	case place == w.length:
		obs[1] = 1
	}
}

func (w *tMaze) Observe(obs []float32) { w.Show(w.at, obs) }

// window is the part of the corridor that is in the picture: its first place, and how many there are.
func (w *tMaze) window() (first, seen int) {
	_, place := w.split(w.at)
	seen = min(w.length, tMazeView)
	return min(max(min(place, w.length)-tMazeView/2, 0), w.length-seen), seen
}

// Draw lays the T on its side. The sign is strong as long as it is seen, and faint afterwards; the arms' colours
// are for people only. Of a long corridor it shows the part around the agent.
func (w *tMaze) Draw(c Canvas) {
	const middle = 2.5
	sign, place := w.split(w.at)
	first, seen := w.window()
	x := func(place int) float32 { return float32(min(place, w.length)-first) + 1 } // the centre of a place
	end := x(w.length)

	left, right := max(x(0)-.5, 0), min(end+.5, float32(seen)+2)
	c.Rect(0, 0, float32(seen)+2, 5, Wall)
	c.Rect(left, middle-.5, right-left, 1, Ground)
	for i := first + 1; i <= min(w.length, first+seen+1); i++ {
		c.Line(x(i)-.5, middle-.5, x(i)-.5, middle+.5, .02, Faint)
	}
	if first+seen == w.length {
		c.Rect(end-.5, middle-1.5, 1, 3, Ground)
		c.Line(end-.5, middle-.5, end+.5, middle-.5, .02, Faint)
		c.Line(end-.5, middle+.5, end+.5, middle+.5, .02, Faint)
		paid, lost := float32(middle-1), float32(middle+1)
		if sign == 1 {
			paid, lost = lost, paid
		}
		c.Rect(end-.38, paid-.38, .76, .76, Prize)
		c.Rect(end-.38, lost-.38, .76, .76, Harm)
	}
	if first == 0 {
		ink := Faint
		if place == 0 {
			ink = Strong
		}
		w.drawSign(c, sign, ink)
	}

	for i, s := range w.trail {
		if s >= 0 {
			if _, was := w.split(s); was >= first && was != place {
				c.Circle(x(was), middle, .17-.022*float32(i), Past)
			}
		}
	}
	y := float32(middle)
	switch place {
	case w.length + 1:
		y--
	case w.length + 2:
		y++
	}
	c.Circle(x(place), y, .33, Agent)
}

// drawSign paints an arrow over the start that points the way to turn.
func (w *tMaze) drawSign(c Canvas, sign int, ink Ink) {
	const x, middle, width = 1, 1.1, .16
	tip := float32(middle - .55)
	if sign == 1 {
		tip = middle + .55
	}
	c.Line(x, 2*middle-tip, x, tip, width, ink)
	for _, side := range [...]float32{-.34, .34} {
		c.Line(x+side, tip+.62*(middle-tip), x, tip, width, ink)
	}
	c.Circle(x, tip, width/2, ink)
}
