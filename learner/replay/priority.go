package replay

// Prioritised replay (Schaul et al., 2016; LASER appendix A.2): it draws surprising trajectories more often and gives
// them less weight, so that the expectation stays the same.

import (
	"errors"
	"math"

	"impalab/envs"
	"impalab/learner/traj"
)

// Priority is how trajectories are drawn: P = (1−ε)·p^α/Σp^α + ε/n, and counted: (n·P)^−β.
type Priority struct {
	Exponent   float64 // α ≥ 0; 0 draws uniformly
	Correction float64 // β in [0, 1]; 1 corrects in full
	Uniform    float64 // ε in [0, 1]
}

// priorities is the state beside the ring: one weight for each place in it.
type priorities struct {
	Priority
	tree tree    // p^α
	top  float64 // the largest p^α so far: the priority of a new unroll
}

// NewPrioritised makes a store as New does, drawn from by priority.
func NewPrioritised(capacity, t int, p Priority) *Store {
	s := New(capacity, t)
	s.by = &priorities{Priority: p, top: 1}
	return s
}

// Visit says how much the trajectory in a place surprised its learner just now: the mean |v_t − V_t|, finite.
// It must come before the next Add, which may put another trajectory there. A uniform store does not mind.
func (s *Store) Visit(place int, surprise float64) {
	if s.by == nil {
		return
	}
	weight := math.Pow(surprise, s.by.Exponent)
	s.by.tree.set(place, weight)
	s.by.top = math.Max(s.by.top, weight)
}

// Chance returns P, the probability that a draw returns the unroll in a place.
func (s *Store) Chance(place int) float64 {
	uniform := 1 / float64(len(s.ring))
	if s.by == nil {
		return uniform
	}
	total := s.by.tree.total()
	if total == 0 { // no unroll surprises: all are equally likely
		return uniform
	}
	return (1-s.by.Uniform)*s.by.tree.weight(place)/total + s.by.Uniform*uniform
}

// Weigh writes the weight of each of a batch's draws: (n·P)^−β. Its mean over draws is 1 for a β of 0 or 1, and a
// little less between. So priorities do not change the weight of replay as a whole beside fresh data. ε bounds a weight
// by ε^−β. Dividing by the largest weight instead (Schaul et al., 2016, §3.4) would shorten every step.
func (s *Store) Weigh(weights []float32, places []int) {
	if s.by == nil {
		for i := range weights {
			weights[i] = 1
		}
		return
	}
	n := float64(len(s.ring))
	for i, place := range places {
		weights[i] = float32(math.Pow(n*s.Chance(place), -s.by.Correction))
	}
}

// draw is a place by priority, or with probability ε any.
func (p *priorities) draw(r *envs.Rand, n int) int {
	if r.Float64() < p.Uniform || p.tree.total() == 0 {
		return r.IntN(n)
	}
	return p.tree.find(r.Float64() * p.tree.total())
}

// Saved holds a prioritised store's state in a snapshot, apart from its unrolls.
type Saved struct {
	First   int       // place of the oldest
	Weights []float64 // p^α by place
	Top     float64
}

// Save is the state of the priorities, or nil for a uniform store.
func (s *Store) Save() *Saved {
	if s.by == nil {
		return nil
	}
	saved := &Saved{First: s.next, Top: s.by.top}
	for place := range s.ring {
		saved.Weights = append(saved.Weights, s.by.tree.weight(place))
	}
	return saved
}

// Load replaces the contents by unrolls, oldest first, and the rest of Save's results.
func (s *Store) Load(unrolls []*traj.Unroll, saved *Saved) error {
	n := len(unrolls)
	if (saved == nil) != (s.by == nil) {
		return errors.New("its replay and its sampling do not belong together")
	}
	if n > s.limit {
		return errors.New("its replay holds more than replay-size allows")
	}
	clear(s.known)
	if s.whole != nil {
		s.ByEpisode(s.whole.by)
	}
	for _, u := range unrolls {
		if s.whole != nil && s.known[ownerOf(u)] != nil {
			return errors.New("its replay holds an unroll twice")
		}
		s.known[ownerOf(u)] = u
		s.whole.add(u)
	}
	if saved == nil {
		s.ring, s.next = unrolls, 0
		return nil
	}
	turned := n == s.limit // only a full ring has turned
	if len(saved.Weights) != n || saved.First < 0 || saved.First >= max(1, n) || (saved.First > 0 && !turned) ||
		!(saved.Top >= 1) || math.IsInf(saved.Top, 1) {
		return errors.New("its replay and its priorities do not belong together")
	}
	s.ring, s.next = make([]*traj.Unroll, n), saved.First
	*s.by = priorities{Priority: s.by.Priority, top: saved.Top}
	for i, u := range unrolls {
		place := (saved.First + i) % n
		weight := saved.Weights[place]
		if !(weight >= 0 && weight <= saved.Top) {
			return errors.New("its replay holds a priority that is not a number, negative or above the largest")
		}
		s.ring[place] = u
		s.by.tree.set(place, weight)
	}
	return nil
}
