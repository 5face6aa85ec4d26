package envs

// Bandit is the example of LASER's authors for V-trace's error: one choice between two actions, and a policy that has
// moved away from the acting policy. Proposition 2 has Q* = (2, 5), μ = (.9, .1) and π = (.5, .5): clipped at ρ̄ = 1,
// the better action's ratio μ/π is .2, and 5 · .2 looks worse than 2. §2.3 has μ = (φ, 1−φ) and π = (1−φ, φ), whose
// implied policy is uniform for every φ.

var banditOptions = []Option{
	{Key: "left", Sentence: "What the left action pays.", Min: -10, Max: 10, Usual: 2},
	{Key: "gap", Sentence: "How much more the right action pays.", Min: .1, Max: 20, Usual: 3},
}

type bandit struct{ finite }

func banditSized(values []float64) Entry {
	left, right := float32(values[0]), float32(values[0]+values[1])
	mdp := &MDP{
		States: 3, Actions: 2,
		Next:  [][]Branch{{{1, 1, left}}, {{1, 2, right}}, nil, nil, nil, nil},
		Over:  []bool{false, true, true},
		Start: []float64{1, 0, 0},
	}
	spec := &Spec{
		Name:    "bandit",
		Title:   "Bandit",
		Summary: "Choose once: the right action pays more than the left one, and clipped ratios may hide it.",
		Source:  "Schmitt, Hessel and Simonyan (2020), LASER, §2.3 and proposition 2",
		Obs:     []int{3},
		Actions: []string{"left", "right"},
		Limit:   1, // never cut: the choice ends the episode
		Random:  (left + right) / 2,
		Solved:  right - .1*(right-left),
		View:    [2]float32{5, 4},
		Rate:    3,
	}
	return Entry{Spec: spec, New: func() World { return &bandit{newFinite(spec, mdp)} }}
}

// Draw draws the two payments as columns at the ends of a fork; the larger one has full height. A loss is vermilion and
// hangs from the top.
func (w *bandit) Draw(c Canvas) {
	const foot, tallest = 2.2, 1.9
	c.Rect(0, 0, 5, 4, Ground)
	x := [...]float32{2.5, 1, 4}
	y := [...]float32{3.3, 2.6, 2.6}
	top := float32(0)
	for a := range 2 {
		top = max(top, max(w.mdp.Next[a][0].Reward, -w.mdp.Next[a][0].Reward))
	}
	for a := range 2 {
		c.Line(x[0], y[0], x[a+1], y[a+1], .06, Faint)
		c.Line(x[a+1]-.6, foot, x[a+1]+.6, foot, .03, Strong)
		pay := w.mdp.Next[a][0].Reward
		height := tallest * max(pay, -pay) / top
		if pay >= 0 {
			c.Rect(x[a+1]-.45, foot-height, .9, height, Prize)
		} else {
			c.Rect(x[a+1]-.45, foot-tallest, .9, height, Harm)
		}
	}
	for _, s := range w.trail {
		if s >= 0 {
			c.Circle(x[s], y[s], .12, Past)
		}
	}
	c.Circle(x[w.at], y[w.at], .3, Agent)
}
