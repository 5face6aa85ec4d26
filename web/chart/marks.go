package chart

import (
	"strings"

	"impalab/learner/hyper"
)

// marks draws a line at every change, and its words if they are asked for and there is room: the newest first, in two
// rows.
func (f *frame) marks(words bool) {
	var taken [2][]scale // pixels, from and to
	changes := f.time.changes(f.x)
	for i := range changes { // drawn before all words, so that no line crosses them
		f.svg.line("tick mark", changes[i].x, f.y.to-4, changes[i].x, f.y.from)
	}
	for i := len(changes) - 1; words && i >= 0; i-- {
		m := &changes[i]
		width := wide(m.symbol+m.words) + 8
		from, a := m.x+4, start
		if m.x+width > f.x.to {
			from, a = m.x-width, end
		}
		for k := range taken {
			if from < 0 || overlaps(taken[k], from, from+width) {
				continue
			}
			taken[k] = append(taken[k], scale{from: from, to: from + width})
			x := m.x + 4
			if a == end {
				x = m.x - 4
			}
			f.named("label halo "+m.tone, a, x, 14+14*float64(k), m.symbol, m.words) // a bar over a letter is high
			break
		}
	}
}

// change is a change on the axis. A dragged slider is one change, at its last place.
type change struct {
	x                   float64
	symbol, words, tone string
}

// changes returns the marks as people see them, in order.
func (t *Time) changes(x scale) (list []change) {
	const near = 16.0 // pixels between two steps of one drag
	place := func(i int) float64 { return x.at(min(float64(t.Marks[i].Step), x.hi)) }
	for i := 0; i < len(t.Marks); i++ {
		m := t.Marks[i]
		row, err := hyper.Lookup(m.Key)
		if err != nil || m.Step < t.From {
			continue
		}
		for i+1 < len(t.Marks) && t.Marks[i+1].Key == m.Key && t.Marks[i+1].Run == m.Run && place(i+1)-place(i) < near {
			i++
			m.Step, m.To = t.Marks[i].Step, t.Marks[i].To
		}
		symbol, words := row.Symbol, " "+t.Value(row, m.From)+" → "+t.Value(row, m.To)
		if symbol == "" {
			words = strings.ToLower(row.Words[:1]) + row.Words[1:] + words
		}
		if m.Run != "" {
			symbol, words = "", m.Run+": "+symbol+words
		}
		list = append(list, change{place(i), symbol, words, row.Tone})
	}
	return list
}

func overlaps(taken []scale, from, to float64) bool {
	for _, t := range taken {
		if from < t.to && t.from < to {
			return true
		}
	}
	return false
}
