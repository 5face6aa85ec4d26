package view

// labels are the names over the columns of a policy: where each begins and on which line it stands.
type labels struct {
	x     []float32
	line  []int // from the bottom
	lines int
}

// layLabels gives every name a place over its column, on as few lines as keep them apart by gap. A name begins where
// its column does; the last ones move to the left as far as the right edge asks.
func layLabels(columns, wide []float32, right, gap float32) labels {
	n := len(columns)
	l := labels{x: make([]float32, n), line: make([]int, n)}
	for l.lines = 1; l.lines < n && !l.fit(columns, wide, right, gap); l.lines++ {
	}
	l.fit(columns, wide, right, gap)
	return l
}

// fit deals the names to the lines in turn, and reports whether none covers another.
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

// columns are the places of the actions.
type columns struct{ from, wide, each float32 }

func columnsOf(n int, from, to, s float32) columns {
	gap := min(10*s, (to-from)/float32(4*n))
	each := (to - from + gap) / float32(n)
	return columns{from, each - gap, each}
}

func (c columns) at(action int) float32 { return c.from + float32(action)*c.each }
