package chart

import (
	"math"
	"strings"
	"testing"
)

func TestLevelsStandOverTheirPlaces(t *testing.T) {
	lines := []LevelLine{
		{Name: "V-trace", Tone: "corrected", At: []Level{{490, 480, 500}, {480, 460, 495}}},
		{Name: "none", Tone: "cut", At: []Level{{495, 490, 500}, {Mean: math.NaN()}}},
	}
	drawn := DrawLevels(&Levels{Axis: "lag", Places: []string{"0", "8"}, Lines: lines}, 720, 320)
	for _, want := range []string{">V-trace<", ">none<", ">0<", ">8<", ">lag<"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %s", want)
		}
	}
	dots, bars := strings.Count(drawn, "<circle"), strings.Count(drawn, `class="line recent`)
	if dots != 2+3 || bars != 3 || strings.Contains(drawn, "NaN") {
		t.Errorf("%d dots and %d intervals for two names and three levels: %s", dots, bars, drawn)
	}
}

func TestNoLineJoinsPlacesWithoutOrder(t *testing.T) {
	l := Levels{Places: []string{"Breakout", "Freeway"}, Lines: []LevelLine{{At: []Level{{1, 0, 2}, {3, 2, 4}}}}}
	if drawn := DrawLevels(&l, 720, 320); !strings.Contains(drawn, "<path") {
		t.Error("no line joins ordered places")
	}
	l.Apart = true
	if drawn := DrawLevels(&l, 720, 320); strings.Contains(drawn, "<path") {
		t.Error("a line joins places that have no order")
	}
}
