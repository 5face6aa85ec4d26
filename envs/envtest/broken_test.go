package envtest

import (
	"math"
	"testing"

	"impalab/envs"
)

// broken is a sound world with one thing wrong: a hook that is set replaces the method.
type broken struct {
	envs.Finite
	spec     *envs.Spec
	reset    func(w envs.World, r *envs.Rand)
	step     func(w envs.World, r *envs.Rand, action int) envs.Outcome
	observe  func(w envs.World, obs []float32)
	state    func(w envs.World, dst []byte) []byte
	setState func(w envs.World, src []byte) error
	draw     func(w envs.World, c envs.Canvas)
	mdp      func(m *envs.MDP) *envs.MDP
}

func (b *broken) Spec() *envs.Spec {
	if b.spec != nil {
		return b.spec
	}
	return b.Finite.Spec()
}

func (b *broken) Reset(r *envs.Rand) {
	if b.reset != nil {
		b.reset(b.Finite, r)
		return
	}
	b.Finite.Reset(r)
}

func (b *broken) Step(r *envs.Rand, action int) envs.Outcome {
	if b.step != nil {
		return b.step(b.Finite, r, action)
	}
	return b.Finite.Step(r, action)
}

func (b *broken) Observe(obs []float32) {
	b.Finite.Observe(obs)
	if b.observe != nil {
		b.observe(b.Finite, obs)
	}
}

func (b *broken) State(dst []byte) []byte {
	if b.state != nil {
		return b.state(b.Finite, dst)
	}
	return b.Finite.State(dst)
}

func (b *broken) SetState(src []byte) error {
	if b.setState != nil {
		return b.setState(b.Finite, src)
	}
	return b.Finite.SetState(src)
}

func (b *broken) Draw(c envs.Canvas) {
	if b.draw != nil {
		b.draw(b.Finite, c)
		return
	}
	b.Finite.Draw(c)
}

func (b *broken) MDP() *envs.MDP {
	if b.mdp != nil {
		return b.mdp(b.Finite.MDP())
	}
	return b.Finite.MDP()
}

var sink []byte

