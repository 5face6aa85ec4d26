package chart

import (
	"encoding/xml"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"impalab/web/chart/charttest"
	"impalab/web/number"
	"impalab/web/wire"
)

// drawn is where the gauge puts things: the dot, the exact values by class, and the numbers on the scale.
func drawn(t *testing.T, g wire.Gauge) (dot float64, exact map[string]float64, numbers []string) {
	t.Helper()
	inside := DrawGauge(&g, 320, 72)
	exact = map[string]float64{}
	charttest.Elements(t, "gauge", inside, func(e xml.StartElement) {
		place := func(name string) float64 {
			v, err := strconv.ParseFloat(charttest.Attribute(e, name), 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		class, isExact := strings.CutPrefix(charttest.Attribute(e, "class"), "line ")
		switch {
		case isExact:
			exact[class] = place("x1")
		case e.Name.Local == "circle":
			dot = place("cx")
		}
	})
	for _, part := range strings.Split(inside, `text-anchor="middle">`)[1:] {
		text, _, _ := strings.Cut(part, "</text>")
		if _, err := strconv.ParseFloat(strings.Replace(text, number.Minus, "-", 1), 64); err == nil {
			numbers = append(numbers, text)
		}
	}
	return dot, exact, numbers
}

// The bandit's worst arm pays 2 and its best 5. Learned 4.999 where 4.998 is the end: next to nothing.
func TestTheGaugeDrawsATinyDifferenceAsTiny(t *testing.T) {
	dot, exact, numbers := drawn(t, wire.Gauge{Behaviour: 4.99, Target: 4.999, Implied: 4.998, Learned: 4.999, Worst: 2,
		Best: 5})
	if apart := math.Abs(dot - exact["corrected"]); apart > 0.5 {
		t.Errorf(".001 is drawn as %v pixels", apart)
	}
	if !slices.Equal(numbers, []string{"2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0"}) {
		t.Errorf("the scale reads %q", numbers)
	}
}

func TestTheGaugesScaleIsTheWorldsAndStaysWhereItIs(t *testing.T) {
	_, wide, scale := drawn(t, wire.Gauge{Behaviour: -0.9, Target: 0.6, Implied: 0.1, Learned: 0, Worst: -1, Best: 1})
	if want := map[string]float64{"mu": 24 + 0.05*272, "pi": 24 + 0.8*272, "corrected": 24 + 0.55*272}; !near(wide, want) {
		t.Errorf("exact values at %v, want %v", wide, want)
	}
	_, _, same := drawn(t, wire.Gauge{Behaviour: 0.31, Target: 0.32, Implied: 0.315, Learned: 0.3, Worst: -1, Best: 1})
	if !slices.Equal(scale, same) || len(scale) < 3 {
		t.Errorf("the scale was %q and is %q", scale, same)
	}
	// V can lie outside the values of all policies: then its dot is at the edge, and its number is V.
	for v, edge := range map[float32]float64{40: 312, -40: 8} {
		if dot, _, _ := drawn(t, wire.Gauge{Learned: v, Worst: -1, Best: 1}); dot != edge {
			t.Errorf("%v stands at %v", v, dot)
		}
	}
}

func TestAGaugeWithoutAWorldsScaleIsNeverNarrowerThanATenthOfItsValues(t *testing.T) {
	dot, exact, _ := drawn(t, wire.Gauge{Behaviour: 4.998, Target: 4.998, Implied: 4.998, Learned: 4.999, Worst: nan32,
		Best: nan32})
	if apart := math.Abs(dot - exact["pi"]); apart > 1 {
		t.Errorf(".001 of 5 is drawn as %v pixels", apart)
	}
}

func near(got, want map[string]float64) bool {
	for k := range want {
		if math.Abs(got[k]-want[k]) > 0.1 {
			return false
		}
	}
	return len(got) == len(want)
}

func TestLabelsOfTheGaugeDoNotCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		centres := []float64{rapid.Float64Range(0, 320).Draw(t, "a"), 0, 0}
		centres[1] = rapid.Float64Range(centres[0], 320).Draw(t, "b")
		centres[2] = rapid.Float64Range(centres[1], 320).Draw(t, "c")
		widths := []float64{20, 70, 20}
		spread(centres, widths, 2, 318)
		for i := 1; i < 3; i++ {
			if centres[i]-widths[i]/2 < centres[i-1]+widths[i-1]/2-1e-9 {
				t.Fatalf("labels at %v", centres)
			}
		}
		if centres[0] < widths[0]/2 || centres[2] > 320-widths[2]/2 {
			t.Fatalf("labels outside: %v", centres)
		}
	})
}
