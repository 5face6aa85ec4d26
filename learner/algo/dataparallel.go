package algo

import (
	"errors"
	"slices"
	"sync"

	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// DataParallel is several learners that work in step (IMPALA §3 and figure 1, right): each has a replica of the network
// and of the optimiser, takes every n-th trajectory of the batch, and waits until the gradients of all are known. Their
// mean, or with reduce=sum their sum, is the gradient of the whole batch. So each takes the step of a single learner,
// and the replicas stay equal to the last bit. Trajectory i goes to learner i mod n, which spreads fresh and replayed
// trajectories.
//
// The same is true of other sums over trajectories, if the algorithm calls Machine.Reduce for them. PopArt's statistics
// take the targets of all learners in the batch's order. V-MPO's top half and softmax are not sums: each learner
// computes them for its share (vmpo.go).
type DataParallel struct {
	members []*member
	share   hyper.Config // of one member
	whole   barrier
	begun   bool
	gone    sync.WaitGroup
	figures []*[telemetry.NumMetrics]float32 // of the members' descriptions
	fresh   []int                            // trajectories of each

	now uint64 // of the update in progress
	lr  float64
	out *telemetry.Update
}

// member is one learner.
type member struct {
	m     *Machine
	algo  Algorithm
	batch *traj.Batch
	out   telemetry.Update
	err   error
	learn func() // bound once, so that an update allocates nothing
}

// newDataParallel makes the learners of cfg. The first has m, a machine for one share of the batch.
func newDataParallel(m *Machine, cfg *hyper.Config, construct constructor) (*DataParallel, error) {
	n := cfg.Learners
	s := &DataParallel{share: shareOf(cfg), fresh: make([]int, n)}
	s.whole = barrier{parts: make([][]float32, n), copies: make([][]float32, n), scale: 1}
	s.whole.all.L = &s.whole.mu
	if cfg.Reduce == hyper.Mean {
		s.whole.scale = 1 / float32(n)
	}
	for i := range n {
		own := m
		if i > 0 {
			var err error
			if own, err = NewMachineOn(m.devices, m.Spec.Kernels, m.lower, cfg); err != nil {
				s.Close()
				return nil, err
			}
		}
		own.On(m.cores)
		own.Reduce = func(part []float32) error {
			return s.whole.meet(i, part, own.cores, false)
		}
		own.pop.gather = func(samples []float32) [][]float32 {
			if s.whole.meet(i, samples, own.cores, true) != nil {
				return nil
			}
			return s.whole.copies
		}
		one := &member{
			m: own, algo: construct(own, &s.share),
			batch: traj.NewBatch(cfg.UnrollLen, s.share.BatchSize, own.Spec.Shape()),
		}
		one.learn = func() {
			defer s.gone.Done()
			out := &one.out
			if s.out == nil {
				out = nil
			}
			one.err = schedule.Catch(func() error {
				own.cores.Acquire()
				defer own.cores.Release()
				return one.algo.Update(one.batch, &s.share, s.lr, s.now, out)
			})
			if one.err != nil {
				s.whole.leave()
			}
		}
		s.members, s.figures = append(s.members, one), append(s.figures, &one.out.Metrics)
	}
	return s, nil
}

// state is all that a learner remembers besides θ and the number of its steps.
func (one *member) state() [][]float32 {
	return slices.Concat(one.m.Opt.State(), one.algo.State(), one.m.State())
}

// shareOf is the configuration of one of several learners.
func shareOf(cfg *hyper.Config) hyper.Config {
	share := *cfg
	share.BatchSize, share.Learners = cfg.Share(), 1
	return share
}

// Acting is the first learner's: all have the same.
func (s *DataParallel) Acting() []float32 { return s.members[0].algo.Acting() }

// State returns the first learner's; all have the same.
func (s *DataParallel) State() [][]float32 { return s.members[0].algo.State() }

// Close stops the replicas' workers. The caller closes the first machine.
func (s *DataParallel) Close() error {
	for i, one := range s.members {
		if i > 0 {
			one.m.Close()
		}
	}
	return nil
}

// Replicate copies the first replica's state, which may come from a snapshot or another learner, to every other
// replica.
func (s *DataParallel) Replicate() {
	first := s.members[0]
	for _, one := range s.members[1:] {
		copy(one.m.Theta, first.m.Theta)
		*one.m.Opt.Count() = *first.m.Opt.Count()
		to, from := one.state(), first.state()
		for i := range to {
			copy(to[i], from[i])
		}
	}
}

// Update learns from b, each learner from its share. When one of them diverges, none takes a step.
func (s *DataParallel) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	if !s.begun {
		s.Replicate()
		s.begun = true
	}
	n := len(s.members)
	s.share = shareOf(cfg)
	s.lr, s.now, s.out = lr, now, out
	s.whole.open()
	s.gone.Add(n)
	for i, one := range s.members {
		one.batch.Share(b, i, n)
		one.out = telemetry.Update{}
	}
	for _, one := range s.members {
		go one.learn() // ends with its share of this update; Wait sees to it
	}
	cores := s.members[0].m.cores
	cores.Release() // they need it
	s.gone.Wait()
	cores.Acquire()

	var err error
	for i, one := range s.members {
		if err == nil || errors.Is(err, errAnother) {
			err = one.err
		}
		for k, surprise := range one.batch.Surprise {
			b.Surprise[i+k*n] = surprise
			for t := range b.T {
				b.Errors[t*b.B+i+k*n] = one.batch.Errors[t*one.batch.B+k]
			}
		}
	}
	if err == nil && out != nil {
		s.report(b, now, out)
	}
	return err
}

