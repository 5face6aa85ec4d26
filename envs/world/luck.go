package world

// The option "perturb": bodies that differ from episode to episode, as the Real-World RL suite's do (Dulac-Arnold et
// al., 2020: perturbed bodies, delays, noise), at three levels of our own.

// Perturbable is a world whose body can differ from episode to episode.
type Perturbable interface {
	World
	// Levels returns the ranges at the levels 1 to 3, most often Levels.
	Levels() *[3]Level
	// Perturb gives the next episodes a body with this luck, which the world keeps and does not change. It takes the
	// world out of its episode: Reset or SetState follows.
	Perturb(*Luck)
	// ChallengeLevel is the level that the option "challenge" sets at a difficulty of 1 to 3; 0: none.
	ChallengeLevel(difficulty int) int
}

// Level has the ranges of one level. A factor is uniform in 1 ± its share.
type Level struct {
	Mass, Friction, Strength float64 // of each part's mass, of friction and damping, of each motor
	Delay                    int     // steps from an action to its effect: 0 to this many
	Noise                    float64 // of each value observed: uniform within ± this, in the units of Luck.Units
}

// Levels are the ranges of most worlds.
var Levels = [3]Level{
	{Mass: .1, Friction: .2, Strength: .1, Delay: 1, Noise: .01},
	{Mass: .2, Friction: .4, Strength: .2, Delay: 2, Noise: .03},
	{Mass: .4, Friction: .6, Strength: .4, Delay: 3, Noise: .1},
}

// MaxParts bounds the masses and the motors of a body.
const MaxParts = 16

// Luck has the properties of an episode's body. A nil Luck is the usual body.
type Luck struct {
	X     float64   // the one draw that decides the others: uniform on [0, 1), a multiple of 2⁻⁵³
	Units []float32 // which Perturb may set: a usual size of each value observed; nil: 1

	friction       float64
	mass, strength [MaxParts]float64
	Delay          int // steps
	noise          float64
}

// NewLuck returns the properties of a body that the draw x selects at a level.
func NewLuck(x float64, l *Level) Luck {
	u, r := Luck{X: x, noise: l.Noise}, NewRand(uint64(x*0x1p53), 0)
	factor := func(share float64) float64 { return 1 + float64(share*(2*r.Float64()-1)) }
	u.friction = factor(l.Friction)
	for i := range MaxParts {
		u.mass[i], u.strength[i] = factor(l.Mass), factor(l.Strength)
	}
	u.Delay = r.IntN(l.Delay + 1)
	return u
}

// Mass is the factor of part i's mass and moment of inertia.
func (u *Luck) Mass(i int) float64 {
	if u == nil {
		return 1
	}
	return u.mass[i]
}

// Strength is the factor of motor i.
func (u *Luck) Strength(i int) float64 {
	if u == nil {
		return 1
	}
	return u.strength[i]
}

// Friction is the factor of the ground's friction, or of the joints' damping.
func (u *Luck) Friction() float64 {
	if u == nil {
		return 1
	}
	return u.friction
}

// Blur adds the noise of a step to an observation. It is a function of the draw and the step, so looking twice shows
// the same.
func (u *Luck) Blur(obs []float32, step int) {
	if u.noise == 0 {
		return
	}
	seed := uint64(u.X * 0x1p53)
	for i := range obs {
		z := Avalanche(seed ^ Avalanche(uint64(step)<<8|uint64(i)))
		wide := u.noise
		if u.Units != nil {
			wide = float64(wide * float64(u.Units[i]))
		}
		obs[i] += float32(float64(wide * (float64(z>>11)*0x1p-52 - 1)))
	}
}
