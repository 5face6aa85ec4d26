package bodies

import "impalab/envs/world"

// The option "perturb": bodies that differ from episode to episode, as the Real-World RL suite's do (Dulac-Arnold et
// al., 2020: perturbed bodies, delays, noise), at three levels of our own. The suite's combined challenge is harder and
// is the option "challenge" of every world.

// level is one level's ranges: a factor is uniform in 1 ± its share.
type level struct {
	mass, friction, strength float64 // of each link's mass, of the ground's friction, of each motor
	delay                    int     // control steps: 0 to this many
	noise                    float64 // of every value observed: uniform within ± this
}

var levels = [...]level{
	{},
	{mass: .1, friction: .2, strength: .1, delay: 1, noise: .01},
	{mass: .2, friction: .4, strength: .2, delay: 2, noise: .03},
	{mass: .4, friction: .6, strength: .4, delay: 3, noise: .1},
}

const maxDelay = 3

// luck has the properties of an episode's body that its seed decides.
type luck struct {
	seed           uint64
	friction       float64
	mass, strength [maxLinks]float64
	delay          int
	noise          float64
}

func drawLuck(seed uint64, at int) luck {
	u, r := luck{seed: seed}, world.NewRand(seed, 0)
	l := &levels[at]
	factor := func(share float64) float64 { return 1 + float64(share*(2*r.Float64()-1)) }
	u.friction = factor(l.friction)
	for i := range maxLinks {
		u.mass[i], u.strength[i] = factor(l.mass), factor(l.strength)
	}
	u.delay = r.IntN(l.delay + 1)
	u.noise = l.noise
	return u
}

// change makes the body that the luck decides.
func (u *luck) change(b *body) {
	b.ground.friction *= u.friction
	for i := range b.n {
		l := &b.links[i]
		l.mass *= u.mass[i]
		l.moment *= u.mass[i]
		l.motor *= u.strength[i]
	}
	b.settle()
}

// uneven is uniform on [−1, 1): the noise of value i after so many steps, so that looking twice shows the same.
func (u *luck) uneven(steps, i int) float64 {
	z := world.Avalanche(u.seed ^ world.Avalanche(uint64(steps)<<8|uint64(i)))
	return float64(z>>11)*0x1p-52 - 1
}
