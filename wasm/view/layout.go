package view

// The places of the cells, and of the parts of a cell. Sizes are in CSS pixels.

const (
	cellGap    = 8
	headTall   = 26 // letter
	worldBelow = 8
	worldLeast = 72 // else a part of the strip is left out

	aside       = 12
	symbolsWide = 26
	nameSize    = 13
	lineTall    = 16 // of names
	barTall     = 9
	barGap      = 4
	bellTall    = 40
	policyAbove = 2
	policyBelow = 10
	ribbonAbove = 8
	ribbonTall  = 9
)

// box is a rectangle on the screen, in its pixels.
type box struct{ x, y, w, h float32 }

// low is the width by height of a cell above which nothing fits below the world.
const low = 1.8

// beside reports whether the policies are drawn beside the world.
func beside(b box) bool { return b.w > low*b.h }

// shallow is the width by height of a screen above which all cells are side by side.
const shallow = 2.2

// across returns how many of n cells stand side by side: one, two, or on a shallow screen all. In a column two stand
// above each other, where each has the whole width.
func across(n int, w, h float32) int {
	switch {
	case w > shallow*h:
		return n
	case n == 2 && w < 1.2*h:
		return 1
	}
	return min(n, 2)
}

// arrange returns the boxes of n cells in rows of a given number.
func arrange(n, columns int, w, h, gap float32) []box {
	rows := (n + columns - 1) / max(columns, 1)
	boxes := make([]box, n)
	for i := range boxes {
		x, right := span(i%columns, columns, w, gap)
		y, foot := span(i/columns, rows, h, gap)
		boxes[i] = box{x, y, right - x, foot - y}
	}
	return boxes
}

// span returns the k-th of n equal parts of a length, in whole pixels, with a gap between two.
func span(k, n int, length, gap float32) (from, to float32) {
	each := (length + gap) / float32(n)
	return round(float32(k) * each), round(float32(k+1)*each - gap)
}

func at(boxes []box, x, y float32) int {
	for i, b := range boxes {
		if x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h {
			return i
		}
	}
	return -1
}

func letter(place int) string { return string(rune('A' + place)) }

// parts are the parts of the strip that fit below the world.
type parts struct {
	policy, ribbon bool
	lines          int // of names
}

// partsFor leaves the world its least height in a cell of height h. The ribbon is left out first, then the names, then
// the policy. Several lines of names need a cell that is much taller than its minimum.
func partsFor(h, policyTall float32, lines int) parts {
	rest := h - headTall - worldBelow - worldLeast
	p := parts{}
	need := policyTall + policyAbove + policyBelow
	if rest < need {
		return p
	}
	p.policy, rest = true, rest-need
	if lines > 1 && rest < float32(lines)*lineTall+worldLeast {
		lines = 0
	}
	if names := float32(lines) * lineTall; rest >= names {
		p.lines, rest = lines, rest-names
	}
	p.ribbon = rest >= ribbonAbove+ribbonTall
	return p
}

// labels are the places of the names above the columns of a policy.
type labels struct {
	x     []float32
	line  []int // 0 is the lowest
	lines int
}

// layLabels places each name above its column, on as few lines as keep the names apart by gap. A name starts where its
// column does, or further left if it would pass the right edge.
func layLabels(columns, wide []float32, right, gap float32) labels {
	n := len(columns)
	l := labels{x: make([]float32, n), line: make([]int, n)}
	for l.lines = 1; l.lines < n && !l.fit(columns, wide, right, gap); l.lines++ {
	}
	l.fit(columns, wide, right, gap)
	return l
}

// fit deals the names to the lines in turn, and reports whether all are apart.
func (l *labels) fit(columns, wide []float32, right, gap float32) bool {
	apart := true
	for i := range columns {
		l.x[i], l.line[i] = min(columns[i], right-wide[i]), i%l.lines
		if before := i - l.lines; before >= 0 && l.x[i] < l.x[before]+wide[before]+gap {
			apart = false
		}
	}
	return apart
}

type columns struct{ from, wide, each float32 }

func columnsOf(n int, from, to, s float32) columns {
	gap := min(10*s, (to-from)/float32(4*n))
	each := (to - from + gap) / float32(n)
	return columns{from, each - gap, each}
}

func (c columns) at(action int) float32 { return c.from + float32(action)*c.each }
