//go:build js && wasm

package view

import (
	"image/color"
	"strconv"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs/bodies"
	"impalab/web/palette"
)

// A body is drawn with more than its world knows: where it has been, how it stood, and the floor that it crosses.

// bodied draws the body and its floor into a box.
func (g *Cell) bodied(screen *ebiten.Image, b box, s, share float32) {
	view := g.world.Spec().View
	m := g.gait
	if g.down() { // it stays down, and its episode has not ended
		m.fell = int(g.Tumble.Length)
	}
	m.between(&g.pose, share)
	p := &g.pose
	if g.falls() && !g.Tumble.Rests() {
		g.move()
	}
	f := floorOf(b, s, view[1]-.25, view[0]*.75, p.X)
	if g.body.Ground(p.X) != 0 {
		f.ground += g.body.Ground(p.X) * f.scale
	}
	g.land(&f, s)
	g.ghosts(screen, &f, s, share)
	for i := range m.images {
		opacity := .1 + .28*float32(i)/imagesKept
		g.skeleton(&f, &m.images[i], m.fell > 0, opacity)
	}
	for i := 0; i+1 < len(m.head); i += 2 {
		x, y := f.at(m.head[i], m.head[i+1])
		if x >= b.x {
			g.paint.circle(x, y, .8*s, g.paint.colour(g.ink), .5)
		}
	}
	g.limbs(&f, p, s)
	g.paint.flush(screen)
	g.numbers(screen, &f, s)
}

// land draws the floor, its metres, the bars of the gait and the flag.
func (g *Cell) land(f *floor, s float32) {
	foot := f.y + f.h
	wall, faint := g.paint.colour(palette.Faint), g.paint.colour(palette.Edge)
	step := max(2*s, 2)
	for x := f.x; x < f.x+f.w; x += step {
		_, y := f.at(0, g.body.Ground(f.left+(x-f.x)/f.scale))
		g.paint.rect(x, y, min(step, f.x+f.w-x), foot-y, wall, 1)
	}
	first, last, _ := f.metres(s)
	for n := first; n <= last; n++ {
		x, y := f.at(float32(n), g.body.Ground(float32(n)))
		g.paint.rect(x, y, s, 5*s, faint, 1)
	}
	m := g.gait
	if f.bars {
		for leg, ink := range [2]palette.Role{palette.Strong, palette.Ghost} {
			y := foot - (24-float32(leg)*14)*s
			for _, st := range m.stances[leg] {
				from, _ := f.at(st.from, 0)
				to, _ := f.at(st.to, 0)
				if from = max(from, f.x+legsWide*s); to > from {
					g.paint.rect(from, y, to-from, 4*s, g.paint.colour(ink), 1)
				}
			}
		}
	}
	if m.flag > 0 {
		if x, y := f.at(m.flag, g.body.Ground(m.flag)); x > f.x && x < f.x+f.w {
			ink := g.paint.colour(palette.Edge)
			g.paint.rect(x, y-70*s, 1.5*s, 70*s, ink, 1)
			g.paint.convex([]float32{x, y - 70*s, x + 20*s, y - 64*s, x, y - 58*s}, ink, 1)
		}
	}
	ink := g.paint.colour(palette.Strong)
	for _, t := range g.pose.Touches {
		x, y := f.at(t.X, t.Z)
		half := max(t.Radius*f.scale, 3*s)
		g.paint.rect(x-half, y, 2*half, 4*s, ink, 1)
	}
}

