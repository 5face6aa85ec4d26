package replay

import (
	"errors"
	"math"
	"slices"

	"impalab/envs"
	"impalab/learner/traj"
)

// Whole episodes (LASER §5.1 and appendix A.2): the store draws an episode and replays it from its start. It still
// holds unrolls, first in, first out. An episode is whole while the store holds its first step and has received its
// last.

// Episode is a whole episode of one copy of a world.
type Episode struct {
	lane        uint64
	first, last Point
	weight      float64 // p^α
	gone        bool    // the store has lost its first step
}

// Point is a step of one of a copy's unrolls.
type Point struct {
	Serial uint64
	Step   int
}

// episodes is the store's index of its whole episodes.
type episodes struct {
	by   *Priority            // nil: all equally likely
	top  float64              // the largest p^α so far: the priority of a new episode
	list []*Episode           // in the order in which they ended
	open map[uint64]Point     // the first step of each copy's present episode, while it is held
	next map[uint64]uint64    // the serial after each copy's newest unroll
	from map[owner][]*Episode // by the unroll of the first step
}

// ByEpisode makes an empty store find its whole episodes, to be drawn by priority, or equally often if by is nil.
func (s *Store) ByEpisode(by *Priority) {
	s.whole = &episodes{by: by, top: 1, open: map[uint64]Point{}, next: map[uint64]uint64{},
		from: map[owner][]*Episode{}}
}

// Episodes returns the number of whole episodes.
func (s *Store) Episodes() int { return len(s.whole.list) }

// add finds the episodes that begin or end in the new steps of u.
func (e *episodes) add(u *traj.Unroll) {
	if e == nil {
		return
	}
	if e.next[u.Lane] != u.Serial { // unrolls are missing between: replay was off
		delete(e.open, u.Lane)
	}
	e.next[u.Lane] = u.Serial + 1
	for t := u.Again; t < u.T; t++ {
		if u.Begins(t) {
			e.open[u.Lane] = Point{u.Serial, t}
		}
		first, held := e.open[u.Lane]
		if u.End[t] == uint8(envs.Running) || !held {
			continue
		}
		one := &Episode{lane: u.Lane, first: first, last: Point{u.Serial, t}, weight: e.top}
		e.list = append(e.list, one)
		start := owner{u.Lane, first.Serial}
		e.from[start] = append(e.from[start], one)
		delete(e.open, u.Lane)
	}
}

// forget removes the episodes that begin in u, which the store is about to lose.
func (e *episodes) forget(u *traj.Unroll) {
	if e == nil {
		return
	}
	if first, held := e.open[u.Lane]; held && first.Serial == u.Serial {
		delete(e.open, u.Lane)
	}
	lost := e.from[ownerOf(u)]
	delete(e.from, ownerOf(u))
	for _, one := range lost {
		one.gone = true
	}
	for i := 0; len(lost) > 0; { // the oldest are first
		if e.list[i] != lost[0] {
			i++
			continue
		}
		lost, e.list = lost[1:], slices.Delete(e.list, i, i+1)
	}
}

// DrawEpisode returns a whole episode and the weight of its steps, (n·P)^−β; nil if the store has none.
func (s *Store) DrawEpisode(r *envs.Rand) (*Episode, float32) {
	e := s.whole
	n := len(e.list)
	if n == 0 {
		return nil, 0
	}
	if e.by == nil {
		return e.list[r.IntN(n)], 1
	}
	total := e.total()
	drawn := e.list[n-1]
	if r.Float64() < e.by.Uniform || total == 0 {
		drawn = e.list[r.IntN(n)]
	} else {
		left := r.Float64() * total
		for _, one := range e.list {
			if left -= one.weight; left < 0 {
				drawn = one
				break
			}
		}
	}
	return drawn, float32(math.Pow(float64(n)*e.chance(drawn, total), -e.by.Correction))
}

func (e *episodes) total() (sum float64) {
	for _, one := range e.list {
		sum += one.weight
	}
	return sum
}

// chance returns P of an episode: (1−ε)·p^α/Σp^α + ε/n.
func (e *episodes) chance(one *Episode, total float64) float64 {
	uniform := 1 / float64(len(e.list))
	if total == 0 {
		return uniform
	}
	return (1-e.by.Uniform)*one.weight/total + e.by.Uniform*uniform
}

