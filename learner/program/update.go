package program

import "sync/atomic"

// update is an update in progress: Forward, losses and Backward in one job. Its parts are first, and for each shard its
// way forward, its losses and its way back. A core that is free does whichever part can be done, so none waits for a
// part of another core while there is anything else to do.
type update struct {
	first  func()
	losses func(i int) (dLogits, dValues []float32)

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

// Update is Forward and Backward of a network without memory in one job, with the losses between them: a shard's rows
// go forward, through its losses and back, as a rule while they are in its core's cache. It calls first once, and then
// losses for each shard, one at a time, from the last shard to the first: by then logits and values have that shard's
// rows and all rows behind. losses returns the derivatives of its rows. The gradient has the bits of Backward's.
func (s *Sharded) Update(grad, theta, input []float32, first func(), losses func(i int) (dLogits, dValues []float32)) {
	s.check(s.states == 0 && len(theta) == s.params && len(input) == s.t*s.b*s.inputs && len(grad) == s.params)
	s.theta, s.input, s.grad = theta, input, grad
	u, n := &s.update, len(s.shards)
	u.first, u.losses = first, losses
	u.begun.Store(0)
	u.left.Store(int32(n))
	u.next.Store(int32(n))
	u.busy.Store(false)
	for i := range u.stage {
		u.stage[i].Store(coming)
	}
	s.workers.Work(n+1, s.unit)
	s.add()
}

// Outputs returns the logits [T·B, Actions] and values [T·B, Values] that Update is writing.
func (s *Sharded) Outputs() (logits, values []float32) { return s.out.logits, s.out.values }

// Rows returns the rows of each shard of a network without memory: from the first to the one before the last.
func (s *Sharded) Rows() (rows [][2]int) {
	for i := range s.shards {
		rows = append(rows, [2]int{s.shards[i].From, s.shards[i].To})
	}
	return rows
}

// updatePart does a part of an update that can be done now, and reports whether there was one. It waits for the losses
// of another core for a moment, since leaving a job and waking up again takes longer.
func (s *Sharded) updatePart() bool {
	for range spins {
		if s.update.left.Load() == 0 {
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
	for k := len(s.shards) - 1; k >= 0; k-- {
		if at := &s.update.stage[k]; at.Load() == lossesKnown && at.CompareAndSwap(lossesKnown, returning) {
			s.update.left.Add(-1)
			s.shards[k].host.backward.Run()
			return true
		}
	}
	return false
}

// ahead does first, or takes the next shard forward. Then it computes the losses that are due.
func (s *Sharded) ahead() bool {
	u, n := &s.update, len(s.shards)
	if int(u.begun.Load()) > n {
		return false
	}
	k := n - int(u.begun.Add(1)-1)
	switch {
	case k < 0: // another core was faster
		return false
	case k == n:
		u.first()
		s.turn()
	default:
		sh := &s.shards[k]
		sh.host.bindForward(s.theta, s.input[sh.From*s.inputs:sh.To*s.inputs], nil, nil)
		sh.host.forward.Run()
	}
	u.stage[k].Store(forwarded)
	for s.due() {
	}
	return true
}

// due computes the losses of the next shard, if its outputs are there and no other core is at losses. It reports
// whether the next ones may be due then: a core that was refused leaves them to the other, which looks again.
func (s *Sharded) due() bool {
	u := &s.update
	ready := func() bool { k := u.next.Load(); return k >= 0 && u.stage[k].Load() == forwarded }
	if !ready() || !u.busy.CompareAndSwap(false, true) {
		return false
	}
	if ready() { // also now that no other core changes it
		k := int(u.next.Load())
		if k < len(s.shards) {
			sh := &s.shards[k]
			dLogits, dValues := u.losses(k)
			sh.host.bindBackward(s.gradOf(sh), dLogits, dValues)
			u.stage[k].Store(lossesKnown)
		}
		u.next.Store(int32(k) - 1)
	}
	u.busy.Store(false)
	return true
}
