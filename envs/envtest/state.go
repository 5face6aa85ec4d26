package envtest

import (
	"bytes"
	"fmt"

	"impalab/envs"
)

// Claims about states: they travel to the browser and back from snapshots.

func stateGoesOn(e *envs.Entry) error {
	p := newPlayer(e, 1)
	for round := range 40 {
		for range 1 + 7*round {
			p.advance()
		}
		blob := p.State([]byte("before"))
		if !bytes.HasPrefix(blob, []byte("before")) {
			return fmt.Errorf("the state is not appended to what dst held")
		}
		blob = blob[len("before"):]
		q := *p
		q.World = e.New()
		if err := q.SetState(blob); err != nil {
			return fmt.Errorf("its own state was refused: %w", err)
		}
		for i := range 100 {
			if !bytes.Equal(p.State(nil), q.State(nil)) || !equal(observe(p), observe(q)) {
				return fmt.Errorf("the copy differs after %d steps", i)
			}
			_, x := p.advance()
			_, y := q.advance()
			if x != y {
				return fmt.Errorf("step %d of the copy gave %v, want %v", i, y, x)
			}
		}
	}
	return nil
}

func stateSafe(e *envs.Entry) error {
	p := newPlayer(e, 1)
	for range 5 {
		p.advance()
	}
	blob := p.State(nil)
	var foreign [][]byte
	for i := range envs.Table {
		if other := &envs.Table[i]; other.Spec.Name != e.Spec.Name {
			foreign = append(foreign, newPlayer(other, 1).State(nil))
		}
	}
	for n := range blob {
		foreign = append(foreign, blob[:n])
	}
	foreign = append(foreign, append(bytes.Clone(blob), 0))
	if v, err := e.Vector(1, 1); err == nil {
		foreign = append(foreign, v.State(nil))
	}
	for _, b := range foreign {
		if err := p.SetState(b); err == nil || err.Error() == "" {
			return fmt.Errorf("a state that is not its own was taken, or refused without a reason: %.40q", b)
		}
		if !bytes.Equal(blob, p.State(nil)) {
			return fmt.Errorf("a refused state left its mark")
		}
	}
	for i := range blob {
		for bit := range 8 {
			if len(blob) > 256 && bit != i%8 {
				continue // of a large state, one bit a byte: the fuzzer turns the others
			}
			damaged := bytes.Clone(blob)
			damaged[i] ^= 1 << bit
			if err := Feed(e.New(), damaged); err != nil {
				return fmt.Errorf("byte %d, bit %d turned: %w", i, bit, err)
			}
		}
		damaged := bytes.Clone(blob) // eight bytes of ones: NaN, −1, the largest number there is
		for j := i; j < min(i+8, len(blob)); j++ {
			damaged[j] = 0xFF
		}
		if err := Feed(e.New(), damaged); err != nil {
			return fmt.Errorf("all ones from byte %d: %w", i, err)
		}
	}
	return nil
}

// Feed gives a world arbitrary bytes. Accepted bytes must come out the same, and the state must be playable; the world
// must refuse all others. A panic is the world's fault, and passes through.
func Feed(w envs.World, src []byte) error {
	if w.SetState(src) != nil {
		return nil
	}
	if !bytes.Equal(src, w.State(nil)) {
		return fmt.Errorf("accepted, but comes out as other bytes")
	}
	r := envs.NewRand(1, 0)
	for i := range 20 {
		if i%5 == 0 {
			w.Draw(blank{})
		}
		for j, x := range observe(w) {
			if !finite(x) {
				return fmt.Errorf("accepted, but value %d of the observation is %v", j, x)
			}
		}
		if out := w.Step(&r, i%len(w.Spec().Actions)); !finite(out.Reward) {
			return fmt.Errorf("accepted, but pays %v", out.Reward)
		}
	}
	return nil
}
