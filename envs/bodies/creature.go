package bodies

import (
	"encoding/binary"
	"math"

	"impalab/envs/world"
)

// creature is one copy of a task's world: a body in motion on an episode's ground.
type creature struct {
	spec *world.Spec
	task *Task
	options
	body  *body // the task's own, or &odd
	odd   body  // the perturbed body
	m     motion
	fs    frames
	seed  uint64 // of the ground
	land  land
	steps int
	shown [maxLinks]float32 // the controls in force
}

// The state of a body stays within these bounds. They are several times as large as the values that the motors reach.
// An episode that leaves them ends, without a reward for the step.
const (
	fastest = 50  // m/s
	twirl   = 250 // rad/s
	away    = 1e5 // m and rad
)

func (w *creature) Spec() *world.Spec { return w.spec }

// Reset begins an episode: one draw decides the ground, the others the pose.
func (w *creature) Reset(r *world.Rand) {
	w.steps = 0
	w.shape(seedOf(r))
	w.m = motion{}
	w.task.pose(w, r)
	w.body.aim(&w.m, &w.fs)
}

// seedOf draws 53 random bits: a recorded draw has no more.
func seedOf(r *world.Rand) uint64 { return uint64(r.Float64() * 0x1p53) }

// shape makes the ground of a seed.
func (w *creature) shape(seed uint64) {
	w.seed = seed
	w.land = land{kind: w.terrain, seed: seed}
}

// Levels returns the ranges of the option "perturb".
func (w *creature) Levels() *[3]world.Level { return &world.Levels }

// ChallengeLevel returns the difficulty: a challenge perturbs bodies at the level of its own number.
func (w *creature) ChallengeLevel(difficulty int) int { return difficulty }

// Perturb makes the body that u draws.
func (w *creature) Perturb(u *world.Luck) {
	w.odd = *w.task.body
	w.body = &w.odd
	b := &w.odd
	b.ground.friction *= u.Friction()
	for i := range b.n {
		l := &b.links[i]
		l.mass *= u.Mass(i)
		l.moment *= u.Mass(i)
		l.motor *= u.Strength(i)
	}
	b.settle()
}

// stand puts the body on the ground in a pose of its joints, in degrees. Noise of the given size is added to each
// angle and velocity.
func (w *creature) stand(r *world.Rand, joints []float64, noise float64) {
	b, m := w.body, &w.m
	drawn := func() float64 { return float64(noise * (2*r.Float64() - 1)) }
	m.angle[0] = drawn()
	for i := 1; i < b.n; i++ {
		l := &b.links[i]
		m.angle[i] = m.angle[l.parent] + min(max(float64(joints[i-1]*degree)+drawn(), l.low), l.high)
	}
	m.vx, m.vz = drawn(), drawn()
	for i := range b.n {
		m.spin[i] = drawn()
	}
	b.aim(m, &w.fs)
	m.z = -b.lowest(m, &w.fs)
}

// lowest returns the height of the lowest contact point, above the height 0.
func (b *body) lowest(m *motion, fs *frames) float64 {
	low := math.Inf(1)
	for i := range b.touching {
		c := &b.points[i]
		_, z := b.position(m, fs, c.link, c.at)
		low = min(low, z-c.radius)
	}
	return low
}

// position returns where a point of a link is, in metres.
func (b *body) position(m *motion, fs *frames, link int, at vec) (x, z float64) {
	f := &fs[link]
	x, z = rotate(f.sin, f.cos, at)
	for i := link; i > 0; i = b.links[i].parent {
		p := &fs[b.links[i].parent]
		ax, az := rotate(p.sin, p.cos, b.links[i].joint)
		x, z = x+ax, z+az
	}
	return m.x + x, m.z + z
}

// speed returns the velocity of the centre of mass.
func (b *body) speed(m *motion, fs *frames) (vx, vz float64) {
	var xs, zs [maxLinks]float64
	for i := range b.n {
		l, f := &b.links[i], &fs[i]
		if i == 0 {
			xs[0], zs[0] = m.vx, m.vz
		} else {
			p := &fs[l.parent]
			ax, az := rotate(p.sin, p.cos, l.joint)
			spin := m.spin[l.parent]
			xs[i], zs[i] = xs[l.parent]-float64(spin*az), zs[l.parent]+float64(spin*ax)
		}
		rx, rz := rotate(f.sin, f.cos, l.centre)
		vx += float64(l.mass * (xs[i] - float64(m.spin[i]*rz)))
		vz += float64(l.mass * (zs[i] + float64(m.spin[i]*rx)))
	}
	return vx / b.mass, vz / b.mass
}

