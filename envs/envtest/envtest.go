// Package envtest is the conformance suite of worlds. A claim is a sentence and a check that returns the first reason
// against it. Every world of the table passes all claims, and a test breaks worlds on purpose to show that each claim
// can fail.
package envtest

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"impalab/envs"
)

// Claim is one thing that must hold of a world.
type Claim struct {
	Says  string
	Check func(e *envs.Entry) error
}

// Claims are all of them, in the order in which a new world meets them.
var Claims = []Claim{
	{"its spec is complete", specComplete},
	{"an observation fills its shape with finite numbers", observationsFinite},
	{"the seed decides every byte", seedDecides},
	{"an action out of range panics with a constant", actionsChecked},
	{"an episode ends, is cut at its limit and not before, and restarts", episodesEnd},
	{"a state from the middle continues the same elsewhere", stateGoesOn},
	{"a foreign or damaged state is refused or harmless, never a panic", stateSafe},
	{"drawing shows something within its view and changes nothing", drawingPure},
	{"a vector steps like its single copies, however many there are", vectorAgrees},
	{"a vector's state continues the same elsewhere", vectorStateGoesOn},
	{"stepping, observing and drawing allocate nothing", nothingAllocated},
	{"controls have names, ranges and a setting for each named action", controlsComplete},
	{"a control beyond its range does what the end of the range does", drivingClipped},
	{"a control that is not a number panics with a constant", notANumberRefused},
	{"a named action drives with its setting", namedActionsDrive},
	{"a vector drives like its single copies, or says that it cannot", vectorDrives},
	{"driving allocates nothing", drivingAllocatesNothing},
	{"the uniform policy returns what the spec says", uniformReturn},
	{"a finite world steps with the probabilities of its table", tableTrue},
}

// Run tests all claims on one world.
func Run(t *testing.T, e *envs.Entry) {
	for _, c := range Claims {
		t.Run(strings.ReplaceAll(c.Says, " ", "_"), func(t *testing.T) {
			if err := c.Check(e); err != nil {
				t.Error(err)
			}
		})
	}
}

// player plays one world with a uniform policy and resets it when it ends.
type player struct {
	envs.World
	world, policy envs.Rand // apart, so that the policy's draws do not move the world's
	steps         int       // of this episode
}

func newPlayer(e *envs.Entry, seed uint64) *player {
	p := &player{World: e.New(), world: envs.NewRand(seed, 0), policy: envs.NewRand(seed, 1)}
	p.Reset(&p.world)
	return p
}

// step plays one step; a finished episode is left as it stopped.
func (p *player) step() (int, envs.Outcome) {
	action := p.policy.IntN(len(p.Spec().Actions))
	p.steps++
	return action, p.Step(&p.world, action)
}

// advance plays one step and begins the next episode where one is over.
func (p *player) advance() (int, envs.Outcome) {
	action, out := p.step()
	if out.End != envs.Running {
		p.Reset(&p.world)
		p.steps = 0
	}
	return action, out
}

func observe(w envs.World) []float32 {
	obs := make([]float32, w.Spec().Size())
	w.Observe(obs)
	return obs
}

