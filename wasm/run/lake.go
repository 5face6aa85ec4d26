package run

import (
	"slices"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/wire"
)

// lake returns the area between the thick curves of two runs of one world, of which exactly one ever learned without a
// correction; nil: there is no such area. It starts where the runs first differ.
func (m *Run) lake() *chart.Lake {
	page := m.Page()
	if len(page) != 2 || m.Seeds != nil || page[0].force.World != page[1].force.World {
		return nil
	}
	over, under := page[0], page[1]
	if over.uncorrected() {
		over, under = under, over
	}
	if over.uncorrected() || !under.uncorrected() {
		return nil
	}
	a, b := over.started(), under.started()
	from := uint64(0)
	if len(a.Diff(&b)) == 0 {
		marks := m.allMarks()
		first := slices.IndexFunc(marks, func(mark chart.Mark) bool { return mark.Run != "" })
		if first < 0 {
			return nil
		}
		from = marks[first].Step
	}
	return &chart.Lake{Over: &over.Return, Under: &under.Return, From: from}
}

// started returns the settings at the start of the run.
func (m *Run) started() hyper.Config {
	return m.changes.undo(m.force, func(*wire.Changed) bool { return true })
}

// uncorrected reports whether the run learned without a correction, now or at any earlier step.
func (m *Run) uncorrected() bool {
	first := m.started()
	return first.Correction == correct.MethodNone || slices.ContainsFunc(m.Marks, func(mark chart.Mark) bool {
		return mark.Key == "correction" && mark.To == "none"
	})
}

// name writes into the lake how much higher its upper curve is at the newest step, if the words have room between
// the curves.
func name(axis *chart.Time, r *chart.Return, w, h float64) {
	const wide, high = 118.0, 80.0 // pixels of the words and around them
	l := r.Lake
	last := l.Over.Last()
	if last == nil {
		return
	}
	y := func(step uint64, v float32) float64 {
		return chart.ReturnPoint(axis, r, w, h, chart.Episode{Step: step, Return: float64(v)}).Y
	}
	at := axis.Step(axis.Share(last.Step) - wide/w)
	for i := max(0, l.Over.Index(at)); i < len(l.Over.Columns); i++ {
		c := &l.Over.Columns[i]
		if deep := y(c.Step, l.Under.At(c.Step)) - y(c.Step, c.Value.Last); c.Step < l.From || !(deep >= high) {
			return
		}
	}
	worth := float64(last.Value.Last - l.Under.At(last.Step))
	l.Words, l.At = []string{"what the", "correction", "is worth: " + number.Fixed(worth, 0)}, at
	l.Within = true
}
