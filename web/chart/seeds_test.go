package chart

import (
	"strings"
	"testing"
)

func TestSeedsAreThinLinesWithOneBandAndOneMiddle(t *testing.T) {
	s := &Seeds{}
	for seed := range 8 {
		c := &Curve{}
		for step := uint64(1); step <= 100; step++ {
			c.Add(step, float32(seed)*10)
		}
		s.Lines = append(s.Lines, c)
	}
	s.Middle = []Middle{{50, 35, 20, 50, 8}, {100, 35, 10, 60, 8}}
	drawn := DrawSeeds(&Time{Steps: 100}, s, 100, 128)
	for class, want := range map[string]int{`"line seed pi"`: 8, `"area pi"`: 1, `"line hand pi"`: 1} {
		if got := strings.Count(drawn, class); got != want {
			t.Errorf("%d of %s, want %d", got, class, want)
		}
	}
	// The band goes there along its upper ends and back along the lower ones: four corners, the last below the first.
	_, band, _ := strings.Cut(drawn, `class="area pi" d="`)
	band, _, _ = strings.Cut(band, `"`)
	corners := strings.FieldsFunc(band, func(r rune) bool { return r == 'M' || r == 'L' })
	if len(corners) != 4 || !strings.HasPrefix(corners[0], "50 ") || !strings.HasPrefix(corners[3], "50 ") ||
		corners[0] == corners[3] {
		t.Errorf("the band is %s", band)
	}
	empty := DrawSeeds(&Time{Steps: 100}, &Seeds{}, 100, 128)
	if !strings.Contains(empty, "no episodes yet") ||
		strings.Contains(empty, "NaN") || strings.Contains(empty, "Inf") {
		t.Errorf("without a seed: %s", empty)
	}
}
