package bodies

import (
	"math"
	"strings"

	"impalab/envs/world"
)

// Pose is a body as a picture shows it. Lengths are in metres, z is up from the height 0 of the ground.
type Pose struct {
	X, Z         float32 // of the root
	HeadX, HeadZ float32
	Speed        float32 // forward, m/s
	Step         int
	Fallen       bool
	Limbs        []Limb
	Touches      []Touch
}

// Limb is one capsule.
type Limb struct {
	X0, Z0, X1, Z1, Radius float32
	Trunk, Far             bool
}

// Touch is a contact point on the ground, and its leg: 0 or 1, −1 for no leg.
type Touch struct {
	X, Z, Radius float32
	Leg          int
}

// Posed is a world that can be drawn as a body.
type Posed interface {
	// Pose writes the present pose into p, and uses its space.
	Pose(p *Pose)
	// Ground is the height of the ground at x.
	Ground(x float32) float32
	// Legs names the two legs, nearest first. The second name is empty for a body with one leg.
	Legs() [2]string
	// Push adds to the speed of the root, in m/s, forward and up, within the bounds of a state. Only viewers of a copy
	// push it.
	Push(forward, up float32)
}

// Of returns the body of a world, also from behind wrappers; nil if it has none.
func Of(w world.World) Posed {
	for {
		if p, ok := w.(Posed); ok {
			return p
		}
		layers, ok := w.(interface{ Within() world.World })
		if !ok {
			return nil
		}
		w = layers.Within()
	}
}

// Pose writes the present pose.
func (w *creature) Pose(p *Pose) {
	b, m := w.body, &w.m
	p.X, p.Z, p.Step = float32(m.x), float32(m.z), w.steps
	x, z := b.position(m, &w.fs, 0, w.task.head)
	p.HeadX, p.HeadZ = float32(x), float32(z)
	p.Speed = float32(w.forward())
	p.Fallen = w.task.fallen(w)
	p.Limbs, p.Touches = p.Limbs[:0], p.Touches[:0]
	for i := range b.n {
		leg := w.task.leg(i)
		for _, k := range w.task.plan.links[i].bones {
			x0, z0 := b.position(m, &w.fs, i, k.from)
			x1, z1 := b.position(m, &w.fs, i, k.to)
			p.Limbs = append(p.Limbs, Limb{float32(x0), float32(z0), float32(x1), float32(z1), float32(k.radius),
				leg < 0, w.task.far(i)})
		}
	}
	for _, c := range b.points[:b.touching] {
		x, z := b.position(m, &w.fs, c.link, c.at)
		if d, _, _ := w.land.above(x, z, c.radius); d < touching {
			p.Touches = append(p.Touches, Touch{float32(x), float32(z - c.radius - d), float32(c.radius),
				w.task.leg(c.link)})
		}
	}
}

// touching is the distance from the ground, in metres, below which a point is drawn as touching it.
const touching = .002

func (w *creature) Ground(x float32) float32 {
	z, _ := w.land.height(float64(x))
	return float32(z)
}

// Lean is the angle of the trunk in an observation, clockwise from its place in the drawn body, in radians.
func (w *creature) Lean(obs []float32) float32 {
	return float32(math.Atan2(-float64(obs[2]), float64(obs[1])))
}

func (w *creature) Push(forward, up float32) {
	w.m.vx = max(-fastest, min(fastest, w.m.vx+float64(forward)))
	w.m.vz = max(-fastest, min(fastest, w.m.vz+float64(up)))
}

func (w *creature) Legs() [2]string {
	for i := range w.body.n {
		switch {
		case w.task.far(i):
			return [2]string{"near", "far"}
		case strings.HasPrefix(w.task.plan.links[i].name, "front"):
			return [2]string{"back", "front"}
		}
	}
	return [2]string{"foot", ""}
}

// far reports whether a link is on the far side, which is the left one.
func (t *Task) far(i int) bool { return strings.HasPrefix(t.plan.links[i].name, "left") }

// leg returns the leg of a link: 0 or 1, −1 for the trunk and the arms.
func (t *Task) leg(i int) int {
	name := t.plan.links[i].name
	_, joint, two := strings.Cut(name, " ")
	if !two {
		joint = name
	}
	switch joint {
	case "hip", "knee", "ankle":
	default:
		return -1
	}
	if t.far(i) || strings.HasPrefix(name, "front") {
		return 1
	}
	return 0
}

var _ Posed = (*creature)(nil)
