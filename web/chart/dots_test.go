package chart

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestEveryAnswerIsADotInsideItsColumn(t *testing.T) {
	for _, columns := range [][]int{{0, 3, 60}, {40, 1, 0, 0, 0, 0, 0, 0, 0, 7}, {0, 0}, {1000}} {
		drawn, sum := DrawDots(columns, 1, 400, 120), 0
		for _, n := range columns {
			sum += n
		}
		dots := regexp.MustCompile(`cx="([-0-9.]+)" cy="([-0-9.]+)" r="([0-9.]+)"`).FindAllStringSubmatch(drawn, -1)
		if len(dots) != sum || strings.Count(drawn, `class="truth"`) != min(1, len(columns)-1) {
			t.Fatalf("%d dots of %v: %s", len(dots), columns, drawn)
		}
		got := make([]int, len(columns))
		for _, dot := range dots {
			x, _ := strconv.ParseFloat(dot[1], 64)
			y, _ := strconv.ParseFloat(dot[2], 64)
			r, _ := strconv.ParseFloat(dot[3], 64)
			at := int(x / (400 / float64(len(columns))))
			if got[at]++; y-r < 0 || y+r > 120 || int((x-r)/(400/float64(len(columns)))) != at {
				t.Errorf("%v: a dot at %g, %g", columns, x, y)
			}
		}
		for i, n := range columns {
			if got[i] != n {
				t.Errorf("%v: column %d has %d dots", columns, i, got[i])
			}
		}
	}
}
