package envs

import "testing"

func TestTrailIsWhereItWas(t *testing.T) {
	w, r := garnetSized(usualValues(garnetOptions)).New().(*garnet), NewRand(1, 0)
	w.Reset(&r)
	var been []int // newest first
	for range 20 {
		been = append([]int{w.at}, been...)
		w.Step(&r, r.IntN(garnetActions))
		for i, s := range w.trail {
			want := -1
			if i < len(been) {
				want = been[i]
			}
			if s != want {
				t.Fatalf("trail %v after %v", w.trail, been)
			}
		}
	}
}

func TestFalseTablesAreNamed(t *testing.T) {
	for fault, spoil := range map[string]func(m *MDP){
		"a branch too many":      func(m *MDP) { m.Next[0] = append(m.Next[0], Branch{P: .1, To: 0}) },
		"a branch to nowhere":    func(m *MDP) { m.Next[0] = []Branch{{P: 1, To: 99}} },
		"a branch of no weight":  func(m *MDP) { m.Next[0] = append(m.Next[0], Branch{P: 0, To: 0}) },
		"something after an end": func(m *MDP) { m.Next[2] = []Branch{{P: 1, To: 0}} },
		"a start that is over":   func(m *MDP) { m.Start = []float64{0, 0, 1} },
		"half a start":           func(m *MDP) { m.Start = []float64{.5, 0, 0} },
		"a row too few":          func(m *MDP) { m.Over = m.Over[1:] },
	} {
		m := newGrid("S.G").mdp(.1, pay{goal: 1})
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		// One row for each action: a fault in row 0 is in state 0, "up"; row 2·4 is the goal's.
		m.Actions, m.Next = 1, [][]Branch{m.Next[0], m.Next[4], m.Next[8]}
		spoil(m)
		if m.Check() == nil {
			t.Errorf("%s: nobody noticed", fault)
		}
	}
}
