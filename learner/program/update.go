package program

import "sync/atomic"

// Update is a batch on its way: what Forward and Backward take, and what lies between them.
type Update struct {
	Grad, Theta, Input, State, Keep []float32
	DLogits, DValues                []float32 // of the whole batch; Losses writes them
	First                           func()    // called once
	Losses                          func(i int)
}

// progress is an update in progress. Its parts are first, and for each shard its way forward, its losses and its way
// back. A core that is free does whichever part can be done, so none waits for a part of another core while there is
// anything else to do.
type progress struct {
	*Update
	begun atomic.Int32   // parts taken of first and the ways forward, which go from the last shard to the first
	left  atomic.Int32   // ways back not taken yet
	next  atomic.Int32   // the shard whose losses come next; the number of shards while first is awaited
	busy  atomic.Bool    // a core computes losses
	stage []atomic.Int32 // of each shard, and of first
}

// Stages of a shard.
const (
	coming = iota
	forwarded
	lossesKnown
	returning
)

// Update is Forward and Backward in one job, with the losses between them: a shard goes forward, through its losses and
// back, as a rule while it is in its core's cache. The gradient has the bits of Backward's.
//
// Losses(i) writes the derivatives of shard i's rows. Without memory it is called after First, for one shard at a time,
// from the last to the first: by then Outputs have that shard's rows and all rows behind. A recurrent shard is whole
// trajectories, and Losses is called for several at once, as soon as Outputs have their rows.
func (s *Sharded) Update(u *Update) {
	s.bind(u.Theta, u.Input, u.State, u.Keep)
	s.bindBack(u.Grad, u.DLogits, u.DValues)
	p, n := &s.progress, len(s.shards)
	p.Update = u
	p.begun.Store(0)
	p.left.Store(int32(n))
	p.next.Store(int32(n))
	p.busy.Store(false)
	for i := range p.stage {
		p.stage[i].Store(coming)
	}
	s.workers.Work(n+1, s.unit)
	s.add()
}

// Outputs returns the logits [T·B, Actions] and values [T·B, Values] that Update is writing.
func (s *Sharded) Outputs() (logits, values []float32) { return s.out.logits, s.out.values }

// Rows returns the rows of each shard of a batch, in ranges without their last row. A recurrent shard has a range for
// each step, from the last to the first.
func (s *Sharded) Rows() (rows [][][2]int) {
	if len(s.shards) == 1 {
		return [][][2]int{{{0, s.t * s.b}}}
	}
	for i := range s.shards {
		sh := &s.shards[i]
		if !s.recurrent() {
			rows = append(rows, [][2]int{{sh.From, sh.To}})
			continue
		}
		var steps [][2]int
		for t := s.t - 1; t >= 0; t-- {
			steps = append(steps, [2]int{t*s.b + sh.From, t*s.b + sh.To})
		}
		rows = append(rows, steps)
	}
	return rows
}

// somePart does a part of an update that can be done now, and reports whether there was one. It waits for another
// core's losses for a moment, since leaving a job and waking up again takes longer.
func (s *Sharded) somePart() bool {
	for range spins {
		if s.progress.left.Load() == 0 {
			return false
		}
		if s.back() || s.ahead() {
			return true
		}
	}
	return false
}

const spins = 1000 // some 10 µs

// back takes a shard back whose losses are known.
func (s *Sharded) back() bool {
	if int(s.progress.next.Load()) == len(s.shards) { // first is awaited, and with it the transposed weights
		return false
	}
	for k := len(s.shards) - 1; k >= 0; k-- {
		if at := &s.progress.stage[k]; at.Load() == lossesKnown && at.CompareAndSwap(lossesKnown, returning) {
			s.progress.left.Add(-1)
			s.backwardShard(k)
			return true
		}
	}
	return false
}

// ahead does first, or takes the next shard forward. Then it computes the losses that are due.
func (s *Sharded) ahead() bool {
	p, n := &s.progress, len(s.shards)
	if int(p.begun.Load()) > n {
		return false
	}
	k, reached := n-int(p.begun.Add(1)-1), int32(forwarded)
	switch {
	case k < 0: // another core was faster
		return false
	case k == n:
		p.First()
		s.transpose()
	case s.recurrent():
		s.forwardShard(k)
		p.Losses(k)
		reached = lossesKnown
	default:
		s.forwardShard(k)
	}
	p.stage[k].Store(reached)
	for s.due() {
	}
	return true
}

// due computes the losses of the next shard, if its outputs are there and no other core is at losses. It reports
// whether the next ones may be due then: a core that was refused leaves them to the other, which looks again.
func (s *Sharded) due() bool {
	p := &s.progress
	ready := func() bool { k := p.next.Load(); return k >= 0 && p.stage[k].Load() == forwarded }
	if !ready() || !p.busy.CompareAndSwap(false, true) {
		return false
	}
	if ready() { // also now that no other core changes it
		k := int(p.next.Load())
		if k < len(s.shards) {
			p.Losses(k)
			p.stage[k].Store(lossesKnown)
		}
		p.next.Store(int32(k) - 1)
	}
	p.busy.Store(false)
	return true
}
