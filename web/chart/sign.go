package chart

import (
	"cmp"
	"slices"
)

// Letters on curves name their runs, so that no one has to tell them apart by colour.

const signHigh = 15.0 // height of a letter, in pixels

// sign is a letter at a place.
type sign struct {
	x, y          float64
	class, letter string
}

// ends puts letters at the ends of lines, below each other if they would collide.
func (f *frame) ends(lines []Line) {
	var signs []sign
	for _, one := range lines {
		columns := f.columns(one.Curve)
		for i := len(columns) - 1; i >= 0 && one.Sign != ""; i-- {
			if v := columns[i].Value; !v.Empty() {
				x, y := f.x.at(float64(columns[i].Step)), f.y.at(float64(v.Last))
				signs = append(signs, sign{min(x+5, f.x.to-wide(one.Sign)), y + 5, signClass(&one), one.Sign})
				break
			}
		}
	}
	slices.SortStableFunc(signs, func(a, b sign) int { return cmp.Compare(a.y, b.y) })
	apart(signs, f.y.to+signHigh, f.y.from-2)
	for _, s := range signs {
		f.text(s.class, start, s.x, s.y, s.letter)
	}
}

// apart moves sorted letters apart until none covers another, first down, then back up.
func apart(signs []sign, top, foot float64) {
	edge := top
	for i := range signs {
		signs[i].y = max(signs[i].y, edge)
		edge = signs[i].y + signHigh
	}
	edge = foot
	for i := len(signs) - 1; i >= 0; i-- {
		signs[i].y = min(signs[i].y, edge)
		edge = signs[i].y - signHigh
	}
}

// along puts letters beside each other near the right end, for charts too low to stack them.
func (f *frame) along(lines []Line) {
	const first, each = 24.0, 28.0 // pixels from the end, and between two letters
	end, placed := f.x.to, 0
	for i := range lines {
		if last := lines[i].Curve.Last(); lines[i].Sign != "" && last != nil {
			end = min(end, f.x.at(float64(min(last.Step, f.time.Steps))))
		}
	}
	for i := len(lines) - 1; i >= 0; i-- { // the selected run comes last
		one := &lines[i]
		if one.Sign == "" {
			continue
		}
		x := end - first - each*float64(placed)
		v := one.Curve.At(uint64(max(0, f.x.lo+(x-f.x.from)/(f.x.to-f.x.from)*(f.x.hi-f.x.lo))))
		placed++
		if x > f.x.from && finite(v) {
			f.text(signClass(one), middle, x, min(max(f.y.at(float64(v))+4, 11), f.h-1), one.Sign)
		}
	}
}

func signClass(l *Line) string {
	if l.Class == "line other" {
		return "sign halo"
	}
	return "sign own halo"
}