// ghosts draws the bodies of the other runs into the picture of this one, each with its letter; without other runs,
// the run before. A name at the edge belongs to a body that is outside.
func (g *Cell) ghosts(screen *ebiten.Image, f *floor, s, share float32) {
	if g.Stage.plain {
		return
	}
	draw := func(of *gait, name string) {
		if of == nil || of.world != g.gait.world {
			return
		}
		if g.spare = of.ghost(g.spare, g.pose.Step, share); len(g.spare) == 0 {
			return
		}
		x, y := g.paint.ghost(f, g.spare, blend(g.floorColour(), g.paint.colour(palette.Ghost), .6))
		g.paint.flush(screen)
		half := g.words.wide(name, bold, 13*s) / 2
		x = min(max(x, f.x+half+4*s), f.x+f.w-half-4*s)
		g.words.write(screen, name, bold, 13*s, centre, x, max(y-10*s, f.y+24*s), g.paint.colour(palette.Quiet))
	}
	if len(g.shown) == 1 {
		draw(g.earlier, "before")
		return
	}
	for i, c := range g.shown {
		if c != g {
			draw(c.gait, letter(i))
		}
	}
}

// legsWide is the room for the names of the legs, in CSS pixels.
const legsWide = 44

// numbers writes the metres, and the names of the legs.
func (g *Cell) numbers(screen *ebiten.Image, f *floor, s float32) {
	quiet := g.paint.colour(palette.Quiet)
	first, last, each := f.metres(s)
	for n := first; n <= last; n++ {
		if n%each == 0 && n >= 0 {
			x, _ := f.at(float32(n), 0)
			text := strconv.Itoa(n)
			if n%5 == 0 {
				text += " m"
			}
			g.words.write(screen, text, sans, 13*s, centre, x, min(f.ground+13*s, f.y+f.h-8*s), quiet)
		}
	}
	if flag := g.gait.flag; flag > 0 {
		if x, y := f.at(flag, g.body.Ground(flag)); x > f.x && x < f.x+f.w {
			g.words.write(screen, "before: "+strconv.Itoa(int(flag))+" m", sans, 13*s, left, x+5*s, y-46*s, quiet)
		}
	}
	if f.bars {
		for leg, name := range g.gait.legs {
			if name != "" {
				g.words.write(screen, name, sans, 13*s, left, f.x+4*s, f.y+f.h-(22-float32(leg)*14)*s, quiet)
			}
		}
	}
}

// skeleton draws an afterimage: thin limbs, or after a fall the trunk alone.
func (g *Cell) skeleton(f *floor, p *bodies.Pose, fell bool, opacity float32) {
	for i := range p.Limbs {
		l := &p.Limbs[i]
		switch {
		case fell && l.Trunk:
			g.paint.capsule(f, l, 1, g.paint.colour(palette.Cut), opacity)
		case !fell:
			g.paint.capsule(f, l, .22, g.paint.colour(g.ink), opacity)
		}
	}
}

// limbs draws the body: the far side faint, then the trunk, then the near side; joints, an eye, and a fall's strokes.
func (g *Cell) limbs(f *floor, p *bodies.Pose, s float32) {
	near, paper := g.paint.colour(g.ink), g.floorColour()
	far := blend(paper, near, .42)
	for pass := range 3 {
		for i := range p.Limbs {
			l := &p.Limbs[i]
			ink := near
			switch {
			case l.Far != (pass == 0), !l.Far && l.Trunk != (pass == 1):
				continue
			case l.Far:
				ink = far
			case l.Trunk && g.gait.fell > 0:
				ink = g.paint.colour(palette.Cut)
			}
			g.paint.capsule(f, l, 1, ink, 1)
			x, y := f.at(l.X0, l.Z0)
			if !l.Trunk {
				g.paint.circle(x, y, max(l.Radius*f.scale/2.5, s), paper, 1)
			}
		}
	}
	x, y := f.at(p.HeadX, p.HeadZ)
	g.paint.circle(x+1.5*s, y, max(.018*f.scale, 1.2*s), paper, 1)
	if g.gait.fell > 0 {
		for k := range 3 {
			dx, dy := float32(8+4*k)*s, float32(-10+7*k)*s
			g.paint.line(x+dx, y+dy, x+1.5*dx, y+1.5*dy, 2*s, g.paint.colour(palette.Cut), 1)
		}
	}
}

// blend is a share of b over a.
func blend(a, b color.RGBA, share float32) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(float32(a) + (float32(b)-float32(a))*share) }
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xFF}
}
