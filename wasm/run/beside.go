package run

import (
	"slices"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// A link may open several columns. The link itself is the first; each "b" is a further one, in their order, as an
// escaped link of its own: "v=1&p=cartpole&b=correction=none%26seed=2&lag=8". Where that has no preset it says only
// what differs from the first column. (The keys c and d could not serve: c is c̄.)

// columnKey is the key of a further column.
const columnKey = "b"

// MaxColumns is how many runs a page shows: a letter, a cell of the picture and a connection for each.
const MaxColumns = 4

// Letter names the column at a place.
func Letter(place int) string { return string(rune('A' + place)) }

// Columns are the links of all columns that a fragment opens, the first one's first, and what is wrong with it, in
// words. What the fragment says of the page, as "theme" and "lock" do, each of them says.
func Columns(fragment string) (links []string, problem string) {
	first := ParseLink(fragment)
	var others []string
	first.View = slices.DeleteFunc(first.View, func(s wire.Setting) bool {
		if s.Key == columnKey {
			others = append(others, s.Value)
		}
		return s.Key == columnKey
	})
	if len(others) == 0 {
		return []string{fragment}, ""
	}
	if len(others) >= MaxColumns {
		problem = "This link opens more than four columns; a page shows the first four."
		others = others[:MaxColumns-1]
	}
	links = append(links, first.String())
	for _, sub := range others {
		other := first.with(sub)
		links = append(links, other.String())
	}
	return links, problem
}

// with is the link of a further column.
func (l *Link) with(sub string) Link {
	of := ParseLink(sub)
	if slices.ContainsFunc(of.Settings, func(s wire.Setting) bool { return s.Key == "preset" }) {
		return Link{Version: l.Version, Settings: of.Settings, View: l.View}
	}
	var merged []wire.Setting
	for _, s := range l.Settings {
		if s.Key != hyper.TurnsKey { // each column has its own
			merged = append(merged, s)
		}
	}
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

// together is the link of a run with those in the columns beside it, each as link has it, and opens at an update; "":
// at the newest.
func (m *Run) together(link func(*Run) Link, at string, others []*Run) string {
	first := link(m)
	l := first
	if at != "" {
		l.View = append(l.View, wire.Setting{Key: atKey, Value: at})
	}
	for _, other := range others {
		beside := link(other)
		l.View = append(l.View, wire.Setting{Key: columnKey, Value: beside.beside(&first)})
	}
	return l.String()
}

// beside is a further column's link: what differs from the first or, where that would not bring it back, as of another
// world, all of it.
func (l *Link) beside(first *Link) string {
	all := Link{Settings: l.Settings}
	config, preset, _ := l.Config()
	from, fromPreset, _ := first.Config()
	known, differs := first.unknown(), Link{}
	for _, s := range config.Diff(&from) {
		differs.Settings = append(differs.Settings, wire.Setting{Key: s.Key, Value: s.Value})
	}
	for _, s := range l.Settings {
		if s.Key == hyper.TurnsKey {
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
	return all.bare()
}

// bare is the link without its version.
func (l *Link) bare() string {
	var b strings.Builder
	l.write(&b)
	return b.String()
}

// Differs are the rows of the table whose values are not equal in all of some runs.
func Differs(runs []*Run) (rows []*hyper.Row) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if slices.ContainsFunc(runs, func(r *Run) bool { return r.force.Get(row.Key) != runs[0].force.Get(row.Key) }) {
			rows = append(rows, row)
		}
	}
	return rows
}
