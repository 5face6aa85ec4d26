package play

import (
	"math"
	"slices"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/net"
)

// Map is both policies and the learned value in every state of a finite world.
type Map struct {
	World     string
	Actions   int
	Policy    []float32 // [States, Actions] π(a|s)
	Acting    []float32 // [States, Actions] μ(a|s)
	Value     []float32 // [States] V(s), in the world's own rewards
	Low, High float32   // range of V over the states of an episode
	Most      float32   // the largest probability in Policy and Acting

	world   envs.Finite
	forward *net.Forward
	obs     []float32
}

// mapStates limits the states of a map. The page computes it about once a second.
const mapStates = 2000

// NewMap returns a map. It returns nil if the world is not finite or too large, if its picture has no place for a
// state, or if the network has a memory.
func NewMap(world envs.World, spec net.Spec) *Map {
	finite, ok := world.(envs.Mapped)
	if !ok || spec.States() > 0 || spec.Feedback > 0 || spec.Policy != net.Softmax {
		return nil
	}
	mdp := finite.MDP()
	if mdp.States > mapStates {
		return nil
	}
	m := &Map{
		World: world.Spec().Name, Actions: mdp.Actions, Policy: make([]float32, mdp.States*mdp.Actions),
		Acting: make([]float32, mdp.States*mdp.Actions), Value: make([]float32, mdp.States),
		world: finite, forward: net.NewForward(spec, mdp.States), obs: make([]float32, mdp.States*spec.Obs),
	}
	for s := range mdp.States {
		finite.Show(s, m.obs[s*spec.Obs:(s+1)*spec.Obs])
	}
	return m
}

// Draw computes the map for newer parameters.
func (m *Map) Draw(by *Policies, cfg *hyper.Config) {
	mdp := m.world.MDP()
	logits, values := m.forward.Run(by.Target, m.obs, nil, mdp.States)
	correct.Softmax(m.Policy, logits, logits, m.Actions)
	m.Low, m.High = float32(math.Inf(1)), float32(math.Inf(-1))
	for s := range m.Value {
		m.Value[s] = (by.Scale[0]*values[s] + by.Shift[0]) / float32(cfg.RewardScale)
		if !mdp.Over[s] {
			m.Low, m.High = min(m.Low, m.Value[s]), max(m.High, m.Value[s])
		}
	}
	switch {
	case cfg.Behave == hyper.BehaveUniform:
		for i := range m.Acting {
			m.Acting[i] = 1 / float32(m.Actions)
		}
	case slices.Equal(by.Behaviour, by.Target):
		copy(m.Acting, m.Policy)
	default:
		logits, _ = m.forward.Run(by.Behaviour, m.obs, nil, mdp.States)
		correct.Softmax(m.Acting, logits, logits, m.Actions)
	}
	m.Most = max(slices.Max(m.Policy), slices.Max(m.Acting))
}

// Differs reports whether μ takes an action of a state so much more often than π that a picture shows it.
func (m *Map) Differs(s, action int) bool {
	const much = 0.1
	i := s*m.Actions + action
	return m.Acting[i]-m.Policy[i] > much
}

// Clone returns a copy of the map, which Draw does not change.
func (m *Map) Clone() *Map {
	return &Map{World: m.World, Actions: m.Actions, Policy: slices.Clone(m.Policy), Acting: slices.Clone(m.Acting),
		Value: slices.Clone(m.Value), Low: m.Low, High: m.High, Most: m.Most}
}

// compass has the directions of actions in a picture; y points down.
var compass = map[string][2]float32{"up": {0, -1}, "right": {1, 0}, "down": {0, 1}, "left": {-1, 0}}

// Way returns the direction of an action in the picture, of length 1. It points to the most likely next state or, if
// that is the same state, where its name says. 0, 0: nowhere.
func Way(world envs.Mapped, s, action int) (dx, dy float32) {
	mdp := world.MDP()
	likely := envs.Branch{}
	for _, b := range mdp.Next[s*mdp.Actions+action] {
		if b.P > likely.P {
			likely = b
		}
	}
	if likely.P > 0 && likely.To != s {
		x0, y0, _, here := world.Position(s)
		x1, y1, _, there := world.Position(likely.To)
		if length := float32(math.Hypot(float64(x1-x0), float64(y1-y0))); here && there && length > 0 {
			return (x1 - x0) / length, (y1 - y0) / length
		}
	}
	way := compass[world.Spec().Actions[action]]
	return way[0], way[1]
}
