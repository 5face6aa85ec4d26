package rooms

import "impalab/envs/world"

// A person sees the room through the same eye at a finer resolution. Beside it is the map with all things on it, which
// the agent cannot see. Below are the agent's own pixels.

const (
	showWide, showTall = 240, 180 // pixels of the person's view

	viewWide, viewTall = 12, 9 // of the view, in the units of roomView
	asideAt, asideWide = 12.25, 5
	eyesAt, eyesTall   = 5.25, 3.75
	mapWide            = 5
)

var roomView = [2]float32{asideAt + asideWide, viewTall}

var showLens = newLens(showWide, showTall)

// roomShow holds the data for drawing.
type roomShow struct {
	frame *roomFrame
	rgb   []byte
	fan   [8]float32
}

// stretch turns a frame into bytes for a canvas.
func (s *roomShow) stretch(f *roomFrame) []byte {
	for i, c := range f.texel {
		p := s.rgb[3*i : 3*i+3 : 3*i+3]
		p[0], p[1], p[2] = byte(c), byte(c>>8), byte(c>>16)
	}
	return s.rgb[:3*len(f.texel)]
}

func (w *room) Draw(c world.Canvas) {
	if w.show == nil {
		pixels := max(showWide*showTall, w.lens.wide*w.lens.tall)
		w.show = &roomShow{frame: newFrame(showLens), rgb: make([]byte, 3*pixels)}
	}
	s := w.show
	w.render(s.frame)
	c.Picture(0, 0, viewWide, viewTall, s.stretch(s.frame), showWide)
	w.drawMap(c)
	if w.task.words {
		w.drawWords(c)
	}

	w.render(w.frame)
	wide, tall := float32(asideWide), float32(asideWide)*float32(w.lens.tall)/float32(w.lens.wide)
	if tall > eyesTall {
		wide, tall = wide*eyesTall/tall, eyesTall
	}
	x, y := asideAt+(asideWide-wide)/2, eyesAt+(eyesTall-tall)/2
	c.Picture(x, y, wide, tall, s.stretch(w.frame), w.lens.wide)
	const line = .04
	c.Line(x, y, x+wide, y, line, world.Agent)
	c.Line(x, y+tall, x+wide, y+tall, line, world.Agent)
	c.Line(x, y, x, y+tall, line, world.Agent)
	c.Line(x+wide, y, x+wide, y+tall, line, world.Agent)
}

// drawWords shows a person the instruction: a ball to collect, framed in the colour of rewards, and a ball to avoid,
// crossed out in the colour of harm.
func (w *room) drawWords(c world.Canvas) {
	const size, gap, edge = .9, .25, .06
	for i, ink := range [...]world.Ink{world.Prize, world.Harm} {
		x := gap + float32(i)*(size+gap)
		c.Rect(x-edge, gap-edge, size+2*edge, size+2*edge, ink)
		ball := &roomThings()[w.things[i].picture] // the first is good, the second bad
		paper := w.task.theme().air
		rgb := w.show.rgb[:3*imageSide*imageSide]
		for k, texel := range ball[:imageSide*imageSide] {
			texel = above(texel, paper)
			rgb[3*k], rgb[3*k+1], rgb[3*k+2] = byte(texel), byte(texel>>8), byte(texel>>16)
		}
		c.Picture(x, gap, size, size, rgb, imageSide)
		if ink == world.Harm {
			c.Line(x, gap+size, x+size, gap, edge, ink)
		}
	}
}

func (w *room) drawMap(c world.Canvas) {
	scale := float32(mapWide) / float32(w.side)
	px := func(x int) float32 { return asideAt + float32(x)*(1.0/fixOne)*scale }
	py := func(y int) float32 { return float32(y) * (1.0 / fixOne) * scale }
	c.Rect(asideAt, 0, mapWide, mapWide, world.Ground)
	w.fan(c, px, py)
	for y := range w.side {
		for x := 0; x < w.side; x++ {
			from := x
			for x < w.side && w.solid[w.at(x, y)] == cellWall {
				x++
			}
			if x > from {
				c.Rect(px(from<<16), py(y<<16), float32(x-from)*scale, scale, world.Wall)
			}
		}
	}
	for i, at := range w.trail {
		if at[0] != 0 {
			c.Circle(px(at[0]<<8), py(at[1]<<8), scale*(.16-.025*float32(i)), world.Past)
		}
	}
	for i := range w.count {
		if w.has(i) {
			w.things[i].draw(c, px(w.things[i].x), py(w.things[i].y), scale)
		}
	}
	for i := range w.rival {
		w.rivals[i].draw(c, px, py, scale, world.Harm)
	}
	w.eye.draw(c, px, py, scale, world.Agent)
}

// fan is the part of the map in sight.
func (w *room) fan(c world.Canvas, px, py func(int) float32) {
	const every = 6 // columns to a leaf
	f, xy := w.show.frame, w.show.fan[:6]
	cos, sin := roomCosine(w.eye.heading), roomSine(w.eye.heading)
	xy[0], xy[1] = px(w.eye.x), py(w.eye.y)
	for column := 0; column < showWide; column += every {
		for k := range 2 {
			i := min(column+k*every, showWide-1)
			t, slope := f.depth[i], f.lens.slope[i]
			xy[2+2*k] = px(w.eye.x + fixTimes(t, cos-fixTimes(sin, slope)))
			xy[3+2*k] = py(w.eye.y + fixTimes(t, sin+fixTimes(cos, slope)))
		}
		c.Polygon(xy, world.Faint)
	}
}

// draw marks a thing on the map, in its own colour if it has one.
func (t *thing) draw(c world.Canvas, x, y, scale float32) {
	switch t.mark {
	case markKey, markDoor:
		half := scale * .24
		if t.mark == markDoor {
			half = scale * .5
		}
		c.Rect(x-half, y-half, 2*half, 2*half, world.Strong)
		half -= scale * .08
		c.Picture(x-half, y-half, 2*half, 2*half, roomPaint[t.colour][:], 1)
	case markPad:
		c.Circle(x, y, scale*.45, t.ink)
		c.Circle(x, y, scale*.33, world.Ground)
	default:
		c.Circle(x, y, scale*.26, t.ink)
	}
}

// roomPaint is roomColour as single pixels.
var roomPaint = func() (p [roomColours][3]byte) {
	for i, c := range roomColour {
		p[i] = [3]byte{byte(c), byte(c >> 8), byte(c >> 16)}
	}
	return p
}()

// draw is a body on the map, with a nose.
func (b *body) draw(c world.Canvas, px, py func(int) float32, scale float32, ink world.Ink) {
	x, y := px(b.x), py(b.y)
	cos, sin := float32(roomCosine(b.heading))/fixOne*scale, float32(roomSine(b.heading))/fixOne*scale
	c.Line(x, y, x+.7*cos, y+.7*sin, .16*scale, ink)
	c.Circle(x, y, .36*scale, ink)
}
