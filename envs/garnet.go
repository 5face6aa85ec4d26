package envs

import (
	"math"
	"slices"
)

// A garnet is a small decision process drawn by lot (Archibald, McKinnon and Thomas, 1995). It has no story to
// lean on and never ends, so every term of the theory is at work: values, occupancy, contraction.

const (
	garnetStates  = 12
	garnetActions = 3
	garnetBranch  = 3
	garnetSeed    = 1 // of the one garnet everybody gets
)

var garnetMDP, garnetPay = drawGarnet(NewRand(garnetSeed, 0))

var garnetSpec = Spec{
	Name:    "garnet",
	Title:   "Garnet",
	Summary: "Twelve states drawn by lot, each paying its own amount on arrival, good or bad: stay among the good ones.",
	Source:  "Archibald, McKinnon and Thomas (1995): 12 states, 3 actions, 3 branches; rewards are uniform on −1..1, by the state arrived in",
	Obs:     []int{garnetStates},
	Actions: []string{"first", "second", "third"},
	Limit:   100,
	Random:  8.43,
	Solved:  42,
	View:    [2]float32{8, 8},
	Rate:    4,
}

// drawGarnet gives every (state, action) garnetBranch different successors, with the probabilities that as many
// parts of the unit interval have between cuts made at random.
func drawGarnet(r Rand) (*MDP, [garnetStates]float32) {
	var pay [garnetStates]float32
	for s := range pay {
		pay[s] = float32(2*r.Float64() - 1) // no logarithm: the same garnet on every machine, to the bit
	}
	m := &MDP{States: garnetStates, Actions: garnetActions, Over: make([]bool, garnetStates), Start: make([]float64, garnetStates)}
	for s := range m.Start {
		m.Start[s] = 1. / garnetStates
	}
	for range garnetStates * garnetActions {
		cuts := []float64{1}
		for range garnetBranch - 1 {
			cuts = append(cuts, r.Float64())
		}
		slices.Sort(cuts)
		var list []Branch
		left := 0.0
		for _, cut := range cuts {
			to := r.IntN(garnetStates)
			for slices.ContainsFunc(list, func(b Branch) bool { return b.To == to }) {
				to = r.IntN(garnetStates)
			}
			list = append(list, Branch{cut - left, to, pay[to]})
			left = cut
		}
		m.Next = append(m.Next, list)
	}
	return m, pay
}

type garnet struct{ finite }

func newGarnet() World { return &garnet{newFinite(&garnetSpec, garnetMDP)} }

// Draw sets the states on a ring, all ways as hairlines, those that leave the present state strong and as wide as they
// are likely. A disc's size is what its state pays, green for a gain, vermilion for a loss; the agent and its trail
// are rings around discs.
func (w *garnet) Draw(c Canvas) {
	for i, list := range w.mdp.Next {
		for _, b := range list {
			garnetEdge(c, i/garnetActions, b.To, .02, Faint)
		}
	}
	for _, list := range w.mdp.Next[w.at*garnetActions : (w.at+1)*garnetActions] {
		for _, b := range list {
			garnetEdge(c, w.at, b.To, .02+.08*float32(b.P), Strong)
		}
	}
	for s := range garnetPay {
		garnetDisc(c, s, .5, Ground)
	}
	for i := len(w.trail) - 1; i >= 0; i-- {
		if s := w.trail[i]; s >= 0 {
			garnetDisc(c, s, .48-.02*float32(i), Past)
			garnetDisc(c, s, .38, Ground)
		}
	}
	garnetDisc(c, w.at, .5, Agent)
	garnetDisc(c, w.at, .36, Ground)
	for s, pay := range garnetPay {
		ink := Prize
		if pay < 0 {
			ink = Harm
		}
		garnetDisc(c, s, .06+.24*float32(math.Sqrt(math.Abs(float64(pay)))), ink)
	}
}

// garnetPlace is where state s stands, clockwise from the top.
func garnetPlace(s int) (x, y float32) {
	sin, cos := math.Sincos(2 * math.Pi * float64(s) / garnetStates)
	return 4 + 3.4*float32(sin), 4 - 3.4*float32(cos)
}

func garnetDisc(c Canvas, s int, r float32, ink Ink) {
	x, y := garnetPlace(s)
	c.Circle(x, y, r, ink)
}

func garnetEdge(c Canvas, from, to int, width float32, ink Ink) {
	x0, y0 := garnetPlace(from)
	x1, y1 := garnetPlace(to)
	c.Line(x0, y0, x1, y1, width, ink)
}
