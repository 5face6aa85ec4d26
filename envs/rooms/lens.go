package rooms

// roomLens holds everything that depends on the size of a picture alone: the direction of each column, and where each
// row meets the floor. It is only read, so all copies of a world share one.
type roomLens struct {
	wide, tall int
	focal      int     // pixels to a tangent of 1, with 16 fractional bits
	slope      []int   // of each column to the right of straight ahead: a tangent
	reach      []int   // distance at which each row of the lower half meets the floor, and its mirror the ceiling
	level      []uint8 // size in which a floor is read there
	bit        []uint8 // of a word, that each column shows
}

const (
	lensHalf = fixOne * 85 / 100 // tangent of half the width of the field of view: 81 degrees in all
	farthest = 64 << 16          // no room is as long
	nearest  = fixOne / 64
)

func newLens(wide, tall int) *roomLens {
	l := &roomLens{wide: wide, tall: tall, focal: fixOver(wide<<16, 2*lensHalf)}
	for i := range wide {
		l.slope = append(l.slope, (2*i+1-wide)*lensHalf/wide)
		l.bit = append(l.bit, uint8(i*wordBits/wide))
	}
	for i := range tall {
		below := 2*i + 1 - tall // half pixels below the horizon
		t := farthest
		if below > 0 {
			t = min(l.focal/below, farthest) // the eye is half a wall high: t = focal·½ / (below/2)
		}
		// A pixel there covers t/focal across and, seen flat, t·2t/focal along: something between the two.
		level := levelOf(fixTimes(fixOver(t, l.focal), fixOne+t) / 2)
		l.reach, l.level = append(l.reach, t), append(l.level, uint8(level))
	}
	return l
}

// roomFrame is one picture in the making.
type roomFrame struct {
	lens  *roomLens
	texel []uint32 // row-major
	depth []int    // of the wall in each column
	theme *roomTheme
	air   [mists]mist // of the theme, by distance
	shade [mists]mist // the same in half shade
}

func newFrame(l *roomLens) *roomFrame {
	return &roomFrame{lens: l, texel: make([]uint32, l.wide*l.tall), depth: make([]int, l.wide)}
}

// mists are kept for distances in quarters of a cell.
const mists = 64

// setTheme fills the mist tables for a theme, once.
func (f *roomFrame) setTheme(t *roomTheme) {
	if f.theme == t {
		return
	}
	f.theme = t
	for i := range f.air {
		light := uint32(256 * 256 / (256 + t.thick*i/4)) // half of it is lost where thick·distance is 256
		f.air[i] = through(t.air, light)
		f.shade[i] = through(sheer(t.air, 224), light)
		f.shade[i].light = light * 224 / 256
	}
}

func mistOf(t int) int { return min(t>>14, mists-1) }