// report puts the learners' descriptions together.
func (s *DataParallel) report(b *traj.Batch, now uint64, out *telemetry.Update) {
	out.AlgoValues = s.members[0].out.AlgoValues // the same for all
	for i, one := range s.members {
		s.fresh[i] = 0
		for _, on := range one.batch.Online {
			if on {
				s.fresh[i]++
			}
		}
		for bin, count := range one.out.Ratios {
			out.Ratios[bin] += count
		}
	}
	telemetry.Join(&out.Metrics, s.figures, s.fresh)
	ages(out, b.Version, now)
}

// barrier is where the learners wait for each other's part of a sum, or of a list.
type barrier struct {
	mu      sync.Mutex
	all     sync.Cond
	parts   [][]float32 // of each learner, of the sum or list in progress
	copies  [][]float32 // the parts of the last list; the same until all learners have met again
	scale   float32
	arrived int
	turn    uint64 // sums and lists made
	left    bool   // a learner has left: no sum or list can be completed
}

// errAnother goes to the other learners when one diverges.
var errAnother error = Diverged("another learner's share of the batch diverged")

// open lets all learners in again.
func (r *barrier) open() { r.arrived, r.left = 0, false }

// meet waits for the parts of all learners; part is learner i's. With list it copies them, in the order of the
// learners. Otherwise it makes each part the sum of all parts times scale, added up in that order. When a learner has
// left, the answer is an error and part is as it was. A learner gives its core back while it waits.
func (r *barrier) meet(i int, part []float32, cores *schedule.Share, list bool) error {
	waited, err := r.wait(i, part, cores, list)
	if waited {
		cores.Acquire()
	}
	return err
}

func (r *barrier) wait(i int, part []float32, cores *schedule.Share, list bool) (waited bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return false, errAnother
	}
	r.parts[i] = part
	if r.arrived++; r.arrived == len(r.parts) {
		if list {
			for k, part := range r.parts {
				r.copies[k] = append(r.copies[k][:0], part...)
			}
		} else {
			r.sum()
		}
		r.arrived = 0
		r.turn++
		r.all.Broadcast()
		return false, nil
	}
	cores.Release()
	for turn := r.turn; turn == r.turn; {
		if r.left {
			return true, errAnother
		}
		r.all.Wait()
	}
	return true, nil
}

// sum makes each part the sum of all.
func (r *barrier) sum() {
	sum := r.parts[0]
	for _, other := range r.parts[1:] {
		kernel.Add(sum, other)
	}
	kernel.Scale(sum, r.scale)
	for _, other := range r.parts[1:] {
		copy(other, sum)
	}
}

// leave releases the learners that wait for one that will not come.
func (r *barrier) leave() {
	r.mu.Lock()
	r.left = true
	r.all.Broadcast()
	r.mu.Unlock()
}
