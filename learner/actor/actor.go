// Package actor plays: a vector of copies of one world, a policy snapshot, and unrolls to fill
// (IMPALA §3). It never touches the graph; it calls the kernels through net.Forward.
package actor

import (
	"errors"
	"fmt"

	"impalab/envs"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Actor plays n copies of one world. It belongs to one goroutine.
type Actor struct {
	spec    net.Spec
	worlds  envs.Vector
	forward *net.Forward
	chance  envs.Rand
	parts   *parts // that play in its place; nil: it plays itself

	n, size, actions int
	before, after    int             // copies of others that draw from the same stream, see parts
	now              int             // the step being played, of the unroll
	task             func(i int) int // that copy i plays, in a suite of worlds
	feedback, states int
	reals            int
	policy           *Policy
	lane, played     uint64    // of copy 0, and unrolls each copy has played
	obs              []float32 // [n, size]
	input            []float32 // [n, size + feedback]: obs and feedback, or obs itself without feedback
	state            []float32 // [n, states] of the recurrent core
	out              []envs.Outcome
	returns          []float32 // of each copy's episode so far
	lengths          []uint32
	overlap          overlap

	// Cores is the share that its goroutine holds a core of while it plays; nil: it needs no core of a share.
	Cores *schedule.Share

	// Help is called on its core after each step, if it is not nil. It does work that is more urgent than playing.
	Help func()

	// Uniform makes it choose every action equally often, whatever the policy says.
	Uniform bool
	// Greedy makes it take the likeliest action, the first of several, or the mean of a policy over real numbers.
	Greedy bool

	// Forget makes the actor clear the core's memory at the start of each unroll, and in a longer unroll after every
	// Forget steps; 0: only when an episode ends.
	Forget int

	ask func() (raw []float32, err error) // the policy's numbers for input, from a Batching; nil: its own forward pass
}

// New makes an actor of n copies; stream separates the actors of one run, and their worlds.
func New(world string, spec net.Spec, n int, seed, stream uint64) (*Actor, error) {
	chance := envs.NewRand(seed, stream)
	worlds, err := envs.NewVector(world, n, chance.Uint64())
	if err != nil {
		return nil, err
	}
	a := &Actor{
		spec: spec, worlds: worlds, forward: net.NewForward(spec, n), chance: chance,
		n: n, size: worlds.Spec().Size(), actions: spec.Actions, feedback: spec.Feedback, states: spec.States(),
		reals: spec.Reals(), policy: NewPolicy(spec, n),
		lane: stream << 16,
		out:  make([]envs.Outcome, n), returns: make([]float32, n), lengths: make([]uint32, n),
	}
	a.obs = make([]float32, n*a.size)
	if have := len(worlds.Spec().Controls); a.reals > 0 && have != a.reals {
		return nil, fmt.Errorf("actor: a %s policy of %d numbers for world=%s, which has %d controls", spec.Policy, a.reals,
			world, have)
	}
	a.state = make([]float32, n*a.states)
	a.input = a.obs
	if a.feedback > 0 {
		a.input = make([]float32, n*(a.size+a.feedback))
	}
	a.task = func(int) int { return 0 }
	if several, ok := worlds.(*envs.SuiteVector); ok {
		a.task = several.Task
	}
	a.observe()
	return a, nil
}

// observe reads the worlds' observations. It leaves the feedback behind each observation.
func (a *Actor) observe() {
	a.worlds.Observe(a.obs)
	if a.feedback > 0 {
		for i := range a.n {
			copy(a.input[i*(a.size+a.feedback):][:a.size], a.obs[i*a.size:])
		}
	}
}

// Endless lifts the time limit: no episode is cut from now on, and Save has nothing that could be taken back.
func (a *Actor) Endless() {
	a.worlds.Endless()
	if a.parts != nil {
		a.parts.deal(a.worlds)
	}
}

// ErrNotFinite says that a policy cannot act: the network's output is not finite, though θ may be.
var ErrNotFinite = errors.New("the policy's output is not finite (NaN or infinity), so there is no action to take")

// Len is the number of copies, and of unrolls one Play fills.
func (a *Actor) Len() int { return a.n }

// Play fills one unroll for each copy with the policy theta, which version updates made. done receives every
// finished episode, with its raw return, in the order of time and copies. An actor that has joined a Batching asks that
// for its policy instead, of version or newer. The error is ErrNotFinite, or why that Batching ended; the unrolls are
// then of no use.
func (a *Actor) Play(theta []float32, version uint64, unrolls []*traj.Unroll, done func(telemetry.Episode)) error {
	if len(unrolls) != a.n {
		panic("actor: one unroll for each copy")
	}
	a.forget(0)
	for i, u := range unrolls {
		u.Begin(version)
		a.head(u, i, version)
		a.repeat(u, i)
	}
	a.played++
	var err error
	if a.parts != nil {
		err = a.parts.steps(a, theta, unrolls, done)
	} else {
		err = a.steps(theta, unrolls, done)
	}
	for i, u := range unrolls {
		a.overlap.save(u, i)
	}
	return err
}

// forget clears the core's memory before step t of an unroll if it is time.
func (a *Actor) forget(t int) {
	if a.Forget > 0 && t%a.Forget == 0 {
		clear(a.state)
	}
}

// steps fills unrolls that have begun.
func (a *Actor) steps(theta []float32, unrolls []*traj.Unroll, done func(telemetry.Episode)) error {
	width := a.size + a.feedback
	for t := unrolls[0].Again; t < unrolls[0].T; t++ {
		a.now = t
		a.forget(t)
		a.overlap.remember(t-unrolls[0].T, a.state, a.states)
		if err := a.choose(theta); err != nil {
			return err
		}
		for i, u := range unrolls {
			copy(u.Obs[t*width:(t+1)*width], a.input[i*width:])
			copy(u.Mu[t*a.actions:(t+1)*a.actions], a.policy.Mu[i*a.actions:])
			copy(u.Real[t*a.reals:(t+1)*a.reals], a.policy.Draw.Real[i*a.reals:])
			u.Action[t] = a.policy.Action[i]
		}
		if a.reals > 0 {
			a.worlds.Drive(a.policy.Draw.Control, a.out)
		} else {
			a.worlds.Step(a.policy.Action, a.out)
		}
		for i, u := range unrolls {
			a.record(i, t, u, done)
		}
		a.observe()
		if a.Help != nil {
			a.Help()
		}
		a.Cores.Yield()
	}
	for i, u := range unrolls {
		copy(u.Obs[u.T*width:], a.input[i*width:(i+1)*width])
	}
	return nil
}

// record writes the reward and end of step t of copy i, and the next observation of the network.
func (a *Actor) record(i, t int, u *traj.Unroll, done func(telemetry.Episode)) {
	o := a.out[i]
	u.Reward[t], u.End[t] = o.Reward, uint8(o.End)
	a.returns[i] += o.Reward
	a.lengths[i]++
	last := a.input[i*(a.size+a.feedback):][a.size : a.size+a.feedback]
	a.policy.Feedback(last, i, o.Reward)
	if o.End == envs.Running {
		return
	}
	if o.End == envs.Truncated {
		cut := u.Cut(t)
		a.worlds.Final(i, cut[:a.size])
		copy(cut[a.size:], last)
	}
	done(a.over(i))
	clear(last) // nothing has been done yet
	clear(a.state[i*a.states : (i+1)*a.states])
}

// choose draws an action for each copy from its policy, and keeps that.
func (a *Actor) choose(theta []float32) error {
	p := a.policy
	p.Uniform, p.Greedy = a.Uniform, a.Greedy
	var raw []float32
	if !a.Uniform || a.reals > 0 || a.states > 0 { // else nothing looks at it, and there is nothing to remember
		var err error
		if raw, err = a.numbers(theta); err != nil {
			return err
		}
	}
	a.pass(a.before)
	finite := p.Choose(raw, a.worlds.Spec().Controls, &a.chance)
	a.pass(a.after)
	if !finite {
		return ErrNotFinite
	}
	return nil
}

// pass skips the draws of n copies at a step in the stream of chance.
func (a *Actor) pass(n int) {
	words := 1 // of an action with a name
	switch {
	case a.reals > 0 && a.Greedy, a.Greedy && !a.Uniform:
		return
	case a.reals > 0:
		words = 2 * a.reals // Norm takes two
	}
	for range n * words {
		a.chance.Uint64()
	}
}

// numbers returns the network's outputs [n, actions] for the copies' observations.
func (a *Actor) numbers(theta []float32) ([]float32, error) {
	if a.ask != nil {
		return a.ask()
	}
	raw, _ := a.forward.Run(theta, a.input, a.state, a.n)
	return raw, nil
}
