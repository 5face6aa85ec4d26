package rooms

// The view is cast column by column: a ray walks the map from cell border to cell border until it meets a wall
// (Amanatides and Woo, 1987), and the wall stands as high as it is near. Above and below it the same ray sweeps over
// ceiling and floor, one place for each row. Distances are along the line of sight, not along the ray, so that
// straight walls look straight.

// cast paints map and theme as seen from (x, y).
func (f *roomFrame) cast(m *roomMap, theme *roomTheme, x, y, heading int) {
	f.setTheme(theme)
	l := f.lens
	cos, sin := roomCosine(heading), roomSine(heading)
	for column, slope := range l.slope {
		rx, ry := cos-fixTimes(sin, slope), sin+fixTimes(cos, slope)
		t, i, side, slant := m.walk(x, y, rx, ry)
		f.depth[column] = t
		top := f.wall(m, column, t, i, side, slant, x+fixTimes(t, rx), y+fixTimes(t, ry))
		f.flats(m, column, top, t, x, y, rx, ry)
	}
}

// walk follows the ray (rx, ry) to the first solid cell. It returns the distance, the cell's number, the side that was
// hit, and the part of it that a ray sweeps over, relative to facing it.
func (m *roomMap) walk(x, y, rx, ry int) (t, cell, side, slant int) {
	// From one border to the next it is one over the direction; to the first, the part that is left of the cell.
	cx, cy := x>>16, y>>16
	nextX, stepX, sideX, everyX := border(x&(fixOne-1), rx, 0)
	nextY, stepY, sideY, everyY := border(y&(fixOne-1), ry, 1)
	for {
		if nextX < nextY {
			t, side, slant = nextX, sideX, everyX
			nextX += everyX
			cx += stepX
		} else {
			t, side, slant = nextY, sideY, everyY
			nextY += everyY
			cy += stepY
		}
		if cell = cy*m.side + cx; m.solid[cell] != cellOpen {
			return max(t, nearest), cell, side, slant
		}
	}
}

// border is the distance to the next border on one axis, the step over it, the side it is of, and the distance from
// one border to the next.
func border(part, r, axis int) (next, step, side, every int) {
	if r == 0 {
		return 1 << 30, 0, 0, 1 << 30
	}
	every = min(int(int64(1)<<32/int64(fixAbs(r))), 1<<30)
	if r < 0 {
		return fixTimes(part, every), -1, axis, every // it comes from the east or south, and hits that side
	}
	return fixTimes(fixOne-part, every), 1, axis + 2, every
}

// wall paints the wall hit at (x, y) and gives the row of its top; its foot is the same number of rows above the last
// row.
func (f *roomFrame) wall(m *roomMap, column, t, cell, side, slant, x, y int) (top int) {
	l := f.lens
	along := y // east and west sides run along y
	if side&1 == 1 {
		along = x
	}
	if side == 0 || side == 3 {
		along = -along // pictures read from left to right on every side
	}
	edge := l.tall<<15 - fixOver(l.focal, t)/2
	top = min(max((edge+fixOne/2-1)>>16, 0), l.tall/2)
	// Of the wall's height, with 32 fractional bits: close to a wall a pixel is little, and the error must not add up.
	step := int64(t) << 32 / int64(l.focal)
	at := max(int64(top<<16+fixOne/2-edge)*step>>16-1, 0)
	level := levelOf(fixTimes(int(step>>16), fixOne+min(slant, 8*fixOne)) / 2)
	picture, size := f.theme.pictures[m.face[cell][side]].size(level)
	picture = picture[along&(fixOne-1)>>(16-size):]
	air := &f.air[mistOf(t)]
	if side&1 == 1 { // the light falls along x
		air = &f.shade[mistOf(t)]
	}
	for i := top*l.wide + column; i < (l.tall-top)*l.wide; i += l.wide {
		f.texel[i] = air.over(picture[min(at, 1<<32-1)>>(32-size)<<size]) // rounding must not look below the picture
		at += step
	}
	return top
}

// flats paints the rows above top and the same number of rows at the bottom: floor, and ceiling or sky.
func (f *roomFrame) flats(m *roomMap, column, top, depth, x, y, rx, ry int) {
	l := f.lens
	pictures := &f.theme.pictures
	up := (top-1)*l.wide + column
	down := (l.tall-top)*l.wide + column
	for row := l.tall - top; row < l.tall; row++ {
		t := min(l.reach[row], depth) // rounding must not look behind the wall
		px, py := x+fixTimes(t, rx), y+fixTimes(t, ry)
		level := int(l.level[row])
		size := imageBits - level
		at := imageLevel[level] + (py&(fixOne-1)>>(16-size))<<size + px&(fixOne-1)>>(16-size)
		air := &f.air[mistOf(t)]
		f.texel[down] = air.over(pictures[m.floor[py>>16*m.side+px>>16]][at])
		if f.theme.sky {
			f.texel[up] = skyAt(f.theme, row, l.tall)
		} else {
			f.texel[up] = air.over(pictures[pictureCeiling][at])
		}
		up -= l.wide
		down += l.wide
	}
}

// skyAt is paler near the horizon; row is as far below it as the place is above.
func skyAt(t *roomTheme, row, tall int) uint32 {
	k := uint32(2*row-tall) * 256 / uint32(tall)
	high := through(t.air, k)
	return high.over(t.high)
}
