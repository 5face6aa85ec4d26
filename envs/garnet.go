package envs

import (
	"fmt"
	"math"
	"slices"
)

// A garnet is a small decision process drawn at random (Archibald, McKinnon and Thomas, 1995). It has no story to
// lean on and never ends, so every term of the theory is at work: values, occupancy, contraction.

const (
	garnetStates  = 12
	garnetActions = 3
	garnetBranch  = 3
	garnetSeed    = 1 // of the garnet without options
)

var garnetOptions = []Option{
	{Key: "states", Sentence: "How many states are drawn.", Min: garnetBranch, Max: 100, Usual: garnetStates, Whole: true},
	{Key: "actions", Sentence: "Actions in each state.", Min: 2, Max: 6, Usual: garnetActions, Whole: true},
	{Key: "seed", Sentence: "The seed of the drawing, not of the run.", Max: 1e6, Usual: garnetSeed, Whole: true},
}

var garnetNames = []string{"first", "second", "third", "fourth", "fifth", "sixth"}

// drawGarnet gives every (state, action) garnetBranch different successors. Their probabilities are the parts of the
// unit interval between random cuts. pay is the reward for arriving in a state.
func drawGarnet(r Rand, states, actions int) (m *MDP, pay []float32) {
	pay = make([]float32, states)
	for s := range pay {
		pay[s] = float32(2*r.Float64() - 1) // no logarithm: the same garnet on every machine, to the bit
	}
	m = &MDP{States: states, Actions: actions, Over: make([]bool, states), Start: make([]float64, states)}
	for s := range m.Start {
		m.Start[s] = 1 / float64(states)
	}
	for range states * actions {
		cuts := []float64{1}
		for range garnetBranch - 1 {
			cuts = append(cuts, r.Float64())
		}
		slices.Sort(cuts)
		var list []Branch
		left := 0.0
		for _, cut := range cuts {
			to := r.IntN(states)
			for slices.ContainsFunc(list, func(b Branch) bool { return b.To == to }) {
				to = r.IntN(states)
			}
			list = append(list, Branch{cut - left, to, pay[to]})
			left = cut
		}
		m.Next = append(m.Next, list)
	}
	return m, pay
}

func garnetSized(values []float64) Entry {
	const limit = 100
	states, actions := int(values[0]), int(values[1])
	mdp, pay := drawGarnet(NewRand(uint64(values[2]), 0), states, actions)
	random := mdp.value(limit, uniform)
	spec := &Spec{
		Name:  "garnet",
		Title: "Garnet",
		Summary: fmt.Sprintf("%d states drawn at random, each paying its own amount on arrival, good or bad: stay among the "+
			"good ones.", states),
		Source: fmt.Sprintf("Archibald, McKinnon and Thomas (1995): %d states, %d actions, %d branches; rewards are "+
			"uniform on −1..1, by the state arrived in", states, actions, garnetBranch),
		Obs:     []int{states},
		Actions: garnetNames[:actions:actions],
		Limit:   limit,
		Random:  figure(random),
		Solved:  figure(random + .95*(mdp.value(limit, best)-random)),
		View:    [2]float32{8, 8},
		Rate:    4,
	}
	return Entry{Spec: spec, New: func() World { return &garnet{newFinite(spec, mdp), pay} }}
}

type garnet struct {
	finite
	pay []float32
}

// Draw sets the states on a ring, with all transitions as hairlines. Transitions from the present state are strong, and
// as wide as they are likely. A disc's size is its state's payment, green for a gain, vermilion for a loss; the agent
// and its trail are rings around discs.
func (w *garnet) Draw(c Canvas) {
	for i, list := range w.mdp.Next {
		for _, b := range list {
			w.edge(c, i/w.mdp.Actions, b.To, .02, Faint)
		}
	}
	for _, list := range w.mdp.Next[w.at*w.mdp.Actions : (w.at+1)*w.mdp.Actions] {
		for _, b := range list {
			w.edge(c, w.at, b.To, .02+.08*float32(b.P), Strong)
		}
	}
	for s := range w.pay {
		w.disc(c, s, .5, Ground)
	}
	for i := len(w.trail) - 1; i >= 0; i-- {
		if s := w.trail[i]; s >= 0 {
			w.disc(c, s, .48-.02*float32(i), Past)
			w.disc(c, s, .38, Ground)
		}
	}
	w.disc(c, w.at, .5, Agent)
	w.disc(c, w.at, .36, Ground)
	for s, pay := range w.pay {
		ink := Prize
		if pay < 0 {
			ink = Harm
		}
		w.disc(c, s, .06+.24*float32(math.Sqrt(math.Abs(float64(pay)))), ink)
	}
}

// position returns the place of state s, clockwise from the top.
func (w *garnet) position(s int) (x, y float32) {
	sin, cos := math.Sincos(2 * math.Pi * float64(s) / float64(w.mdp.States))
	return 4 + 3.4*float32(sin), 4 - 3.4*float32(cos)
}

// disc shrinks when many states share the ring.
func (w *garnet) disc(c Canvas, s int, r float32, ink Ink) {
	x, y := w.position(s)
	c.Circle(x, y, r*min(1, 20/float32(w.mdp.States)), ink)
}

func (w *garnet) edge(c Canvas, from, to int, width float32, ink Ink) {
	x0, y0 := w.position(from)
	x1, y1 := w.position(to)
	c.Line(x0, y0, x1, y1, width, ink)
}