// Every claim can fail, and fails for the fault it is about.
func TestBrokenWorldsAreFound(t *testing.T) {
	sound, err := envs.Lookup("cliff")
	if err != nil {
		t.Fatal(err)
	}
	clock := 0 // hidden state, shared between copies, which no world may have
	otherSpec := func(change func(s *envs.Spec)) *envs.Spec {
		s := *sound.Spec
		change(&s)
		return &s
	}
	blot := func(x, y float32, ink envs.Ink) func(envs.World, envs.Canvas) {
		return func(w envs.World, c envs.Canvas) { w.Draw(c); c.Circle(x, y, .1, ink) }
	}
	for _, c := range []struct {
		fault string
		claim func(*envs.Entry) error
		world broken
	}{
		{"an action without a name", specComplete,
			broken{spec: otherSpec(func(s *envs.Spec) { s.Actions = []string{"up", "", "down", "left"} })}},
		{"no source", specComplete, broken{spec: otherSpec(func(s *envs.Spec) { s.Source = "" })}},
		{"NaN in an observation", observationsFinite,
			broken{observe: func(_ envs.World, obs []float32) { obs[3] = float32(math.NaN()) }}},
		{"more values than the shape", observationsFinite, broken{observe: func(_ envs.World, obs []float32) {
			if len(obs) > 48 {
				obs[48] = 0
			}
		}}},
		{"hidden chance", seedDecides, broken{step: func(w envs.World, r *envs.Rand, action int) envs.Outcome {
			clock++
			return w.Step(r, (action+clock%2)%4)
		}}},
		{"no chance at all", seedDecides, broken{
			reset: func(w envs.World, _ *envs.Rand) { r := envs.NewRand(1, 1); w.Reset(&r) },
			step:  func(w envs.World, _ *envs.Rand, _ int) envs.Outcome { r := envs.NewRand(1, 1); return w.Step(&r, 0) },
		}},
		{"actions that wrap around", actionsChecked,
			broken{step: func(w envs.World, r *envs.Rand, action int) envs.Outcome { return w.Step(r, action&3) }}},
		{"a limit that comes late", episodesEnd, broken{spec: otherSpec(func(s *envs.Spec) { s.Limit = 10 })}},
		{"a limit called an end", episodesEnd, broken{step: func(w envs.World, r *envs.Rand, action int) envs.Outcome {
			out := w.Step(r, action)
			if out.End == envs.Terminated {
				out.End = envs.Truncated
			}
			return out
		}}},
		{"a reset that does nothing", episodesEnd, broken{reset: func(envs.World, *envs.Rand) {}}},
		{"a state that forgets the steps", stateGoesOn, broken{state: func(w envs.World, dst []byte) []byte {
			at := len(dst)
			dst = w.State(dst)
			clear(dst[at+12 : at+16])
			return dst
		}}},
		{"a state that starts over", stateGoesOn, broken{state: func(w envs.World, _ []byte) []byte { return w.State(nil) }}},
		{"a state taken from anyone", stateSafe, broken{setState: func(w envs.World, src []byte) error {
			_ = w.SetState(src)
			return nil
		}}},
		{"a state with room behind it", stateSafe,
			broken{setState: func(w envs.World, src []byte) error {
				return w.SetState(src[:min(len(src),
					len(w.State(nil)))])
			}}},
		{"drawing that moves", drawingPure, broken{draw: func(w envs.World, c envs.Canvas) {
			w.Draw(c)
			r := envs.NewRand(1, 1)
			w.Step(&r, 0)
		}}},
		{"drawing nothing", drawingPure, broken{draw: func(envs.World, envs.Canvas) {}}},
		{"drawing outside", drawingPure, broken{draw: blot(14, 2, envs.Strong)}},
		{"drawing in a colour of its own", drawingPure, broken{draw: blot(1, 1, 99)}},
		{"a picture outside", drawingPure, broken{draw: func(w envs.World, c envs.Canvas) {
			w.Draw(c)
			c.Picture(10, 1, 5, 1, make([]byte, 12), 2)
		}}},
		{"a picture of half a row", drawingPure, broken{draw: func(w envs.World, c envs.Canvas) {
			w.Draw(c)
			c.Picture(1, 1, 1, 1, make([]byte, 9), 2)
		}}},
		{"a picture by the clock", drawingPure, broken{draw: func(w envs.World, c envs.Canvas) {
			clock++
			w.Draw(c)
			c.Picture(1, 1, 1, 1, []byte{0, 0, byte(clock)}, 1)
		}}},
		{"drawing by the clock", drawingPure, broken{draw: func(w envs.World, c envs.Canvas) {
			clock++
			w.Draw(c)
			c.Circle(1, 1, 1/float32(1+clock), envs.Agent)
		}}},
		{"copies that know of each other", vectorAgrees,
			broken{step: func(w envs.World, r *envs.Rand, action int) envs.Outcome {
				clock++
				out := w.Step(r, action)
				out.Reward += float32(clock)
				return out
			}}},
		{"copies with a memory outside their state", vectorStateGoesOn,
			broken{step: func(w envs.World, r *envs.Rand, action int) envs.Outcome {
				clock++
				out := w.Step(r, action)
				out.Reward += float32(clock)
				return out
			}}},
		{"a step that allocates", nothingAllocated, broken{step: func(w envs.World, r *envs.Rand, action int) envs.Outcome {
			sink = make([]byte, 8)
			return w.Step(r, action)
		}}},
		{"a return that is only claimed", uniformReturn, broken{spec: otherSpec(func(s *envs.Spec) { s.Random = -.9 })}},
		{"a table of a world that slips less", tableTrue, broken{mdp: func(m *envs.MDP) *envs.MDP {
			lie := *m
			lie.Next = make([][]envs.Branch, len(m.Next))
			for i, list := range m.Next {
				lie.Next[i] = append(lie.Next[i], list...)
				for k := range lie.Next[i] {
					if k == 0 {
						lie.Next[i][k].P += .025 * float64(len(list)-1) / 3
					} else {
						lie.Next[i][k].P -= .025 / 3
					}
				}
			}
			return &lie
		}}},
		{"a state that looks like another", tableTrue,
			broken{observe: func(_ envs.World, obs []float32) { obs[0], obs[1] = obs[1], obs[0] }}},
		{"a step that pays other than the table", tableTrue,
			broken{step: func(w envs.World, r *envs.Rand, action int) envs.Outcome {
				out := w.Step(r, action)
				out.Reward *= 2
				return out
			}}},
	} {
		spec := c.world.spec
		if spec == nil {
			spec = sound.Spec
		}
		e := &envs.Entry{Spec: spec, New: func() envs.World {
			w := c.world
			w.Finite = sound.New().(envs.Finite)
			return &w
		}}
		if err := c.claim(e); err == nil {
			t.Errorf("%s: nobody noticed", c.fault)
		} else {
			t.Logf("%s: %v", c.fault, err)
		}
	}
	for _, claim := range Claims { // the hooks alone break nothing
		if err := claim.Check(&envs.Entry{Spec: sound.Spec,
			New: func() envs.World { return &broken{Finite: sound.New().(envs.Finite)} }}); err != nil {
			t.Errorf("a sound world in the same wrapper: %s: %v", claim.Says, err)
		}
	}
}
