package chart

import "math"

// Group is the seeds of one configuration among several, with its name.
type Group struct {
	Name, Tone string
	Middle     []Middle
}

// DrawGroups draws each group's interquartile mean with its interval as a band, below a row of their names.
func DrawGroups(t *Time, groups []Group, w, h float64) string {
	f := newFrame(t, w, h, levelNames+6, marginFoot)
	for i := range groups {
		f.seeMiddle(groups[i].Middle)
	}
	none := math.IsInf(f.y.lo, 1)
	f.y.lo, f.y.hi = room(f.y.lo, f.y.hi)
	f.grid(none, "no episodes yet", levels)
	from := 0.0
	for i := range groups {
		from = f.name(groups[i].Name, groups[i].Tone, from)
		f.middle(groups[i].Middle, groups[i].Tone, "line "+groups[i].Tone)
	}
	if !none {
		f.levels(levels)
	}
	return f.String()
}
