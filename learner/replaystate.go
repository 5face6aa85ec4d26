package learner

import (
	"math"

	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/replay"
	"impalab/learner/traj"
)

// replayState decides a recurrent network's initial memory for an old trajectory (LASER appendix A.2). The stored
// memory belongs to old parameters. rebuild plays the episode again from its start with the current ones, and burn-in
// plays the last steps before the trajectory from an empty memory.
type replayState struct {
	cfg     *hyper.Config
	forward *net.Forward
	states  int
	before  []stretch // the episode's earlier unrolls, latest first
}

// stretch is the first n steps of an unroll, up to the start of the copy's next unroll.
type stretch struct {
	*traj.Unroll
	n int
}

func newReplayState(cfg *hyper.Config, spec net.Spec) *replayState {
	r := &replayState{cfg: cfg, states: spec.States()}
	if r.states > 0 { // a network without a core has no state, and needs no forward pass
		r.forward = net.NewForward(spec, 1)
	}
	return r
}

// recall writes the state for column i of the batch, the unroll u from the store: theta's memory, and acting's if
// another network acts (V-MPO's target network).
func (r *replayState) recall(b *traj.Batch, i int, theta, acting []float32, u *traj.Unroll, store *replay.Store) {
	from, to := i*r.states, (i+1)*r.states
	r.state(b.State[from:to], theta, u, store)
	if &acting[0] == &theta[0] {
		copy(b.TargetState[from:to], b.State[from:to])
		return
	}
	r.state(b.TargetState[from:to], acting, u, store)
}

// state replaces the stored memory in state [States] by theta's memory at u's first step. If the store has lost the
// episode's start, rebuild continues from the memory stored with the oldest remaining unroll.
func (r *replayState) state(state, theta []float32, u *traj.Unroll, store *replay.Store) {
	if r.states == 0 || r.cfg.Recall == hyper.RecallStored || u.First {
		return
	}
	most := math.MaxInt
	if r.cfg.Recall == hyper.RecallBurnIn {
		most = r.cfg.BurnIn
	}
	// The wanted steps of the episode before u, if they are stored.
	r.before = r.before[:0]
	steps, skip, whole := 0, 0, false
	for at := u; steps < most && !whole; {
		earlier, ok := store.Before(at)
		if !ok {
			break
		}
		v := stretch{earlier, earlier.T - at.Again}
		at = earlier
		r.before = append(r.before, v)
		start, begun := v.begins()
		skip += v.n
		steps, whole = skip-start, begun
	}
	if whole || r.cfg.Recall == hyper.RecallBurnIn {
		clear(state)
	} else if n := len(r.before); n > 0 {
		copy(state, r.before[n-1].State)
	}
	skip -= min(steps, most)
	for i := len(r.before) - 1; i >= 0; i-- {
		v := r.before[i]
		for ; skip < v.n; skip++ {
			r.forward.Run(theta, v.Obs[skip*v.Size:(skip+1)*v.Size], state, 1)
		}
		skip -= v.n
	}
}

// begins returns the last step at which an episode began, if one did.
func (v stretch) begins() (step int, ok bool) {
	for t := v.n - 1; t > 0; t-- {
		if v.End[t-1] != 0 {
			return t, true
		}
	}
	return 0, v.First
}
