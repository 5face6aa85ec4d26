package chart

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestHalvingKeepsExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6000).Draw(t, "points")
		spike, dip := rapid.IntRange(0, n-1).Draw(t, "spike"), rapid.IntRange(0, n-1).Draw(t, "dip")
		var c Curve
		for i := range n {
			value := float32(math.Sin(float64(i)))
			if i%3 == 0 {
				value = nan32
			}
			if i == spike {
				value = 500
			}
			if i == dip {
				value = -500
			}
			c.Add(uint64(i+1), value, nan32)
		}
		if len(c.Columns) > maxColumns {
			t.Fatalf("%d columns", len(c.Columns))
		}
		all, step := nothing, uint64(0)
		for i, column := range c.Columns {
			if column.Step <= step {
				t.Fatalf("step %d after %d", column.Step, step)
			}
			if wide := c.Columns[0].Step; i < len(c.Columns)-1 && column.Step-step != wide {
				t.Fatalf("column %d holds %d points, the first %d", i, column.Step-step, wide)
			}
			step = column.Step
			all.join(column.Value)
			if !column.Bound.Empty() {
				t.Fatal("a number came from nowhere")
			}
		}
		if step != uint64(n) {
			t.Fatalf("the curve ends at %d, want %d", step, n)
		}
		if all.Low != -500 || (all.High != 500 && spike != dip) {
			t.Fatalf("extremes are %v", all)
		}
	})
}

func TestAShrunkCurveKeepsExtremesAndTheModelsOwn(t *testing.T) {
	var c Curve
	for i := range 1000 {
		c.Add(uint64(i), float32(i%7), 0)
	}
	c.Columns[501].Value = Span{-9, 9, 0}
	before := c.Columns[500]
	few := shrink(c.Columns, 100)
	all := nothing
	for _, column := range few {
		all.join(column.Value)
	}
	if len(few) > 100 || all.Low != -9 || all.High != 9 {
		t.Errorf("%d columns, %v", len(few), all)
	}
	if c.Columns[500] != before {
		t.Error("drawing changed the curve")
	}
}

func TestInfinityIsAGap(t *testing.T) {
	var c Curve
	c.Add(1, nan32, float32(math.Inf(1)))
	if !c.Last().Value.Empty() || !c.Last().Bound.Empty() {
		t.Errorf("%+v", *c.Last())
	}
	s := nothing
	for _, v := range []float32{1, float32(math.Inf(1)), 2, nan32} {
		s.Add(v)
	}
	if s != (Span{1, 2, 2}) {
		t.Errorf("infinity was taken for a number: %v", s)
	}
}

// Quartiles of many lots are their means by number of episodes; missing values count for nothing.
func TestJoinedQuartilesCountEachLotByItsEpisodes(t *testing.T) {
	var q Quartiles
	for _, next := range []Quartiles{{0, 10, 8}, {nan32, nan32, 0}, {30, 40, 24}, {nan32, 5, 8},
		{1, float32(math.Inf(1)), 8}} {
		q.Join(next)
	}
	if q != (Quartiles{22.5, 32.5, 32}) {
		t.Errorf("%+v", q)
	}
}
