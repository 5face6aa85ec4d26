package view

import (
	"testing"

	"pgregory.net/rapid"

	"impalab/envs"
)

func TestEveryActionOfEveryWorldHasItsName(t *testing.T) {
	const from, to, letter = 38, 348, 6.6 // a stage on a phone, and about a letter of 12 pixels
	for _, e := range envs.Table {
		actions := e.Spec.Actions
		col := columnsOf(len(actions), from, to, 1)
		var at, wide []float32
		for a, name := range actions {
			at, wide = append(at, col.at(a)), append(wide, letter*float32(len(name))+9)
		}
		l := layLabels(at, wide, to, 4)
		if l.lines > 5 {
			t.Errorf("%s: the names take %d lines", e.Spec.Name, l.lines)
		}
		for i := range at {
			if l.x[i] < 0 || l.x[i]+wide[i] > to+0.01 {
				t.Errorf("%s: %q reaches from %.0f to %.0f", e.Spec.Name, actions[i], l.x[i], l.x[i]+wide[i])
			}
		}
	}
}

func TestNamesDoNotCoverEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 18).Draw(t, "actions")
		col := columnsOf(n, 40, 400, 1)
		var at, wide []float32
		for a := range n {
			at, wide = append(at, col.at(a)), append(wide, rapid.Float32Range(5, 130).Draw(t, "wide"))
		}
		l := layLabels(at, wide, 400, 4)
		for i := range n {
			for j := range i {
				if l.line[i] == l.line[j] && l.x[i] < l.x[j]+wide[j]+4 {
					t.Fatalf("names %d and %d stand over each other on line %d", j, i, l.line[i])
				}
			}
		}
	})
}
