package rooms

// sprite is a thing as a frame shows it.
type sprite struct {
	picture uint8
	x, y    int // its place
	size    int // of the square its picture fills, in cells
}

// stand paints things into a cast view, the far ones first; a nearer wall hides them column by column.
func (f *roomFrame) stand(things []sprite, x, y, heading int) {
	cos, sin := roomCosine(heading), roomSine(heading)
	var order [thingLimit]int
	var depth [thingLimit]int
	n := 0
	for i := range things {
		dx, dy := things[i].x-x, things[i].y-y
		t := fixTimes(dx, cos) + fixTimes(dy, sin)
		if t < fixOne/8 {
			continue
		}
		at := n
		for ; at > 0 && depth[at-1] < t; at-- {
			order[at], depth[at] = order[at-1], depth[at-1]
		}
		order[at], depth[at] = i, t
		n++
	}
	l := f.lens
	for k := range n {
		s, t := &things[order[k]], depth[k]
		aside := fixTimes(s.y-y, cos) - fixTimes(s.x-x, sin)
		perCell := fixOver(l.focal, t) // pixels to a cell at that distance
		size := fixTimes(perCell, s.size)
		f.square(&roomThings()[s.picture], &f.air[mistOf(t)], t,
			l.wide<<15+fixTimes(perCell, aside)-size/2, l.tall<<15+perCell/2-size, size)
	}
}

// square paints a picture into the square from (left, top), in pixels with 16 fractional bits, where nothing is nearer
// than t.
func (f *roomFrame) square(picture *roomImage, air *mist, t, left, top, size int) {
	if size < fixOne/8 {
		return
	}
	l := f.lens
	step := fixOver(fixOne, size) // of the picture, to a pixel
	texels, shift := picture.size(levelOf(step))
	x0, x1 := max((left+fixOne/2-1)>>16, 0), min((left+size+fixOne/2-1)>>16, l.wide)
	y0, y1 := max((top+fixOne/2-1)>>16, 0), min((top+size+fixOne/2-1)>>16, l.tall)
	v0 := fixTimes(y0<<16+fixOne/2-top, step)
	for x := x0; x < x1; x++ {
		if f.depth[x] < t {
			continue
		}
		u := min(fixTimes(x<<16+fixOne/2-left, step), fixOne-1) >> (16 - shift)
		v := v0
		for i := y0*l.wide + x; i < y1*l.wide; i += l.wide {
			c := texels[min(v, fixOne-1)>>(16-shift)<<shift|u]
			v += step
			switch a := c >> 24; a {
			case 0:
			case 255:
				f.texel[i] = air.over(c)
			default:
				veil := sheer(f.theme.air, int(a*(256-air.light)>>8))
				f.texel[i] = above(sheer(c&0xFFFFFF, int(air.light))+veil&0xFFFFFF|a<<24, f.texel[i]) & 0xFFFFFF
			}
		}
	}
}

// paintFront paints a picture in front of everything: its middle at (x, y) and its size in hundredths of the picture's
// height.
func (f *roomFrame) paintFront(picture uint8, x, y, size int) {
	h := f.lens.tall << 16 / 100
	f.square(&roomThings()[picture], &mist{light: 256}, 0,
		f.lens.wide<<15+x*h-size*h/2, f.lens.tall<<15+y*h-size*h/2, size*h)
}
