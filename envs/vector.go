package envs

import (
	"encoding/binary"
	"errors"
	"fmt"

	"impalab/envs/world"
)

// vector is n copies of any world, or of several with the same shape (a suite). Copies step one after the other, each
// with its own generator. So the course of a copy depends on the seed, its number and its actions, never on n.
type vector struct {
	spec   *Spec
	fresh  func(i int) World // makes copy i
	worlds []World
	rands  []Rand
	size   int
	last   []float32 // [n, size]: where copies stopped, written when they stop

	endless bool
}

func newVector(spec *Spec, fresh func(i int) World, n int, seed uint64) *vector {
	v := &vector{
		spec:   spec,
		fresh:  fresh,
		worlds: make([]World, n),
		rands:  make([]Rand, n),
		size:   spec.Size(),
	}
	v.last = make([]float32, n*v.size)
	v.Reset(seed)
	return v
}

func (v *vector) Spec() *Spec { return v.spec }
func (v *vector) Len() int    { return len(v.worlds) }

// Reset makes the copies again: some worlds carry more than an episode's state.
func (v *vector) Reset(seed uint64) {
	for i := range v.worlds {
		v.worlds[i] = v.fresh(i)
		v.rands[i] = NewRand(seed, uint64(i))
		v.worlds[i].Reset(&v.rands[i])
	}
}

func (v *vector) Observe(obs []float32) {
	if len(obs) != len(v.last) {
		panic("envs: Observe needs room for n observations")
	}
	for i, w := range v.worlds {
		w.Observe(obs[i*v.size : (i+1)*v.size])
	}
}

func (v *vector) Step(actions []int32, out []Outcome) {
	if len(actions) != len(v.worlds) || len(out) != len(v.worlds) {
		panic("envs: Step needs n actions and n outcomes")
	}
	for i, w := range v.worlds {
		out[i] = w.Step(&v.rands[i], int(actions[i]))
		v.nextEpisode(i, &out[i])
	}
}

func (v *vector) Drive(controls []float32, out []Outcome) {
	d := len(v.spec.Controls)
	if d == 0 {
		panic("envs: this world's actions are names, not numbers")
	}
	if len(controls) != d*len(v.worlds) || len(out) != len(v.worlds) {
		panic("envs: Drive needs n settings of the controls and n outcomes")
	}
	for i, w := range v.worlds {
		out[i] = w.(Driven).Drive(&v.rands[i], controls[i*d:(i+1)*d])
		v.nextEpisode(i, &out[i])
	}
}

// Endless takes the time limit away.
func (v *vector) Endless() { v.endless = true }

// nextEpisode begins the next episode of copy i where one is over.
func (v *vector) nextEpisode(i int, out *Outcome) {
	if v.endless && out.End == Truncated {
		out.End = Running
	}
	if out.End != Running {
		v.worlds[i].Observe(v.last[i*v.size : (i+1)*v.size])
		v.worlds[i].Reset(&v.rands[i])
	}
}

func (v *vector) Final(i int, obs []float32) {
	copy(obs, v.last[i*v.size:(i+1)*v.size])
}

// State is the header, n, then for each copy its generator and its world's state. Final observations are not in
// it: they are read before the next Step, and a snapshot is taken after.
func (v *vector) State(dst []byte) []byte {
	dst = world.Begin(dst, world.Many, v.spec)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(v.worlds)))
	for i, w := range v.worlds {
		s := v.rands[i].State()
		dst = binary.LittleEndian.AppendUint64(dst, s[0])
		dst = binary.LittleEndian.AppendUint64(dst, s[1])
		at := len(dst)
		dst = w.State(append(dst, 0, 0, 0, 0))
		binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	}
	return dst
}

// SetState restores the output of State; a refused blob changes nothing.
func (v *vector) SetState(src []byte) error {
	b := world.Open(src, world.Many, v.spec)
	if n := b.Uint32(); b.Err == nil && int64(n) != int64(len(v.worlds)) {
		return fmt.Errorf("envs: the state holds %d copies of %q, this vector has %d", n, v.spec.Name, len(v.worlds))
	}
	next := newVector(v.spec, v.fresh, len(v.worlds), 0)
	for i := 0; i < len(v.worlds) && b.Err == nil; i++ {
		s := [2]uint64{b.Uint64(), b.Uint64()}
		one := b.Next(int(b.Uint32()))
		if b.Err == nil {
			b.Err = errors.Join(next.rands[i].SetState(s), next.worlds[i].SetState(one))
		}
	}
	if err := b.Close(); err != nil {
		return err
	}
	next.endless = v.endless
	*v = *next
	return nil
}
