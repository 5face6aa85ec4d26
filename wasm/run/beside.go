package run

import (
	"slices"
	"strconv"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// A link may open several columns. The link itself is the first. Each "b" is another column, in order, as an escaped
// link: "v=1&p=cartpole&b=correction=none%26seed=2&lag=8". Without a preset, "b" names only what differs from the first
// column. (c and d are settings already: c is c̄.)

const columnKey = "b"

// MaxColumns is how many runs a page shows: each has a letter, a cell of the picture and a connection.
const MaxColumns = 4

// Letter returns the name of a column.
func Letter(index int) string { return string(rune('A' + index)) }

// Columns returns the links of all columns that a fragment opens, and its problem in words. Each link has the
// fragment's view keys, like "theme" and "lock".
func Columns(fragment string) (links []string, problem string) {
	first := ParseLink(fragment)
	var others []string
	for _, s := range first.View {
		if s.Key == columnKey {
			others = append(others, s.Value)
		}
	}
	if len(others) == 0 {
		return []string{fragment}, ""
	}
	if len(others) >= MaxColumns {
		problem = "This link opens more than four columns; a page shows the first four."
		others = others[:MaxColumns-1]
	}
	first.View = without(first.View, columnKey)
	links = append(links, first.String())
	for _, sub := range others {
		other := first.with(sub)
		links = append(links, other.String())
	}
	return links, problem
}

// with returns the link of another column.
func (l *Link) with(sub string) Link {
	of := ParseLink(sub)
	if last(of.Settings, "preset") != "" {
		return Link{Version: l.Version, Settings: of.Settings, View: l.View}
	}
	merged := without(l.Settings, hyper.PlanKey) // each column has its own
	for _, s := range of.Settings {
		same := func(have wire.Setting) bool { return have.Key == s.Key }
		if i := slices.IndexFunc(merged, same); i >= 0 {
			merged[i] = s
		} else {
			merged = append(merged, s)
		}
	}
	return Link{Version: l.Version, Settings: merged, View: l.View}
}

// together returns the link of a run and of the runs beside it; link makes the link of each. It opens at an update, or
// at the newest if at is 0.
func (m *Run) together(link func(*Run) Link, at uint64, others []*Run) string {
	first := link(m)
	l := first
	if at > 0 {
		l.View = append(l.View, wire.Setting{Key: atKey, Value: strconv.FormatUint(at, 10)})
	}
	for _, other := range others {
		beside := link(other)
		l.View = append(l.View, wire.Setting{Key: columnKey, Value: beside.beside(&first)})
	}
	return l.String()
}

// beside returns the link as another column of first: the settings that differ, or all if the differences would not
// restore it, as with another world.
func (l *Link) beside(first *Link) string {
	config, preset, _ := l.Config()
	from, fromPreset, _ := first.Config()
	known, differs := first.unknown(), Link{}
	for _, s := range config.Diff(&from) {
		differs.Settings = append(differs.Settings, wire.Setting(s))
	}
	for _, s := range l.Settings {
		if s.Key == hyper.PlanKey {
			differs.Settings = append(differs.Settings, s)
		}
	}
	for _, s := range l.unknown() {
		if !slices.Contains(known, s) {
			differs.Settings = append(differs.Settings, s)
		}
	}
	again := first.with(differs.bare())
	back, _, problems := again.Config()
	if preset == fromPreset && len(problems) == 0 && slices.Equal(back.Settings(), config.Settings()) {
		return differs.bare()
	}
	all := Link{Settings: l.Settings}
	return all.bare()
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
