package envtest

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"impalab/envs"
)

// Claims about worlds with controls of real numbers. Of other worlds they say that there is nothing to drive.

func driven(e *envs.Entry) bool { _, ok := e.New().(envs.Driven); return ok }

func controlsComplete(e *envs.Entry) error {
	s := e.Spec
	if driven(e) != (len(s.Controls) > 0) || (len(s.Controls) == 0) != (len(s.Settings) == 0) {
		return fmt.Errorf("%d controls, %d settings, driven: %v", len(s.Controls), len(s.Settings), driven(e))
	}
	seen := map[string]bool{}
	for _, c := range s.Controls {
		if c.Name == "" || seen[c.Name] {
			return fmt.Errorf("the control %q has no name of its own", c.Name)
		}
		seen[c.Name] = true
		if !finite(c.Low) || !finite(c.High) || !(c.Low < c.High) {
			return fmt.Errorf("the control %q has the range %v to %v", c.Name, c.Low, c.High)
		}
	}
	if len(s.Controls) > 0 && len(s.Settings) != len(s.Actions) {
		return fmt.Errorf("%d settings for %d actions", len(s.Settings), len(s.Actions))
	}
	for a, setting := range s.Settings {
		if len(setting) != len(s.Controls) {
			return fmt.Errorf("the action %q sets %d of %d controls", s.Actions[a], len(setting), len(s.Controls))
		}
		for i, x := range setting {
			if c := s.Controls[i]; !(x >= c.Low && x <= c.High) {
				return fmt.Errorf("the action %q sets %q to %v, out of its range", s.Actions[a], c.Name, x)
			}
		}
	}
	return nil
}

// twins plays a world, and in every state compares two ways to take the next step from it.
func twins(e *envs.Entry, compare func(a, b envs.Driven, chanceA, chanceB *envs.Rand, step int) error) error {
	if !driven(e) {
		return nil
	}
	p := newPlayer(e, 1)
	for step := range 1500 {
		a, b := e.New().(envs.Driven), e.New().(envs.Driven)
		state := p.State(nil)
		if err := a.SetState(state); err != nil {
			return err
		}
		if err := b.SetState(state); err != nil {
			return err
		}
		chanceA, chanceB := p.world, p.world
		if err := compare(a, b, &chanceA, &chanceB, step); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
		if !bytes.Equal(a.State(nil), b.State(nil)) || chanceA.State() != chanceB.State() {
			return fmt.Errorf("step %d: it leads elsewhere", step)
		}
		p.advance()
	}
	return nil
}

// drivingClipped lets a world charge for values beyond the range (Gymnasium's MountainCarContinuous does), never pay.
func drivingClipped(e *envs.Entry) error {
	infinite := float32(math.Inf(1))
	return twins(e, func(a, b envs.Driven, chanceA, chanceB *envs.Rand, step int) error {
		controls := e.Spec.Controls
		beyond, ends := make([]float32, len(controls)), make([]float32, len(controls))
		for i, c := range controls {
			far := [...]float32{.01, 1, 1e6, math.MaxFloat32, infinite}[(step/2+i)%5]
			if (step>>i)%2 == 0 {
				beyond[i], ends[i] = c.Low-far, c.Low
			} else {
				beyond[i], ends[i] = c.High+far, c.High
			}
		}
		x, y := a.Drive(chanceA, beyond), b.Drive(chanceB, ends)
		if x.End != y.End || !finite(x.Reward) || x.Reward > y.Reward {
			return fmt.Errorf("%v gave %v, the ends of the ranges %v", beyond, x, y)
		}
		return nil
	})
}

func namedActionsDrive(e *envs.Entry) error {
	return twins(e, func(a, b envs.Driven, chanceA, chanceB *envs.Rand, step int) error {
		action := step % len(e.Spec.Actions)
		x, y := a.Step(chanceA, action), b.Drive(chanceB, e.Spec.Settings[action])
		if x != y {
			return fmt.Errorf("the action %q gave %v, its setting of the controls %v", e.Spec.Actions[action], x, y)
		}
		return nil
	})
}

