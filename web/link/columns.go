package link

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
	first := Parse(fragment)
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
	first.View = Without(first.View, columnKey)
	links = append(links, first.String())
	for _, sub := range others {
		other := first.with(sub)
		links = append(links, other.String())
	}
	return links, problem
}

// with returns the link of another column.
func (l *Link) with(sub string) Link {
	of := Parse(sub)
	if Last(of.Settings, "preset") != "" {
		return Link{Version: l.Version, Settings: of.Settings, View: l.View}
	}
	merged := Without(l.Settings, hyper.PlanKey) // each column has its own
	for _, s := range of.Settings {
		same := func(have wire.Setting) bool { return have.Key == s.Key }
		if i := slices.IndexFunc(merged, same); i >= 0 && s.Key != hyper.PlanKey {
			merged[i] = s
		} else {
			merged = append(merged, s)
		}
	}
	return Link{Version: l.Version, Settings: merged, View: l.View}
}

// Together returns the link to several columns. It opens at an update, or at the newest if at is 0.
func Together(columns []Link, at uint64) string {
	l := columns[0]
	if at > 0 {
		l.View = append(l.View, wire.Setting{Key: AtKey, Value: strconv.FormatUint(at, 10)})
	}
	for i := range columns[1:] {
		l.View = append(l.View, wire.Setting{Key: columnKey, Value: columns[1+i].beside(&columns[0])})
	}
	return l.String()
}

// beside returns the link as another column of first: the settings that differ, or all if the differences would not
// restore it, as with another world.
func (l *Link) beside(first *Link) string {
	config, preset, _ := l.Config()
	from, fromPreset, _ := first.Config()
	known, differs := first.Unknown(), Link{}
	for _, s := range config.Diff(&from) {
		differs.Settings = append(differs.Settings, wire.Setting(s))
	}
	for _, s := range l.Settings {
		if s.Key == hyper.PlanKey {
			differs.Settings = append(differs.Settings, s)
		}
	}
	for _, s := range l.Unknown() {
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
