package view

import (
	"image/color"

	"impalab/envs"
)

// An agent leaves images behind it: the rods of a world of motion, or dots where it was on a board.

const (
	rodsKept = 14
	dotsKept = 8
)

// past is an agent in the newest pictures of a world, the oldest first. The last is the newest.
type past struct {
	drawn reel
	rods  [][]float32  // of each picture: x0 y0 x1 y1 width of the agent's strokes
	dots  [][2]float32 // of each picture: the middle of the agent
}

// add records the newest picture. If it does not follow the last one, the images begin again.
func (p *past) add(w envs.World, follows bool) {
	if !follows {
		p.clear()
	}
	p.drawn.clear()
	w.Draw(&p.drawn)
	if p.drawn.bitmap {
		return // a room's map has a trail of its own
	}
	rods, dot, ok := p.drawn.agent()
	if !ok {
		return
	}
	if len(p.rods) > rodsKept {
		p.rods = append(p.rods[:0], p.rods[1:]...)
	}
	p.rods = append(p.rods, rods)
	if n := len(p.dots); n > 0 && p.dots[n-1] == dot {
		return
	}
	if len(p.dots) > dotsKept {
		p.dots = append(p.dots[:0], p.dots[1:]...)
	}
	p.dots = append(p.dots, dot)
}

func (p *past) clear() { p.rods, p.dots = p.rods[:0], p.dots[:0] }

// agent returns the strokes of a picture's agent and the middle of all its shapes; false: the picture has none.
func (r *reel) agent() (rods []float32, middle [2]float32, ok bool) {
	var low, high [2]float32
	see := func(x, y, room float32) {
		if !ok {
			low, high, ok = [2]float32{x - room, y - room}, [2]float32{x + room, y + room}, true
		}
		low = [2]float32{min(low[0], x-room), min(low[1], y-room)}
		high = [2]float32{max(high[0], x+room), max(high[1], y+room)}
	}
	rest := r.numbers
	for _, s := range r.shapes {
		x := rest[:s.n]
		rest = rest[s.n:]
		if s.ink != envs.Agent {
			continue
		}
		switch s.kind {
		case rectangle:
			see(x[0], x[1], 0)
			see(x[0]+x[2], x[1]+x[3], 0)
		case disc:
			see(x[0], x[1], x[2])
		case stroke:
			see(x[0], x[1], 0)
			see(x[2], x[3], 0)
			rods = append(rods, x...)
		case polygon:
			for i := 0; i+1 < len(x); i += 2 {
				see(x[i], x[i+1], 0)
			}
		}
	}
	return rods, [2]float32{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2}, ok
}

// faint is how visible the k-th of n images is, the oldest first.
func faint(k, n int, least, most float32) float32 {
	share := float32(k+1) / float32(n)
	return least + (most-least)*share*share
}

const dotRadius = .11 // of a board's cell

// show draws the images behind the newest picture: rods where the world glides, else dots. (x, y) is the place of the
// world's corner, and scale the pixels to its unit.
func (p *past) show(to *mesh, x, y, scale float32, ink color.RGBA, glides bool) {
	if glides {
		behind := p.rods[:max(0, len(p.rods)-1)]
		for k, rods := range behind {
			for i := 0; i+4 < len(rods); i += 5 {
				to.line(x+rods[i]*scale, y+rods[i+1]*scale, x+rods[i+2]*scale, y+rods[i+3]*scale, .8*rods[i+4]*scale, ink,
					faint(k, len(behind), .03, .22))
			}
		}
		return
	}
	behind := p.dots[:max(0, len(p.dots)-1)]
	for k, dot := range behind {
		to.circle(x+dot[0]*scale, y+dot[1]*scale, dotRadius*scale, ink, faint(k, len(behind), .1, .5))
	}
}