func notANumberRefused(e *envs.Entry) error {
	if !driven(e) {
		return nil
	}
	p := newPlayer(e, 1)
	before := p.State(nil)
	for i := range e.Spec.Controls {
		controls := make([]float32, len(e.Spec.Controls))
		controls[i] = float32(math.NaN())
		if err := mustPanic("control", func() { p.World.(envs.Driven).Drive(&p.world, controls) }); err != nil {
			return fmt.Errorf("control %d: %w", i, err)
		}
		if !bytes.Equal(before, p.State(nil)) {
			return fmt.Errorf("control %d: it left its mark", i)
		}
	}
	return nil
}

// mustPanic wants one sentence of this package that has the word in it.
func mustPanic(word string, f func()) (err error) {
	defer func() {
		got := recover()
		if text, ok := got.(string); !ok || !strings.HasPrefix(text, "envs: ") || !strings.Contains(text, word) {
			err = fmt.Errorf("gave %v, want a panic with one sentence about %ss", got, word)
		}
	}()
	f()
	return nil
}

func vectorDrives(e *envs.Entry) error {
	const n, seed = 3, 5
	v, err := e.Vector(n, seed)
	if err != nil {
		return err
	}
	out := make([]envs.Outcome, n)
	if !driven(e) {
		return mustPanic("action", func() { v.Drive(nil, out) })
	}
	d, size := len(e.Spec.Controls), e.Spec.Size()
	var single [n]envs.Driven
	var chance [n]envs.Rand
	for i := range single {
		single[i], chance[i] = e.New().(envs.Driven), envs.NewRand(seed, uint64(i))
		single[i].Reset(&chance[i])
	}
	policy := envs.NewRand(seed, n)
	controls, obs, last := make([]float32, n*d), make([]float32, n*size), make([]float32, size)
	for t := range 1500 {
		for i := range controls {
			c := e.Spec.Controls[i%d]
			controls[i] = c.Low + (c.High-c.Low)*(1.2*policy.Float32()-.1)
		}
		v.Drive(controls, out)
		v.Observe(obs)
		for i, w := range single {
			want := w.Drive(&chance[i], controls[i*d:(i+1)*d])
			if want != out[i] {
				return fmt.Errorf("step %d: copy %d gave %v, alone %v", t, i, out[i], want)
			}
			if want.End != envs.Running {
				v.Final(i, last)
				if !equal(last, observe(w)) {
					return fmt.Errorf("step %d: the final observation of copy %d is not where it stopped", t, i)
				}
				w.Reset(&chance[i])
			}
			if !equal(obs[i*size:(i+1)*size], observe(w)) {
				return fmt.Errorf("step %d: copy %d sees something else than alone", t, i)
			}
		}
	}
	return nil
}

func drivingAllocatesNothing(e *envs.Entry) error {
	if !driven(e) {
		return nil
	}
	const n = 4
	v, err := e.Vector(n, 1)
	if err != nil {
		return err
	}
	w, chance := e.New().(envs.Driven), envs.NewRand(1, 0)
	w.Reset(&chance)
	controls, out := make([]float32, n*len(e.Spec.Controls)), make([]envs.Outcome, n)
	one := func() {
		if w.Drive(&chance, controls[:len(e.Spec.Controls)]).End != envs.Running {
			w.Reset(&chance)
		}
	}
	if allocated := testing.AllocsPerRun(1000, one); allocated != 0 {
		return fmt.Errorf("a drive allocates %v times", allocated)
	}
	if allocated := testing.AllocsPerRun(1000, func() { v.Drive(controls, out) }); allocated != 0 {
		return fmt.Errorf("a vector's drive allocates %v times", allocated)
	}
	return nil
}
