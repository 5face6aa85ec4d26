package envs

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"impalab/envs/world"
)

// A finite world is stepped from a table that lists every transition. The exact solver gets the same table, so learned
// values can be compared with true ones.

// MDP is a finite decision process written out in full.
type MDP struct {
	States, Actions int
	Next            [][]Branch // [States·Actions], row-major: where (state, action) leads
	Over            []bool     // [States]: the episode is over here; nothing follows, its value is 0
	Start           []float64  // [States]: probability that an episode begins here
}

// Branch is one thing that may happen: with probability P the world goes to state To and pays Reward. The Ps of a
// (state, action) sum to 1.
type Branch struct {
	P      float64
	To     int
	Reward float32
}

// Check returns the fault of the table, if it has one.
func (m *MDP) Check() error {
	if m.States < 1 || m.Actions < 1 || len(m.Next) != m.States*m.Actions || len(m.Over) != m.States ||
		len(m.Start) != m.States {
		return fmt.Errorf("envs: an MDP of %d states and %d actions with tables of %d, %d and %d rows", m.States, m.Actions,
			len(m.Next), len(m.Over), len(m.Start))
	}
	sum := 0.0
	for s, p := range m.Start {
		if p < 0 || p > 0 && m.Over[s] {
			return fmt.Errorf("envs: an episode cannot begin in state %d with probability %v", s, p)
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-12 {
		return fmt.Errorf("envs: start probabilities sum to %v", sum)
	}
	for i, branches := range m.Next {
		state := i / m.Actions
		if m.Over[state] {
			if len(branches) > 0 {
				return fmt.Errorf("envs: the episode is over in state %d, yet something follows", state)
			}
			continue
		}
		sum = 0
		for _, b := range branches {
			if b.To < 0 || b.To >= m.States || !(b.P > 0) {
				return fmt.Errorf("envs: state %d, action %d leads to %d with probability %v", state, i%m.Actions, b.To, b.P)
			}
			sum += b.P
		}
		if math.Abs(sum-1) > 1e-12 {
			return fmt.Errorf("envs: the branches of state %d, action %d sum to %v", state, i%m.Actions, sum)
		}
	}
	return nil
}

// Finite is a world whose every transition is known.
type Finite interface {
	World
	// MDP is the table this world steps from; shared, never to be written. Time limits are not in it.
	MDP() *MDP
	// At is the present state, 0..States−1.
	At() int
	// Show writes the observation of state s. A world may show less than its state: then several states have the same
	// observation.
	Show(s int, obs []float32)
}

// finite steps an MDP and shows its state as one-hot. Worlds embed it and add Draw; their spec has a limit.
type finite struct {
	spec  *Spec
	mdp   *MDP
	at    int
	steps int
	trail [trailLen]int // where it was, newest first; −1: nowhere yet. Only for drawing
}

const trailLen = 6

func newFinite(spec *Spec, mdp *MDP) finite {
	w := finite{spec: spec, mdp: mdp}
	w.forget()
	return w
}

func (w *finite) forget() {
	for i := range w.trail {
		w.trail[i] = -1
	}
}

func (w *finite) Spec() *Spec { return w.spec }
func (w *finite) MDP() *MDP   { return w.mdp }
func (w *finite) At() int     { return w.at }

func (w *finite) Reset(r *Rand) {
	w.at, w.steps = 0, 0
	w.forget()
	u := r.Float64()
	for s, p := range w.mdp.Start {
		if p > 0 {
			w.at = s // the last possible one catches the remainder of the rounding
			if u -= p; u < 0 {
				return
			}
		}
	}
}

func (w *finite) Step(r *Rand, action int) Outcome {
	if uint(action) >= uint(w.mdp.Actions) {
		panic("envs: action out of range of a finite world")
	}
	if w.mdp.Over[w.at] {
		return Outcome{End: Terminated}
	}
	branches := w.mdp.Next[w.at*w.mdp.Actions+action]
	k := 0
	for u := r.Float64() - branches[0].P; u >= 0 && k < len(branches)-1; u -= branches[k].P {
		k++
	}
	copy(w.trail[1:], w.trail[:])
	w.trail[0], w.at = w.at, branches[k].To
	w.steps++
	switch {
	case w.mdp.Over[w.at]:
		return Outcome{Reward: branches[k].Reward, End: Terminated}
	case w.steps >= w.spec.Limit:
		return Outcome{Reward: branches[k].Reward, End: Truncated}
	}
	return Outcome{Reward: branches[k].Reward}
}

func (w *finite) Show(s int, obs []float32) {
	clear(obs[:w.mdp.States])
	obs[s] = 1
}

func (w *finite) Observe(obs []float32) { w.Show(w.at, obs) }

func (w *finite) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, w.spec)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(w.at))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
	for _, s := range w.trail {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(s+1))
	}
	return dst
}

func (w *finite) SetState(src []byte) error {
	b := world.Open(src, world.One, w.spec)
	next := finite{spec: w.spec, mdp: w.mdp, at: b.Below(w.mdp.States), steps: b.Below(w.spec.Limit + 1)}
	for i := range next.trail {
		next.trail[i] = b.Below(w.mdp.States+1) - 1
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = next
	return nil
}

// value is the mean return of an episode cut after a number of steps, where backup makes a state's value of its
// actions'.
func (m *MDP) value(steps int, backup func(actions []float64) float64) float64 {
	v, next, q := make([]float64, m.States), make([]float64, m.States), make([]float64, m.Actions)
	for range steps {
		for s := range v {
			if m.Over[s] {
				continue
			}
			for a := range q {
				q[a] = 0
				for _, b := range m.Next[s*m.Actions+a] {
					q[a] += b.P * (float64(b.Reward) + v[b.To])
				}
			}
			next[s] = backup(q)
		}
		v, next = next, v
	}
	mean := 0.0
	for s, p := range m.Start {
		mean += p * v[s]
	}
	return mean
}

// figure rounds to three digits, as a table prints it.
func figure(x float64) float32 {
	if x == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	return float32(math.Round(x/unit) * unit)
}

func best(actions []float64) float64 { return slices.Max(actions) }

func uniform(actions []float64) float64 {
	sum := 0.0
	for _, q := range actions {
		sum += q
	}
	return sum / float64(len(actions))
}
