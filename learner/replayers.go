package learner

import (
	"errors"
	"fmt"

	"impalab/envs"
	"impalab/learner/net"
	"impalab/learner/replay"
	"impalab/learner/traj"
)

// replayers replay whole episodes (LASER §5.1, appendices A.2 and B). Each replayed trajectory of a batch continues a
// stream of episodes: a replayer draws an episode, steps through it from its start and cuts it into trajectories of T
// steps. The next episode of the stream begins right after it, as a copy of a world begins its next episode. The
// memory before a trajectory comes from the replayer's own steps, with the parameters at the time of each.
type replayers struct {
	forward *net.Forward
	states  int
	length  int // T
	most    int // replayers
	shape   traj.Shape
	all     []*replayer
	input   []float32 // [replayers, size] at one step
	memory  []float32 // [replayers, states] of θ after the newest trajectory
	acting  []float32 // [replayers, states] of the acting parameters; the same as memory unless another network acts
}

// replayer is one stream of episodes.
type replayer struct {
	next  replay.Reader // the stream's next step
	slice *traj.Unroll  // the newest trajectory
	going bool          // the stream continues after slice
	parts []span        // of slice
	sum   float64       // Σ |v_t − V_t| over n steps of the present episode
	n     int

	weight float32 // of the present episode's steps
}

// span is the steps from to to−1 of a trajectory, of one episode.
type span struct {
	*replay.Episode
	weight   float32
	from, to int
	over     bool // the episode ends with it
}

// newReplayers makes room for the replayed trajectories of batches of b.
func newReplayers(spec net.Spec, t, b int) *replayers {
	r := &replayers{
		states: spec.States(), length: t, most: b, shape: spec.Shape(),
		memory: make([]float32, b*spec.States()), acting: make([]float32, b*spec.States()),
	}
	if r.states > 0 {
		r.forward, r.input = net.NewForward(spec, b), make([]float32, b*r.shape.Size)
	}
	return r
}

// fill puts the next trajectory of each stream into the batch's columns from first on. Until the store has a whole
// episode, single unrolls take their place, with the memory stored with them.
func (r *replayers) fill(l *Learner, first int) {
	r.resize(l.batch.B - first)
	r.advance(r.memory, l.machine.Theta)
	acting := l.algo.Acting()
	another := &acting[0] != &l.machine.Theta[0]
	if another {
		r.advance(r.acting, acting)
	}
	for j, one := range r.all {
		i, memory, its := first+j, r.memory[j*r.states:(j+1)*r.states], r.acting[j*r.states:(j+1)*r.states]
		if !one.going || !l.store.Holds(&one.next) && one.next.Episode != nil { // a new stream, or a lost episode
			one.next, one.sum, one.n = replay.Reader{}, 0, 0
			clear(memory)
			clear(its)
		}
		if one.going = one.cut(l); !one.going {
			l.batch.SetColumn(i, l.store.At(l.store.Draw(&l.rng)), false)
			continue
		}
		copy(one.slice.State, memory)
		l.batch.SetColumn(i, one.slice, false)
		if another {
			copy(l.batch.TargetState[i*r.states:(i+1)*r.states], its)
		}
		for _, s := range one.parts {
			for t := s.from; t < s.to; t++ {
				l.batch.Weight[t*l.batch.B+i] = s.weight
			}
		}
	}
}

// resize makes n replayers. A replayer that ends forgets its stream.
func (r *replayers) resize(n int) {
	r.all = r.all[:min(n, len(r.all))]
	for len(r.all) < n {
		r.all = append(r.all, &replayer{slice: traj.NewUnroll(r.length, r.shape)})
	}
}

