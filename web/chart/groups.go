package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"impalab/web/number"
)

// Group is the seeds of one configuration among several, with its name.
type Group struct {
	Name, Tone string
	Middle     []Middle
	Class      string // more classes of its line
	Bare       bool   // it is drawn without its interval
}

const (
	groupStroke = 14.0 // from the end of a line to its name
	groupApart  = 15.0 // between the names of two lines
)

// DrawGroups draws each group's interquartile mean with its interval as a band. Its name and its last mean stand at the
// end of its line.
func DrawGroups(t *Time, groups []Group, w, h float64) string {
	f := newFrame(t, w, h, 10, marginFoot)
	for i := range groups {
		f.seeMiddle(groups[i].seen())
		f.x.to = min(f.x.to, w-groupStroke-4-wide(groups[i].says()))
	}
	none := math.IsInf(f.y.lo, 1)
	f.y.lo, f.y.hi = padRange(f.y.lo, f.y.hi)
	f.grid(none, "no episodes yet", levels)
	for i := range groups {
		g := &groups[i]
		if over := strings.Join(strings.Fields("line "+g.Class+" "+g.Tone), " "); g.Bare {
			f.middleLine(g.Middle, over)
		} else {
			f.middle(g.Middle, g.Tone, over)
		}
	}
	f.endNames(groups)
	if !none {
		f.levels(levels)
	}
	return f.String()
}

// seen returns what is drawn of the group's intervals.
func (g *Group) seen() []Middle {
	if !g.Bare {
		return g.Middle
	}
	bare := slices.Clone(g.Middle)
	for i := range bare {
		bare[i].Low, bare[i].High = bare[i].Mean, bare[i].Mean
	}
	return bare
}

// says returns the group's name with its last mean.
func (g *Group) says() string {
	if n := len(g.Middle); n > 0 {
		last := number.Figures(g.Middle[n-1].Mean)
		if strings.TrimRight(g.Name, "0123456789∞") != g.Name {
			return g.Name + ": " + last
		}
		return g.Name + " " + last
	}
	return g.Name
}

// endNames writes the groups' names at the ends of their lines, apart from each other.
func (f *frame) endNames(groups []Group) {
	of := slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return len(g.Middle) == 0 })
	end := func(g *Group) (x, y float64) {
		m := g.Middle[len(g.Middle)-1]
		return f.x.at(float64(m.Step)), f.y.at(m.Mean)
	}
	slices.SortStableFunc(of, func(a, b Group) int {
		_, y := end(&a)
		_, other := end(&b)
		return cmp.Compare(y, other)
	})
	places, high := make([]float64, len(of)), make([]float64, len(of))
	for i := range of {
		_, places[i] = end(&of[i])
		high[i] = groupApart
	}
	spread(places, high, f.y.to, f.y.from)
	for i := range of {
		g := &of[i]
		x, y := end(g)
		f.svg.line("line seed "+g.Tone, x, y, x+groupStroke-4, places[i])
		f.text("label "+g.Tone, start, x+groupStroke, places[i]+4, g.says())
	}
}
