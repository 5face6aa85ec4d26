package envtest

import (
	"fmt"
	"math"

	"impalab/envs"
)

// tableTrue returns an error if the table of a finite world is false, or if a state does not look as Show says. It
// draws each action of each reachable state many times, and counts the next states. The seed is fixed and the bound is
// wide, 5 standard deviations, so a true table does not fail by chance.
func tableTrue(e *envs.Entry) error {
	w, ok := e.New().(envs.Finite)
	if !ok {
		return nil
	}
	m := w.MDP()
	if err := m.Check(); err != nil {
		return err
	}
	if m.Actions != len(e.Spec.Actions) {
		return fmt.Errorf("the table has %d actions, the spec %d", m.Actions, len(e.Spec.Actions))
	}
	const draws = 10_000
	r := envs.NewRand(1, 0)
	blobs := map[int][]byte{} // a state blob for each state, taken when it was first seen
	var queue []int
	shown := make([]float32, e.Spec.Size())
	var unlike error
	see := func() int {
		s := w.At()
		if blobs[s] == nil {
			blobs[s] = w.State(nil)
			queue = append(queue, s)
			if w.Show(s, shown); !equal(shown, observe(w)) {
				unlike = fmt.Errorf("state %d looks like %v, shown as %v", s, observe(w), shown)
			}
		}
		return s
	}

	counts := make([]int, m.States)
	for range draws {
		w.Reset(&r)
		counts[see()]++
	}
	if err := compare(counts, m.Start, draws); err != nil {
		return fmt.Errorf("starts: %w", err)
	}
	chances := make([]float64, m.States)
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if m.Over[s] {
			continue
		}
		for a := range m.Actions {
			clear(counts)
			clear(chances)
			pays := map[int]float32{}
			for _, b := range m.Next[s*m.Actions+a] {
				chances[b.To] += b.P
				pays[b.To] = b.Reward
			}
			for range draws {
				if err := w.SetState(blobs[s]); err != nil {
					return err
				}
				out := w.Step(&r, a)
				to := see()
				counts[to]++
				if out.Reward != pays[to] || (out.End == envs.Terminated) != m.Over[to] {
					return fmt.Errorf("state %d, action %d, arriving in %d: %v, the table pays %v, over: %v", s, a, to, out, pays[to],
						m.Over[to])
				}
			}
			if err := compare(counts, chances, draws); err != nil {
				return fmt.Errorf("state %d, action %d: %w", s, a, err)
			}
		}
	}
	return unlike
}

func compare(counts []int, chances []float64, draws float64) error {
	for s, p := range chances {
		off := math.Abs(float64(counts[s]) - p*draws)
		if off > 5*math.Sqrt(draws*p*(1-p))+.5 {
			return fmt.Errorf("state %d came %d times in %v, expected %.1f", s, counts[s], draws, p*draws)
		}
	}
	return nil
}
