package run

import (
	"strconv"

	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"
)

// HasCells reports whether the network has pixel control.
func (m *Run) HasCells() bool { return m.local.spec.CellSide > 0 }

// cells returns the cells of the watched world at the cursor, and how many a row has.
func (m *Run) cells() (list []wire.Cell, columns int) {
	spec, f := &m.local.spec, m.Watched()
	if f == nil || spec.CellSide == 0 || len(f.Cells) != spec.Cells() {
		return nil, 0
	}
	return f.Cells, spec.Image[1] / spec.CellSide
}

// noteReach remembers the largest reach of a cell, which is the scale of the picture.
func (m *Run) noteReach(f *wire.Frame) {
	for _, c := range f.Cells {
		if c.Reach > m.reach { // not if it is not a number
			m.reach = c.Reach
		}
	}
}

func (m *Run) cellChart(w, h float64) string {
	list, columns := m.cells()
	return chart.DrawCells(list, columns, m.reach, w, h)
}

// cellStory is the picture in words.
func (m *Run) cellStory() string {
	list, columns := m.cells()
	best := 0
	for i := range list {
		if list[i].Reach > list[best].Reach {
			best = i
		}
	}
	if list == nil {
		return ""
	}
	return "The agent’s actions reach furthest in row " + strconv.Itoa(best/columns+1) + ", column " +
		strconv.Itoa(best%columns+1) + ": " + number.Fixed(float64(list[best].Reach), 3) + "."
}

func (m *Run) cellTable() Table {
	t := Table{Caption: "Cells of the observation (" + m.WatchedAt() + ")",
		Head: []string{"Row", "Column", "Light", "Reach"}}
	list, columns := m.cells()
	for i, c := range list {
		t.Rows = append(t.Rows, []string{strconv.Itoa(i/columns + 1), strconv.Itoa(i%columns + 1),
			number.Fixed(float64(c.Light), 2), number.Fixed(float64(c.Reach), 3)})
	}
	return t
}