// VisitEpisode sets the priority of an episode from the surprise of its learner: the mean |v_t − V_t| over its steps,
// finite.
func (s *Store) VisitEpisode(one *Episode, surprise float64) {
	if e := s.whole; e.by != nil && !one.gone {
		one.weight = math.Pow(surprise, e.by.Exponent)
		e.top = math.Max(e.top, one.weight)
	}
}

// Reader is a place in an episode. The zero value reads no episode.
type Reader struct {
	*Episode
	At Point // the next step
}

// Open returns a reader at the first step of an episode.
func Open(one *Episode) Reader { return Reader{one, one.first} }

// Span returns the episode's copy, its first step and its last.
func (e *Episode) Span() (lane uint64, first, last Point) { return e.lane, e.first, e.last }

// Holds reports whether the store still has the reader's next step.
func (s *Store) Holds(r *Reader) bool {
	return r.Episode != nil && s.known[owner{r.lane, r.At.Serial}] != nil
}

// Read copies the reader's next steps from one unroll of the store to u, from step at on, as many as fit. over reports
// that the episode, and so the reader, is at its end. The store must hold the next step.
func (s *Store) Read(r *Reader, u *traj.Unroll, at int) (n int, over bool) {
	from := s.known[owner{r.lane, r.At.Serial}]
	last := from.T - 1
	if r.At.Serial == r.last.Serial {
		last = r.last.Step
	}
	n = min(u.T-at, last-r.At.Step+1)
	u.CopySteps(at, from, r.At.Step, n)
	if at == 0 || int64(from.Version-u.Version) < 0 {
		u.Version = from.Version // the oldest
	}
	u.Task = from.Task
	switch r.At.Step += n; {
	case r.At.Step <= last:
	case r.At.Serial == r.last.Serial:
		*r = Reader{}
		return n, true
	default: // the next unroll, after the steps that it repeats
		next := s.known[owner{r.lane, r.At.Serial + 1}]
		r.At = Point{r.At.Serial + 1, next.Again}
	}
	return n, false
}

// Resume returns a reader at a step of an episode that a snapshot names by its span. The store may have lost earlier
// steps. It holds all steps from there to the last, or none.
func (s *Store) Resume(lane uint64, first, last, at Point) (Reader, error) {
	r := Reader{&Episode{lane: lane, first: first, last: last, gone: true}, at}
	for _, one := range s.whole.from[owner{lane, first.Serial}] {
		if one.first == first && one.last == last {
			r.Episode = one
		}
	}
	if !s.Holds(&r) {
		return r, nil
	}
	after := at.Serial < last.Serial || at.Serial == last.Serial && at.Step <= last.Step
	for serial := at.Serial; after && serial <= last.Serial; serial++ {
		u := s.known[owner{lane, serial}]
		after = u != nil && (serial > at.Serial || at.Step < u.T) && (serial < last.Serial || last.Step < u.T)
	}
	if !after || at.Step < 0 {
		return r, errors.New("its replayer is at a step that its replay does not hold")
	}
	return r, nil
}

// SaveEpisodes returns the priorities of the episodes; nil if it has none.
func (s *Store) SaveEpisodes() *Saved {
	if s.whole == nil || s.whole.by == nil {
		return nil
	}
	saved := &Saved{Top: s.whole.top}
	for _, one := range s.whole.list {
		saved.Weights = append(saved.Weights, one.weight)
	}
	return saved
}

// LoadEpisodes restores SaveEpisodes' result after Load.
func (s *Store) LoadEpisodes(saved *Saved) error {
	prioritised := s.whole != nil && s.whole.by != nil
	if (saved != nil) != prioritised {
		return errors.New("its replay and its sampling do not belong together")
	}
	if saved == nil {
		return nil
	}
	if len(saved.Weights) != len(s.whole.list) || !(saved.Top >= 1) || math.IsInf(saved.Top, 1) {
		return errors.New("its replay and the priorities of its episodes do not belong together")
	}
	for i, weight := range saved.Weights {
		if !(weight >= 0 && weight <= saved.Top) {
			return errors.New("its replay holds a priority that is not a number, negative or above the largest")
		}
		s.whole.list[i].weight = weight
	}
	s.whole.top = saved.Top
	return nil
}
