package envtest

import (
	"bytes"
	"fmt"

	"impalab/envs"
)

// Claims about vectors: many copies are the same game as one.

// drive steps a vector with actions that depend on the copy and the step only.
func drive(v envs.Vector, t int, out []envs.Outcome) []int32 {
	actions := make([]int32, v.Len())
	for i := range actions {
		r := envs.NewRand(uint64(t), uint64(i))
		actions[i] = int32(r.IntN(len(v.Spec().Actions)))
	}
	v.Step(actions, out)
	return actions
}

func vectorAgrees(e *envs.Entry) error {
	const seed = 5
	for _, n := range []int{1, 3, 5} {
		v, err := e.Vector(n, seed+1)
		if err != nil {
			return err
		}
		for t := range 20 {
			drive(v, t, make([]envs.Outcome, n))
		}
		v.Reset(seed) // a reset starts all over, whatever went before
		single := make([]envs.World, n)
		chance := make([]envs.Rand, n)
		for i := range single {
			single[i], chance[i] = e.New(), envs.NewRand(seed, uint64(i))
			single[i].Reset(&chance[i])
		}
		size := e.Spec.Size()
		obs, last, out := make([]float32, n*size), make([]float32, size), make([]envs.Outcome, n)
		for t := range 1500 {
			actions := drive(v, t, out)
			v.Observe(obs)
			for i, w := range single {
				want := w.Step(&chance[i], int(actions[i]))
				if want != out[i] {
					return fmt.Errorf("step %d: copy %d of %d gave %v, alone %v", t, i, n, out[i], want)
				}
				if want.End != envs.Running {
					v.Final(i, last)
					if !equal(last, observe(w)) {
						return fmt.Errorf("step %d: the final observation of copy %d of %d is not where it stopped", t, i, n)
					}
					w.Reset(&chance[i])
				}
				if !equal(obs[i*size:(i+1)*size], observe(w)) {
					return fmt.Errorf("step %d: copy %d of %d sees something else than alone", t, i, n)
				}
			}
		}
	}
	return nil
}

func vectorStateGoesOn(e *envs.Entry) error {
	const n = 3
	v, err := e.Vector(n, 1)
	if err != nil {
		return err
	}
	w, _ := e.Vector(n, 2)
	larger, _ := e.Vector(n+1, 1)
	x, y := make([]envs.Outcome, n), make([]envs.Outcome, n)
	for t := range 333 {
		drive(v, t, x)
	}
	blob := v.State(nil)
	if err := larger.SetState(blob); err == nil {
		return fmt.Errorf("a vector of %d took the state of %d", n+1, n)
	}
	before := w.State(nil)
	for i := range blob {
		if w.SetState(blob[:i]) == nil {
			return fmt.Errorf("the first %d of %d bytes were taken", i, len(blob))
		}
	}
	if !bytes.Equal(before, w.State(nil)) {
		return fmt.Errorf("a refused state left its mark")
	}
	if err := w.SetState(blob); err != nil {
		return fmt.Errorf("its own state was refused: %w", err)
	}
	for t := range 500 {
		if !bytes.Equal(v.State(nil), w.State(nil)) {
			return fmt.Errorf("the copy differs after %d steps", t)
		}
		drive(v, t, x)
		drive(w, t, y)
		for i := range x {
			if x[i] != y[i] {
				return fmt.Errorf("step %d: copy %d gave %v, want %v", t, i, y[i], x[i])
			}
		}
	}
	return nil
}
