package actor

import (
	"impalab/envs"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// parts are the copies of an actor dealt out, to be played side by side.
type parts struct {
	all  []*part
	pool *schedule.Pool
	play func(k int) // bound once, so that a round allocates nothing

	theta   []float32 // of the round in progress
	unrolls []*traj.Unroll
}

// part is an actor of some of another one's copies.
type part struct {
	Actor
	from, to int
	episodes []dated
	told     int                     // of episodes, so far
	ended    func(telemetry.Episode) // adds to episodes
	err      error
}

// dated is an episode and the step of the unroll at which it ended.
type dated struct {
	step int
	telemetry.Episode
}

// Split makes Play distribute the copies over n parts, 1 to Len, which play side by side on pool. Other callers cannot
// use the pool meanwhile. The play is the same to the last bit: a part uses the actor's own stream of chance and skips
// the draws of the copies before and after it.
func (a *Actor) Split(n int, pool *schedule.Pool) {
	p := &parts{pool: pool}
	a.parts = p
	width := a.size + a.feedback
	for k := range n {
		from, to := k*a.n/n, (k+1)*a.n/n
		one := &part{from: from, to: to}
		one.Actor = Actor{
			forward: net.NewForward(a.spec, to-from), policy: NewPolicy(a.spec, to-from),
			n: to - from, before: from, after: a.n - to,
			size: a.size, actions: a.actions, feedback: a.feedback, states: a.states, reals: a.reals,
			task:    func(i int) int { return a.task(from + i) },
			obs:     a.obs[from*a.size : to*a.size],
			input:   a.input[from*width : to*width],
			state:   a.state[from*a.states : to*a.states],
			overlap: a.overlap.part(from, to, a.states),
			out:     a.out[from:to], returns: a.returns[from:to], lengths: a.lengths[from:to],
		}
		one.ended = func(e telemetry.Episode) { one.episodes = append(one.episodes, dated{one.now, e}) }
		p.all = append(p.all, one)
	}
	p.deal(a.worlds)
	p.play = func(k int) {
		one := p.all[k]
		one.err = one.steps(p.theta, p.unrolls[one.from:one.to], one.ended)
	}
}

// deal gives the parts their copies of the world.
func (p *parts) deal(worlds envs.Vector) {
	for _, one := range p.all {
		one.worlds = envs.Part(worlds, one.from, one.to)
	}
}

// steps is Actor.steps of a, by its parts.
func (p *parts) steps(a *Actor, theta []float32, unrolls []*traj.Unroll, done func(telemetry.Episode)) error {
	p.theta, p.unrolls = theta, unrolls
	for _, one := range p.all {
		one.chance, one.Cores, one.Uniform, one.Greedy, one.Forget = a.chance, a.Cores, a.Uniform, a.Greedy, a.Forget
		one.episodes, one.told = one.episodes[:0], 0
	}
	p.pool.Each(len(p.all), p.play)
	a.chance = p.all[0].chance // all parts have come as far

	// If one part cannot continue, the others would have stopped at the same step.
	last, err := unrolls[0].T, error(nil)
	for _, one := range p.all {
		if one.err != nil {
			last, err = min(last, one.now), one.err
		}
	}
	for step := range last {
		for _, one := range p.all {
			for ; one.told < len(one.episodes) && one.episodes[one.told].step == step; one.told++ {
				done(one.episodes[one.told].Episode)
			}
		}
	}
	return err
}
