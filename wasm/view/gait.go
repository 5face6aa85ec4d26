package view

import (
	"strconv"

	"impalab/envs"
	"impalab/envs/bodies"
	"impalab/web/play"
)

// gait is a stage's memory of a body in motion: its newest poses, its afterimages, the way of its head, and each leg's
// stances. A new episode forgets all but the flag and the last course.
type gait struct {
	world       string
	legs        [2]string
	seconds     float32 // of a step
	before, now bodies.Pose
	images      []bodies.Pose // the oldest first
	head        []float32     // x z of the head, the oldest first
	stances     [2][]stance   // of each leg, the oldest first
	fell        int           // steps of the episode until the body fell; 0: it has not
	began       bool
	best, flag  float32 // m: of the episodes so far; where the run before got to

	course, last course // of the present episode and of the last one
}

// stance is the way that the root went while a leg touched the ground.
type stance struct {
	from, to float32
	open     bool
}

const (
	imagesKept  = 5
	imagesApart = .25 // s
	headKept    = 64  // steps
	stancesKept = 32  // of each leg
)

// newGait is for a world that has a body; nil for another.
func newGait(body bodies.Posed, world *envs.Spec) *gait {
	if body == nil {
		return nil
	}
	return &gait{world: world.Name, legs: body.Legs(), seconds: 1 / max(world.Rate, 1)}
}

// add records the newest pose. A pose that does not follow the last one starts a new episode.
func (g *gait) add(body bodies.Posed, follows, ended bool) {
	g.before, g.now = g.now, g.before
	body.Pose(&g.now)
	if !follows || !g.began {
		g.begin(body)
	}
	p := &g.now
	g.course.add(p)
	if g.fell = 0; ended && p.Fallen {
		g.fell = p.Step
	}
	g.best = max(g.best, p.X)
	every := max(1, int(imagesApart/g.seconds+.5))
	if n := len(g.images); n == 0 || p.Step >= g.images[n-1].Step+every {
		g.addImage(p)
	}
	if len(g.head) == 2*headKept {
		g.head = append(g.head[:0], g.head[2:]...)
	}
	g.head = append(g.head, p.HeadX, p.HeadZ)
	for leg := range g.stances {
		g.stand(leg, p.X, stands(p, leg))
	}
}

// begin forgets the last episode.
func (g *gait) begin(body bodies.Posed) {
	g.began, g.images, g.head = true, g.images[:0], g.head[:0]
	g.stances[0], g.stances[1] = g.stances[0][:0], g.stances[1][:0]
	if g.course.whole() {
		g.last, g.course = g.course, g.last
	}
	g.course.clear()
	body.Pose(&g.before)
}

// addImage makes an afterimage, in the space of the oldest one.
func (g *gait) addImage(p *bodies.Pose) {
	var space bodies.Pose
	if len(g.images) == imagesKept {
		space = g.images[0]
		g.images = append(g.images[:0], g.images[1:]...)
	}
	limbs := append(space.Limbs[:0], p.Limbs...)
	space = *p
	space.Limbs, space.Touches = limbs, nil
	g.images = append(g.images, space)
}

// stands reports whether a leg touches the ground.
func stands(p *bodies.Pose, leg int) bool {
	for _, t := range p.Touches {
		if t.Leg == leg {
			return true
		}
	}
	return false
}

// stand opens, continues or closes a leg's stance.
func (g *gait) stand(leg int, x float32, down bool) {
	list := g.stances[leg]
	n := len(list)
	switch open := n > 0 && list[n-1].open; {
	case down && open:
		list[n-1].to = x
	case down:
		if n == stancesKept {
			list = append(list[:0], list[1:]...)
		}
		list = append(list, stance{from: x, to: x, open: true})
	case open:
		list[n-1].open = false
	}
	g.stances[leg] = list
}

// score is how far the body has come, in whole metres, and its mean speed in this episode; or that it fell.
func (g *gait) score() (way, how string) {
	p := &g.now
	way = strconv.Itoa(int(p.X)) + " m"
	switch {
	case g.fell > 0:
		how = play.FellAfter(g.fell)
	case p.Step > 0:
		how = strconv.FormatFloat(float64(p.X/(float32(p.Step)*g.seconds)), 'f', 1, 32) + " m/s"
	}
	return way, how
}

// between writes the pose at a share of the way from the last one to the newest.
func (g *gait) between(out *bodies.Pose, share float32) {
	limbs := append(out.Limbs[:0], g.now.Limbs...)
	*out = g.now
	out.Limbs = limbs
	if len(g.before.Limbs) != len(limbs) || share >= 1 {
		return
	}
	out.X, out.Z = part(g.before.X, out.X, share), part(g.before.Z, out.Z, share)
	out.HeadX, out.HeadZ = part(g.before.HeadX, out.HeadX, share), part(g.before.HeadZ, out.HeadZ, share)
	mix(limbs, g.before.Limbs, share)
}

// floor is the place of a body's world in a cell: the picture shows x from left on, pixels to a metre, and the height 0
// at ground.
type floor struct {
	box
	left, scale, ground float32
	bars                bool // the gait's bars fit below
}

// hip is where the camera keeps the root, as a share of the width.
const hip = .58

// floorOf fits a view whose height above the ground is given in metres. S is pixels to a CSS pixel.
func floorOf(b box, s, tall float32, wide, x float32) floor {
	f := floor{box: b, bars: b.h >= 150*s}
	under := 22 * s // ticks and numbers
	if f.bars {
		under = 54 * s
	}
	f.ground = b.y + b.h - under
	f.scale = min((b.h-under)/tall, b.w/wide)
	f.left = x - hip*b.w/f.scale
	return f
}

func (f *floor) at(x, z float32) (float32, float32) {
	return f.x + (x-f.left)*f.scale, f.ground - z*f.scale
}

// metres are the whole metres in the picture, and after how many a number stands.
func (f *floor) metres(s float32) (first, last, each int) {
	first, last, each = int(f.left), int(f.left+f.w/f.scale), 5
	if f.left > 0 {
		first++
	}
	if f.scale >= 60*s {
		each = 1
	}
	return first, last, each
}