func (w *creature) Step(r *world.Rand, action int) world.Outcome {
	return w.Drive(r, w.spec.Setting(action))
}

func (w *creature) Drive(_ *world.Rand, controls []float32) world.Outcome {
	b := w.body
	for i := range b.driven {
		w.shown[i] = float32(w.spec.Controls[i].Clip(controls[i]))
	}
	var torque [maxLinks]float64
	for i, l := range b.motors[:b.driven] {
		torque[l] = float64(b.links[l].motor * float64(w.shown[i]))
	}
	before := w.m
	for range w.task.substeps {
		b.step(&w.m, &torque, &w.land, &w.fs)
	}
	w.steps++
	if !w.within() {
		w.m = before
		b.aim(&w.m, &w.fs)
		return world.Outcome{End: world.Terminated}
	}
	out := world.Outcome{Reward: float32(w.task.reward(w))}
	if w.steps >= w.spec.Limit {
		out.End = world.Truncated
	}
	if w.fall && w.task.fallen(w) {
		out.End = world.Terminated
	}
	return out
}

// within reports whether the state is within its bounds; NaN is not.
func (w *creature) within() bool {
	m := &w.m
	ok := math.Abs(m.x) <= away && math.Abs(m.z) <= away && math.Abs(m.vx) <= fastest && math.Abs(m.vz) <= fastest
	for i := range w.body.n {
		ok = ok && math.Abs(m.spin[i]) <= twirl && math.Abs(m.angle[i]) <= away
	}
	return ok
}

// observed returns the number of values of an observation: the height of the root above the ground; cosine and sine of
// its angle; the joints' angles; the root's velocity in units of 2 m/s; the angular velocities of the root and the
// joints in units of 10 rad/s. On uneven ground, the heights of the ground at some distances ahead follow, relative to
// the ground under the root.
func (t *Task) observed(o options) int {
	n := 2*t.body.n + 4
	if o.terrain != flat {
		n += len(ahead)
	}
	return n
}

const speedUnit = 2 // m/s

// ahead are distances from the root, in metres.
var ahead = [...]float64{-.25, .25, .5, .75, 1, 1.5, 2}

func (w *creature) Observe(obs []float32) {
	b, m := w.body, &w.m
	n := b.n
	obs = obs[:w.task.observed(w.options)]
	under, _ := w.land.height(m.x)
	obs[0] = float32(m.z - under)
	obs[1], obs[2] = float32(w.fs[0].cos), float32(w.fs[0].sin)
	obs[n+2], obs[n+3], obs[n+4] = float32(m.vx/speedUnit), float32(m.vz/speedUnit), float32(m.spin[0]/10)
	for i := 1; i < n; i++ {
		p := b.links[i].parent
		obs[2+i] = float32(m.angle[i] - m.angle[p])
		obs[n+4+i] = float32((m.spin[i] - m.spin[p]) / 10)
	}
	if w.terrain != flat {
		for i, d := range ahead {
			z, _ := w.land.height(m.x + d)
			obs[2*n+4+i] = float32(z - under)
		}
	}
}

func (w *creature) State(dst []byte) []byte {
	m, n := &w.m, w.task.body.n
	dst = world.Begin(dst, world.One, w.spec)
	dst = binary.LittleEndian.AppendUint64(dst, w.seed)
	for _, x := range [...]float64{m.x, m.z, m.vx, m.vz} {
		dst = world.AppendFloat(dst, x)
	}
	for i := range n {
		dst = world.AppendFloat(world.AppendFloat(dst, m.angle[i]), m.spin[i])
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
}

func (w *creature) SetState(src []byte) error {
	b := world.Open(src, world.One, w.spec)
	seed := b.Uint64()
	if seed >= 1<<53 {
		b.Fail("holds a number out of range")
	}
	next := motion{x: b.Within(away), z: b.Within(away), vx: b.Within(fastest), vz: b.Within(fastest)}
	for i := range w.task.body.n {
		next.angle[i], next.spin[i] = b.Within(away), b.Within(twirl)
	}
	steps := b.Below(w.spec.Limit + 1)
	if err := b.Close(); err != nil {
		return err
	}
	w.shape(seed)
	w.m, w.steps = next, steps
	w.body.aim(&w.m, &w.fs)
	return nil
}
