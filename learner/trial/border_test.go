package trial

import (
	"math"
	"testing"
)

// The border is where the share passes a half over the logarithm of the product; shares that fall on the way count as
// their mean, and cells of one product together.
func TestTheBorderIsWhereHalfOfTheSeedsEndAtChance(t *testing.T) {
	of := func(product float64, n int) LagCell {
		c := LagCell{Product: product, Fates: []Fate{Stood, Stood, Stood, Stood}}
		for i := range n {
			c.Fates[i] = FellToChance
		}
		return c
	}
	for name, c := range map[string]struct {
		cells []LagCell
		want  float64
	}{
		"half way":           {[]LagCell{of(1, 0), of(4, 4)}, 2},
		"a quarter, three":   {[]LagCell{of(1, 1), of(4, 3), of(16, 4)}, 2},
		"exactly there":      {[]LagCell{of(1, 0), of(4, 2), of(16, 4)}, 4},
		"pooled 2 and 1":     {[]LagCell{of(1, 0), of(2, 2), of(4, 1), of(16, 3)}, 4 * math.Pow(4, (0.5-0.375)/(0.75-0.375))},
		"two of one product": {[]LagCell{of(1, 0), of(0.1*40, 4), of(4, 0), of(16, 4)}, 4},
		"never":              {[]LagCell{of(1, 0), of(4, 1)}, math.Inf(1)},
		"always":             {[]LagCell{of(1, 3), of(4, 4)}, math.Inf(-1)},
	} {
		if got := HalfOf(c.cells); got != c.want && math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: the border is at %v, want %v", name, got, c.want)
		}
	}
	if got := fitOf([]LagCell{of(1, 0), of(4, 2)}).half([]float64{0, 0, 1, 1}); got != 2 {
		t.Errorf("of the two seeds that fell alone it is at %v, want 2", got)
	}
}

// While a map fills, cells and seeds that have not ended say nothing.
func TestTheBorderOfAMapThatFills(t *testing.T) {
	waits := []Fate{Training, Training}
	if b := BorderOf([]LagCell{{1, waits}, {4, waits}}); b.Product == b.Product {
		t.Errorf("without a seed that has ended the border is at %v", b)
	}
	cells := []LagCell{{64, waits}, {16, []Fate{FellToChance, Training}}, {4, []Fate{FellToChance, Training}},
		{1, []Fate{Stood, Training}}}
	if b := BorderOf(cells); b != (Border{2, 2, 2}) {
		t.Errorf("of one seed the border is at %v, want 2", b)
	}
	cells[0].Fates = []Fate{FellToChance, FellToChance}
	if b := BorderOf(cells); b.Product != 2 || b.Low != math.Inf(-1) || b.High != 2 {
		t.Errorf("with a second seed that ended in one cell the border is at %v", b)
	}
}

func TestAStudyOfRatesAndLagsHasItsBorders(t *testing.T) {
	s := &Study{Border: true, Each: []Axis{{"lr", []string{"0.001", "0.002"}}, {"lag", []string{"1", "4"}}},
		Variants: []Variant{{Label: "none", Settings: "correction=none"}}}
	if err := s.expand(); err != nil {
		t.Fatal(err)
	}
	table := &StudyTable{Study: s}
	for i, mean := range []Number{500, 9, 500, 9} {
		runs := []Report{{ReturnMean100: mean}, {ReturnMean100: mean}}
		table.Rows = append(table.Rows, &StudyRow{Label: s.Variants[i].Label, Runs: runs,
			Summary: &Summary{World: "cartpole"}})
	}
	const want = "| lag times rate at which half end at chance | all rates | lr 0.001 | lr 0.002 |\n|---|---|---|---|\n" +
		"| none | 0.0028 [0.0028, 0.0028] | 0.002 [0.002, 0.002] | 0.004 [0.004, 0.004] |\n\n"
	if got := table.borders(); got != want {
		t.Errorf("the borders are\n%swant\n%s", got, want)
	}
}
