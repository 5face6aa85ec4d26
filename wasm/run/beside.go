package run

import (
	"slices"

	"impalab/learner/hyper"
	"impalab/web/link"
)

// together returns the link of a run and of the runs beside it; of makes the link of each. It opens at an update, or at
// the newest if at is 0.
func (m *Run) together(of func(*Run) link.Link, at uint64, others []*Run) string {
	columns := []link.Link{of(m)}
	for _, other := range others {
		columns = append(columns, of(other))
	}
	return link.Together(columns, at)
}

// Differs returns the rows of the table whose values differ between runs.
func Differs(runs []*Run) (rows []*hyper.Row) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if slices.ContainsFunc(runs, func(r *Run) bool { return r.force.Get(row.Key) != runs[0].force.Get(row.Key) }) {
			rows = append(rows, row)
		}
	}
	return rows
}
