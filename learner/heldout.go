package learner

import (
	"cmp"
	"math"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// HeldOut measures the error of V about the learning policy π. It plays episodes with π that are not learned from, and
// compares V(x) with G(x), the discounted sum of the later rewards. ρ̄, c̄, α, λ, lag, correction and replay decide the
// learned V, but do not enter the measurement: it is a function of the parameters, of γ and of the reward transform.
// Each measurement begins with the same worlds and the same chance, from a stream of its own. So unchanged parameters
// give the same measurement to the last bit, and a changed V under an unchanged policy is compared with the same
// returns.
//
// V never replaces an unseen reward. The time limits are lifted, since V does not know them. Of each copy's steps the
// first heldOutStates count, if the play continues until the missing part of their return weighs at most heldOutRest.
// If γ looks further than heldOutLongest steps, only states with a finished episode count.
//
// It belongs to one goroutine and does not change the run.
type HeldOut struct {
	player  *actor.Actor
	begin   actor.State // of the player
	forward *net.Forward
	tasks   int
	unrolls []*traj.Unroll // the current part of each copy
	part    int            // steps of a part

	theta        []float32 // a copy of the measured parameters
	shift, scale []float32 // [tasks] real value = scale·(the head's number) + shift
	gamma        float64
	reward       loss.Reward
	rewardScale  float64

	steps, most int        // of each copy
	copies      []heldCopy // the copies' steps
	spare       []float32  // a recurrent state
	found       Judgement  // of the last whole measurement
}

// heldCopy is the play of one copy, step by step.
type heldCopy struct {
	value, reward []float64 // V(x_t) and r_t as the learner sees them
	over          []bool    // the episode ended with step t
}

// Judgement is the outcome of a measurement.
type Judgement struct {
	ValueError float64 // root mean square of V − G, in rewards of the world; NaN without a state
	States     int     // counted states
}

const (
	heldOutCopies  = 8    // of a suite: rounded so that each task has equally many
	heldOutPart    = 16   // steps of each copy at a time
	heldOutStates  = 128  // of each copy
	heldOutLongest = 2048 // steps to look ahead
	heldOutRest    = 0.01 // weight of the missing part of a return
)

// NewHeldOut prepares to measure networks of spec on the world of cfg.
func NewHeldOut(cfg *hyper.Config, spec net.Spec) (*HeldOut, error) {
	tasks := cfg.Tasks()
	n := max(1, heldOutCopies/tasks) * tasks
	player, err := actor.New(cfg.World, spec, n, cfg.Seed, stream.HeldOut)
	if err != nil {
		return nil, err
	}
	player.Endless()
	player.Forget = cfg.Forgets()
	h := &HeldOut{
		player: player, begin: player.Save(), forward: net.NewForward(spec, heldOutPart), tasks: tasks,
		part:   cmp.Or(player.Forget, heldOutPart), // the memory is cleared where a part begins
		copies: make([]heldCopy, n), spare: make([]float32, spec.States()),
	}
	h.unrolls = traj.NewUnrolls(n, h.part, spec.Shape())
	return h, nil
}

// Begin starts a measurement of a copy of theta, with the γ and the rewards of cfg. A number v of the value head means
// scale·v + shift, for each task.
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

// Play continues a measurement by some steps. It reports whether the measurement is complete.
func (h *HeldOut) Play() (done bool) {
	if err := h.player.Play(h.theta, 0, h.unrolls, func(telemetry.Episode) {}); err != nil {
		h.found = Judgement{ValueError: math.NaN()} // a policy that cannot act has no return
		return true
	}
	for i, u := range h.unrolls {
		h.note(&h.copies[i], u)
	}
	if h.steps += h.part; h.steps < h.most {
		return false
	}
	h.found = h.judge()
	return true
}

// Judgement returns the result of the last complete measurement.
func (h *HeldOut) Judgement() Judgement { return h.found }

// note adds a part of a copy's play.
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
		// G_t = r_t + γ·G_{t+1} within an episode. rest is the weight of the unseen part.
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
