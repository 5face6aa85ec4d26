package view

import (
	"slices"
	"testing"
)

func TestOneFillsTheScreenTwoStandSideBySideMoreAreTwoByTwo(t *testing.T) {
	for n, want := range [][]box{
		{},
		{{0, 0, 390, 300}},
		{{0, 0, 191, 300}, {199, 0, 191, 300}},
		{{0, 0, 191, 146}, {199, 0, 191, 146}, {0, 154, 191, 146}},
		{{0, 0, 191, 146}, {199, 0, 191, 146}, {0, 154, 191, 146}, {199, 154, 191, 146}},
	} {
		if got := arrange(n, across(n, 390, 300), 390, 300, cellGap); !slices.Equal(got, want) {
			t.Errorf("%d cells: %v, want %v", n, got, want)
		}
	}
}

func TestInAColumnTwoStandAboveEachOther(t *testing.T) {
	want := []box{{0, 0, 287, 133}, {0, 141, 287, 132}}
	if got := arrange(2, across(2, 287, 273), 287, 273, cellGap); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestWhereItIsShallowAllStandSideBySide(t *testing.T) {
	want := []box{{0, 0, 79, 150}, {87, 0, 79, 150}, {174, 0, 79, 150}, {261, 0, 79, 150}}
	if got := arrange(4, across(4, 340, 150), 340, 150, cellGap); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCellsLieOnWholePixelsInsideTheScreenAndApart(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for w := float32(40); w < 1400; w += 37 {
			h := w*0.7 - 3.3
			if n == 3 {
				h = w * 0.3
			}
			boxes := arrange(n, across(n, w, h), w, h, 8)
			for i, b := range boxes {
				if b.x != round(b.x) || b.w != round(b.w) || b.y != round(b.y) || b.h != round(b.h) {
					t.Fatalf("cell %d of %d on %v: %v is between two pixels", i, n, w, b)
				}
				if b.x < 0 || b.x+b.w > round(w) || b.y < 0 || b.y+b.h > round(h) || b.w <= 0 || b.h <= 0 {
					t.Fatalf("cell %d of %d on %v: %v is outside", i, n, w, b)
				}
				for k, other := range boxes[:i] {
					if b.x < other.x+other.w && other.x < b.x+b.w && b.y < other.y+other.h && other.y < b.y+b.h {
						t.Fatalf("cells %d and %d of %d on %v cover each other", k, i, n, w)
					}
				}
			}
		}
	}
}

func TestAPointIsInTheCellThatIsThere(t *testing.T) {
	boxes := arrange(3, across(3, 390, 300), 390, 300, 8)
	for _, c := range []struct {
		x, y float32
		want int
	}{{0, 0, 0}, {200, 10, 1}, {10, 200, 2}, {195, 10, -1}, {250, 200, -1}, {-1, 3, -1}, {400, 3, -1}} {
		if got := at(boxes, c.x, c.y); got != c.want {
			t.Errorf("(%v, %v) is in cell %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

func TestTheWorldKeepsItsSpaceAndTheStripYieldsInOrder(t *testing.T) {
	const bars = 2*barTall + barGap
	for _, c := range []struct {
		h     float32
		lines int
		want  parts
	}{
		{320, 1, parts{true, true, 1}}, {320, 3, parts{true, true, 3}}, // a stage of one run
		{180, 1, parts{true, true, 1}},
		{170, 1, parts{true, false, 1}}, // the ribbon goes first
		{150, 1, parts{true, false, 0}}, // then the names
		{170, 3, parts{true, true, 0}},  // which are not stacked where there is little room
		{120, 1, parts{false, false, 0}},
	} {
		if got := partsFor(c.h, bars, c.lines); got != c.want {
			t.Errorf("%v high with %d lines of names: %+v, want %+v", c.h, c.lines, got, c.want)
		}
	}
	for h := float32(0); h < 400; h++ {
		for lines := range 4 {
			p := partsFor(h, bars, lines)
			under := float32(0)
			if p.policy {
				under = bars + policyAbove + policyBelow + float32(p.lines)*lineTall
			}
			if p.ribbon {
				under += ribbonAbove + ribbonTall
			}
			if under > 0 && h-headTall-worldBelow-under < worldLeast {
				t.Fatalf("%v high with %d lines: the strip is %v and leaves too little", h, lines, under)
			}
		}
	}
}
