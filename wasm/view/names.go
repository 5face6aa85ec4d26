package view

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
