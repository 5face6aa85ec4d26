package envs

import "math"

// Chain is Sutton and Barto's random walk (examples 6.2 and 7.1): one line, a loss at the left end, a win at the
// right. Under the uniform policy the values are a straight line, 2k/(length+1) − 1 at the k-th state from the left,
// so a learned value can be judged by eye; under the best policy they are powers of γ.

const (
	chainUsual = 19
	chainRow   = 25 // states of a row in the picture; a longer chain is folded
)

var chainOptions = []Option{
	{Key: "length", Sentence: "States between the two ends.", Min: 3, Max: 99, Usual: chainUsual, Whole: true},
	{Key: "slip", Sentence: "Share of steps that go the other way.", Max: .4},
}

// chainMDP numbers the states from the left: 0 is the loss, length+1 the win.
func chainMDP(length int, slip float64) *MDP {
	n := length + 2
	m := &MDP{States: n, Actions: 2, Next: make([][]Branch, 2*n), Over: make([]bool, n), Start: make([]float64, n)}
	m.Start[(length+1)/2] = 1
	m.Over[0], m.Over[n-1] = true, true
	for s := 1; s <= length; s++ {
		for action := range 2 {
			way := 2*action - 1
			list := []Branch{{1 - slip, s + way, chainPay(s+way, length)}}
			if slip > 0 {
				list = append(list, Branch{slip, s - way, chainPay(s-way, length)})
			}
			m.Next[2*s+action] = list
		}
	}
	return m
}

func chainPay(s, length int) float32 {
	switch s {
	case 0:
		return -1
	case length + 1:
		return 1
	}
	return 0
}

type chain struct {
	finite
	length int
}

func chainSized(values []float64) Entry {
	length, slip := int(values[0]), values[1]
	mdp := chainMDP(length, slip)
	// A fair walk ends after about a quarter of (length+1)² steps; sixteen times that is never reached by chance.
	limit := 4 * (length + 1) * (length + 1)
	middle := float64((length + 1) / 2)
	random := 2*middle/float64(length+1) - 1
	best := 1.0
	if slip > 0 { // the gambler's ruin: r^k of position k is a martingale
		r := slip / (1 - slip)
		best = 2*(1-math.Pow(r, middle))/(1-math.Pow(r, float64(length+1))) - 1
	}
	spec := &Spec{
		Name:    "chain",
		Title:   "Chain",
		Summary: "Walk a line from its middle: 1 at the right end, −1 at the left.",
		Source:  "Sutton and Barto, Reinforcement Learning, examples 6.2 and 7.1; here the agent chooses the way",
		Obs:     []int{mdp.States},
		Actions: []string{"left", "right"},
		Limit:   limit,
		Random:  figure(random),
		Solved:  figure(random + .9*(best-random)),
		View:    [2]float32{float32(min(length+2, chainRow)), float32(2*((length+1)/chainRow) + 3)},
		Rate:    10,
	}
	return Entry{Spec: spec, New: func() World { return &chain{newFinite(spec, mdp), length} }}
}

// spot returns the place of a state: rows are folded, so neighbours stay neighbours.
func (w *chain) spot(s int) (x, y float32) {
	row, col := s/chainRow, s%chainRow
	if row%2 == 1 {
		col = chainRow - 1 - col
	}
	return float32(col) + .5, float32(2*row) + 1.5
}

func (w *chain) Draw(c Canvas) {
	c.Rect(0, 0, w.spec.View[0], w.spec.View[1], Ground)
	for s := range w.length + 1 {
		x0, y0 := w.spot(s)
		x1, y1 := w.spot(s + 1)
		c.Line(x0, y0, x1, y1, .06, Faint)
	}
	for s := 1; s <= w.length; s++ {
		x, y := w.spot(s)
		c.Circle(x, y, .26, Faint)
		c.Circle(x, y, .2, Ground)
	}
	for end, ink := range [...]Ink{Harm, Prize} {
		x, y := w.spot(end * (w.length + 1))
		c.Rect(x-.38, y-.38, .76, .76, ink)
	}
	for i, s := range w.trail {
		if s >= 0 {
			x, y := w.spot(s)
			c.Circle(x, y, .17-.022*float32(i), Past)
		}
	}
	x, y := w.spot(w.at)
	c.Circle(x, y, .33, Agent)
}