// advance steps each memory through its replayer's newest trajectory with theta.
func (r *replayers) advance(memory, theta []float32) {
	n, size := len(r.all), r.shape.Size
	if r.states == 0 || n == 0 {
		return
	}
	for t := range r.length {
		for j, one := range r.all {
			copy(r.input[j*size:(j+1)*size], one.slice.Obs[t*size:])
		}
		r.forward.Run(theta, r.input, memory, n)
		for j, one := range r.all {
			if one.slice.End[t] != uint8(envs.Running) {
				clear(memory[j*r.states : (j+1)*r.states])
			}
		}
	}
}

// cut makes the stream's next T steps its slice. It returns false if the store has no whole episode to continue with.
func (one *replayer) cut(l *Learner) bool {
	one.parts = one.parts[:0]
	one.slice.Begin(0)
	for at := 0; at < one.slice.T; {
		if one.next.Episode == nil {
			drawn, weight := l.store.DrawEpisode(&l.rng)
			if drawn == nil {
				return false
			}
			one.next, one.weight = replay.Open(drawn), weight
		}
		episode := one.next.Episode
		n, over := l.store.Read(&one.next, one.slice, at)
		one.parts = append(one.parts, span{episode, one.weight, at, at + n, over})
		at += n
	}
	return true
}

// learned hears how much the steps of the batch's columns from first on surprised the learner, and tells the store when
// an episode is over.
func (r *replayers) learned(b *traj.Batch, first int, store *replay.Store) {
	for j, one := range r.all {
		if !one.going {
			continue
		}
		for _, s := range one.parts {
			for t := s.from; t < s.to; t++ {
				one.sum += float64(b.Errors[t*b.B+first+j])
			}
			if one.n += s.to - s.from; s.over {
				store.VisitEpisode(s.Episode, one.sum/float64(one.n))
				one.sum, one.n = 0, 0
			}
		}
	}
}

// restart ends all streams, whose memories belong to other parameters.
func (r *replayers) restart() {
	if r != nil {
		r.resize(0)
	}
}

// savedReplayer is a replayer in a snapshot.
type savedReplayer struct {
	Slice           *traj.Unroll
	Going, Reading  bool // Reading: the fields in the next line name the present episode and its next step
	Lane            uint64
	First, Last, At replay.Point
	Weight          float32
	Sum             float64
	N               int
	Memory, Acting  []float32
}

func (r *replayers) save() (all []savedReplayer) {
	if r == nil {
		return nil
	}
	for j, one := range r.all {
		s := savedReplayer{Slice: one.slice, Going: one.going, Weight: one.weight, Sum: one.sum, N: one.n,
			Memory: r.memory[j*r.states : (j+1)*r.states], Acting: r.acting[j*r.states : (j+1)*r.states]}
		if s.Reading = one.next.Episode != nil; s.Reading {
			s.At = one.next.At
			s.Lane, s.First, s.Last = one.next.Span()
		}
		all = append(all, s)
	}
	return all
}

// restore makes the replayers of a snapshot again. The store has the unrolls of the snapshot already.
func (r *replayers) restore(all []savedReplayer, store *replay.Store) error {
	if r == nil {
		return fits("replayers", len(all), 0)
	}
	if len(all) > r.most {
		return fmt.Errorf("it has %d replayers where its settings allow %d", len(all), r.most)
	}
	r.resize(0)
	r.resize(len(all))
	for j, s := range all {
		one := r.all[j]
		if !s.Slice.Fits(r.length, r.shape) || len(s.Memory) != r.states || len(s.Acting) != r.states || s.N < 0 ||
			!(s.Sum >= 0) || !(s.Weight >= 0) {
			return errors.New("it has a replayer of another network")
		}
		one.slice.CopyFrom(s.Slice)
		one.going, one.weight, one.sum, one.n = s.Going, s.Weight, s.Sum, s.N
		copy(r.memory[j*r.states:], s.Memory)
		copy(r.acting[j*r.states:], s.Acting)
		if s.Reading {
			var err error
			if one.next, err = store.Resume(s.Lane, s.First, s.Last, s.At); err != nil {
				return err
			}
		}
	}
	return nil
}