func equal(a, b []float32) bool {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

func specComplete(e *envs.Entry) error {
	s := e.Spec
	if s != e.New().Spec() {
		return fmt.Errorf("the entry's spec is not the world's")
	}
	plain, _, _ := strings.Cut(s.Name, ":")
	if plain == "" || strings.Trim(plain, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("the name %q needs lower-case letters, digits and dashes", plain)
	}
	if s.Title == "" || s.Summary == "" || s.Source == "" {
		return fmt.Errorf("title, summary or source is missing")
	}
	seen := map[string]bool{}
	for _, a := range s.Actions {
		if a == "" || seen[a] {
			return fmt.Errorf("the action %q has no name of its own", a)
		}
		seen[a] = true
	}
	for _, d := range s.Obs {
		if d < 1 {
			return fmt.Errorf("the shape %v is empty", s.Obs)
		}
	}
	if len(s.Actions) < 2 || len(s.Obs) == 0 || s.Limit < 0 || !(s.Random < s.Solved) ||
		!(s.View[0] > 0 && s.View[1] > 0) {
		return fmt.Errorf("out of range: %+v", *s)
	}
	return nil
}

func observationsFinite(e *envs.Entry) error {
	p := newPlayer(e, 1)
	n := e.Spec.Size()
	buffer := make([]float32, n+1)
	for i := range 2000 {
		for j := range buffer {
			buffer[j] = float32(math.NaN())
		}
		p.Observe(buffer[:n:n])
		for j, x := range buffer[:n] {
			if !finite(x) {
				return fmt.Errorf("step %d: value %d is %v, or was not written", i, j, x)
			}
		}
		p.Observe(buffer) // room to spare must stay untouched
		if !math.IsNaN(float64(buffer[n])) {
			return fmt.Errorf("step %d: wrote more than %d values", i, n)
		}
		if _, out := p.advance(); !finite(out.Reward) {
			return fmt.Errorf("step %d: the reward is %v", i, out.Reward)
		}
	}
	return nil
}

func seedDecides(e *envs.Entry) error {
	a, b, other := newPlayer(e, 1), newPlayer(e, 1), newPlayer(e, 2)
	differs := false
	for i := range 2000 {
		_, x := a.advance()
		_, y := b.advance()
		_, z := other.advance()
		state := a.State(nil)
		if x != y || !bytes.Equal(state, b.State(nil)) || !equal(observe(a), observe(b)) {
			return fmt.Errorf("step %d: one seed, two ways", i)
		}
		differs = differs || x != z || !bytes.Equal(state, other.State(nil))
	}
	if !differs {
		return fmt.Errorf("two seeds, one way")
	}
	return nil
}

func actionsChecked(e *envs.Entry) error {
	p := newPlayer(e, 1)
	before := p.State(nil)
	for _, action := range []int{-1, len(e.Spec.Actions), math.MaxInt, math.MinInt} {
		if err := mustPanic("action", func() { p.Step(&p.world, action) }); err != nil {
			return fmt.Errorf("action %d %w", action, err)
		}
		if !bytes.Equal(before, p.State(nil)) {
			return fmt.Errorf("action %d changed the state", action)
		}
	}
	return nil
}

func episodesEnd(e *envs.Entry) error {
	const enough = 20_000
	p := newPlayer(e, 1)
	ends := 0
	for range enough {
		_, out := p.step()
		limit := e.Spec.Limit
		switch {
		case out.End > envs.Truncated:
			return fmt.Errorf("an unknown end: %d", out.End)
		case out.End == envs.Truncated && (limit == 0 || p.steps != limit):
			return fmt.Errorf("cut after %d steps; the limit is %d", p.steps, limit)
		case out.End == envs.Running && limit > 0 && p.steps >= limit:
			return fmt.Errorf("continues after %d steps; the limit is %d", p.steps, limit)
		}
		if out.End == envs.Running {
			continue
		}
		observe(p) // the last observation must be there to see
		ends++
		fresh, chance := e.New(), p.world
		fresh.Reset(&chance)
		p.Reset(&p.world)
		p.steps = 0
		same := equal(observe(p), observe(fresh)) || lasting(p.World)
		if !same || chance.State() != p.world.State() {
			return fmt.Errorf("after %d episodes, a reset is not a new beginning", ends)
		}
	}
	if ends == 0 {
		return fmt.Errorf("no episode ended in %d steps", enough)
	}
	return nil
}

// lasting is true for a world with state that outlives episodes: statistics of its observations.
func lasting(w envs.World) bool {
	l, ok := w.(interface{ Lasting() bool })
	return ok && l.Lasting()
}

// uniformReturn leaves wrapped worlds alone: their specs have the returns of the world within.
func uniformReturn(e *envs.Entry) error {
	if e.Bare != nil {
		return nil
	}
	const episodes, enough = 3000, 400_000
	p := newPlayer(e, 1)
	sum, squares, one, n := 0.0, 0.0, 0.0, 0.0
	for steps := 0; n < episodes && (steps < enough || n < 100); steps++ {
		_, out := p.advance()
		one += float64(out.Reward)
		if out.End != envs.Running {
			sum += one
			squares += one * one
			one = 0
			n++
		}
	}
	mean := sum / n
	spread := math.Sqrt((squares/n - mean*mean) / n)
	want := float64(e.Spec.Random)
	if math.Abs(mean-want) > 5*spread+.01*math.Abs(want) {
		return fmt.Errorf("the uniform policy returns %.3f ± %.3f, the spec says %v", mean, spread, want)
	}
	return nil
}

func nothingAllocated(e *envs.Entry) error {
	const n = 4
	p := newPlayer(e, 1)
	v, err := e.Vector(n, 1)
	if err != nil {
		return err
	}
	obs, one := make([]float32, n*e.Spec.Size()), make([]float32, e.Spec.Size())
	actions, out := make([]int32, n), make([]envs.Outcome, n)
	state := make([]byte, 0, 1<<20)
	for what, f := range map[string]func(){
		"a step":        func() { p.advance() },
		"a look":        func() { p.Observe(one) },
		"a state":       func() { state = p.State(state[:0]) },
		"a drawing":     func() { p.Draw(blank{}) },
		"a vector step": func() { v.Step(actions, out); v.Observe(obs); v.Final(0, one) },
	} {
		if allocated := testing.AllocsPerRun(1000, f); allocated != 0 {
			return fmt.Errorf("%s allocates %v times", what, allocated)
		}
	}
	return nil
}

// blank is a canvas that costs nothing.
type blank struct{}

func (blank) Rect(x, y, w, h float32, ink envs.Ink)            {}
func (blank) Circle(x, y, r float32, ink envs.Ink)             {}
func (blank) Line(x0, y0, x1, y1, width float32, ink envs.Ink) {}
func (blank) Polygon(xy []float32, ink envs.Ink)               {}

func (blank) Picture(x, y, w, h float32, rgb []byte, columns int) {}
