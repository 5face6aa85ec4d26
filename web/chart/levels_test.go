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
	drawn := DrawLevels([]string{"0", "8"}, "lag", lines, 720, 320)
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
