package learner

import (
	"math"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// HeldOut measures how wrong V is about the policy that learns, π: it plays episodes with π that are not learned from
// and compares V(x) with G(x), the discounted sum of rewards that really followed. ρ̄, c̄, α, λ, lag, correction and
// replay decide which V is learned and have no part in the measurement: it is a function of the parameters, of γ and of
// what the learner takes for a reward. Each begins with the same worlds and the same chance, a stream of their own, so
// parameters that stand still are measured the same to the last bit, and a V that moves under a policy that stands
// still is held against the same returns.
//
// No V stands in for a reward that was not seen. Time limits are lifted, as V does not know of them, and of each copy's
// steps the first heldOutStates count, when the play goes on behind them until what is missing of their return weighs
// heldOutRest. Where γ looks further than heldOutLongest steps, only states count whose episode ended.
//
// It belongs to one goroutine and touches nothing of the run's.
type HeldOut struct {
	player  *actor.Actor
	begin   actor.State // of the player
	forward *net.Forward
	tasks   int
	unrolls []*traj.Unroll // a part of each copy

	theta        []float32 // what is measured: a copy
	shift, scale []float32 // [tasks] real value = scale·(the head's number) + shift
	gamma        float64
	reward       loss.Reward
	rewardScale  float64

	steps, most int        // played so far and to be played, of each copy
	copies      []heldCopy // what they met
	spare       []float32  // a recurrent state
	found       Judgement  // of the last whole measurement
}

// heldCopy is what one copy met, step by step.
type heldCopy struct {
	value, reward []float64 // V(x_t) and r_t as the learner sees them
	over          []bool    // the episode ended with step t
}

// Judgement is the outcome of a measurement.
type Judgement struct {
	ValueError float64 // root mean square of V − G, in rewards of the world; NaN without a state
	States     int     // that count
}

const (
	heldOutCopies  = 8    // or, of a suite, as many as make each task come equally often
	heldOutPart    = 16   // steps of each copy at a time
	heldOutStates  = 128  // of each copy
	heldOutLongest = 2048 // steps to look ahead
	heldOutRest    = 0.01 // weight of what is missing of a return
)

// NewHeldOut prepares to measure networks of spec on the world of cfg.
func NewHeldOut(cfg *hyper.Config, spec net.Spec) (*HeldOut, error) {
	tasks := tasksOf(cfg)
	n := max(1, heldOutCopies/tasks) * tasks
	player, err := actor.New(cfg.World, spec, n, cfg.Seed, stream.HeldOut)
	if err != nil {
		return nil, err
	}
	player.Endless()
	h := &HeldOut{
		player: player, begin: player.Save(), forward: net.NewForward(spec, heldOutPart), tasks: tasks,
		copies: make([]heldCopy, n), spare: make([]float32, spec.States()),
	}
	for range n {
		h.unrolls = append(h.unrolls, traj.NewUnroll(heldOutPart, algo.ShapeOf(&spec)))
	}
	return h, nil
}

// Begin starts a measurement of theta, which it copies, under the γ and the rewards of cfg. The value head's number v
// says scale·v + shift, for each task.
func (h *HeldOut) Begin(theta, shift, scale []float32, cfg *hyper.Config) error {
	if err := h.player.Load(h.begin); err != nil {
		return err
	}
	h.theta = append(h.theta[:0], theta...)
	h.shift, h.scale = append(h.shift[:0], shift...), append(h.scale[:0], scale...)
	h.gamma, h.reward, h.rewardScale = cfg.Gamma, cfg.Reward, cfg.RewardScale
	ahead := heldOutLongest
	if far := math.Log(heldOutRest) / math.Log(h.gamma); far < heldOutLongest { // γ = 1 makes it infinite
		ahead = max(1, int(math.Ceil(far)))
	}
	h.steps, h.most = 0, heldOutStates+ahead
	for i := range h.copies {
		c := &h.copies[i]
		c.value, c.reward, c.over = c.value[:0], c.reward[:0], c.over[:0]
	}
	return nil
}

// Play goes on with a measurement that has begun, by some steps. It reports whether that is done.
func (h *HeldOut) Play() (done bool) {
	if err := h.player.Play(h.theta, 0, h.unrolls, func(telemetry.Episode) {}); err != nil {
		h.found = Judgement{ValueError: math.NaN()} // a policy that nothing can act with has no return
		return true
	}
	for i, u := range h.unrolls {
		h.note(&h.copies[i], u)
	}
	if h.steps += heldOutPart; h.steps < h.most {
		return false
	}
	h.found = h.judge()
	return true
}

// Judgement is what the last whole measurement found.
func (h *HeldOut) Judgement() Judgement { return h.found }

// note takes a part of a copy's play in.
func (h *HeldOut) note(c *heldCopy, u *traj.Unroll) {
	value := func(v []float32) float64 { return float64(h.scale[u.Task]*v[int(u.Task)%len(v)] + h.shift[u.Task]) }
	if len(h.spare) == 0 { // all rows at once
		_, v := h.forward.Run(h.theta, u.Obs, nil, u.T)
		for wide := len(v) / u.T; len(v) > 0; v = v[wide:] {
			c.value = append(c.value, value(v[:wide]))
		}
	} else {
		copy(h.spare, u.State)
		for t := range u.T {
			_, v := h.forward.Run(h.theta, u.Obs[t*u.Size:(t+1)*u.Size], h.spare, 1)
			c.value = append(c.value, value(v))
			if u.End[t] != uint8(envs.Running) {
				clear(h.spare)
			}
		}
	}
	loss.Transform(u.Reward, u.Reward, h.reward)
	for t, r := range u.Reward {
		c.reward, c.over = append(c.reward, float64(r)*h.rewardScale), append(c.over, u.End[t] != uint8(envs.Running))
	}
}

// judge compares the values with the returns.
func (h *HeldOut) judge() Judgement {
	sum, n := 0.0, 0
	for i := range h.copies {
		c := &h.copies[i]
		// G_t = r_t + γ·G_{t+1}, an episode's end a wall; rest is the weight of what was not seen.
		g, rest := 0.0, 1.0
		for t := len(c.value) - 1; t >= 0; t-- {
			if c.over[t] {
				g, rest = 0, 0
			}
			g = c.reward[t] + h.gamma*g
			if rest *= h.gamma; t < heldOutStates && rest <= heldOutRest {
				d := c.value[t] - g
				sum += d * d
				n++
			}
		}
	}
	if n == 0 {
		return Judgement{ValueError: math.NaN()}
	}
	return Judgement{math.Sqrt(sum/float64(n)) / math.Abs(h.rewardScale), n}
}
