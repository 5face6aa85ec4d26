package trial

import (
	"math"
	"testing"
)

// The border is where the share passes a half over the logarithm of the product; shares that fall on the way count as
// their mean, and cells of one product together.
func TestTheBorderIsWhereHalfOfTheSeedsEndAtChance(t *testing.T) {
	of := func(product float64, n int) cell {
		c := cell{product: product, chance: make([]bool, 4)}
		for i := range n {
			c.chance[i] = true
		}
		return c
	}
	all := []float64{0, 1, 2, 3}
	for name, c := range map[string]struct {
		cells []cell
		want  float64
	}{
		"half way":           {[]cell{of(1, 0), of(4, 4)}, 2},
		"a quarter, three":   {[]cell{of(1, 1), of(4, 3), of(16, 4)}, 2},
		"exactly there":      {[]cell{of(1, 0), of(4, 2), of(16, 4)}, 4},
		"pooled 2 and 1":     {[]cell{of(1, 0), of(2, 2), of(4, 1), of(16, 3)}, 4 * math.Pow(4, (0.5-0.375)/(0.75-0.375))},
		"two of one product": {[]cell{of(1, 0), of(0.1*40, 4), of(4, 0), of(16, 4)}, 4},
		"never":              {[]cell{of(1, 0), of(4, 1)}, math.Inf(1)},
		"always":             {[]cell{of(1, 3), of(4, 4)}, math.Inf(-1)},
	} {
		if got := atHalf(c.cells, all); got != c.want && math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: the border is at %v, want %v", name, got, c.want)
		}
	}
	if got := atHalf([]cell{of(1, 0), of(4, 2)}, []float64{0, 0, 1, 1}); got != 2 {
		t.Errorf("of the two seeds that fell alone it is at %v, want 2", got)
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
