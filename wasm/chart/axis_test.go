package chart

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// On a phone the numbers of the levels stand among the curves: with a halo, and in front of all of them.
func TestNoCurveCrossesTheNumberOfALevel(t *testing.T) {
	c := &Curve{}
	c.Add(0, 0)
	c.Add(1000, 100)
	lines := []Line{{Curve: c, Class: "line hand", Sign: "A"}}
	axis := &Time{Steps: 1040}
	for name, svg := range map[string]string{
		"return": DrawReturn(axis, &Return{Mean: c, Recent: c, Ghost: c, Others: lines,
			Played: Played{Episodes: []Episode{{Step: 10, Return: 50}}}}, 366, 150),
		"figure": DrawFigure(axis, lines, 0, 100, 366, 150),
		"seeds":  DrawSeeds(axis, &Seeds{Lines: []*Curve{c}}, 366, 150),
	} {
		curves, numbers := strings.LastIndex(svg, "<path"), strings.Index(svg, `class="label inside halo"`)
		if curves < 0 || numbers < curves || strings.Count(svg, "label inside") != strings.Count(svg, "label outside") {
			t.Errorf("%s: the last curve is at %d, the first number at %d of %s", name, curves, numbers, svg)
		}
	}
}

func TestTicksAreRoundAndInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 1e6).Draw(t, "wide")
		at := ticks(lo, hi, 4)
		labels := tickLabels(at)
		if len(at) < 2 || len(at) > 9 {
			t.Fatalf("%d ticks in [%v, %v]", len(at), lo, hi)
		}
		for i, v := range at {
			if v < lo-1e-6*(hi-lo) || v > hi+1e-6*(hi-lo) {
				t.Fatalf("tick %v outside [%v, %v]", v, lo, hi)
			}
			if i > 0 && labels[i] == labels[i-1] && math.Abs(v) < 1e4 {
				t.Fatalf("two ticks read %q", labels[i])
			}
		}
	})
}
