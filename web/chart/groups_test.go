package chart

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A name has the line's last mean. The names of two lines that end together stand apart, inside the picture.
func TestEachGroupHasItsNameItsBandAndItsLine(t *testing.T) {
	groups := []Group{
		{Name: "IMPALA", Tone: "corrected", Middle: []Middle{{50, 35, 20, 50, 8}, {100, 40, 10, 60, 8}}},
		{Name: "V-MPO", Tone: "cut", Middle: []Middle{{50, 5, 2, 9, 8}, {100, 25, 20, 30, 8}}},
		{Name: "A2C", Tone: "mu", Middle: []Middle{{50, 5, 2, 9, 8}, {100, 0, 0, 1, 8}}},
		{Name: "STAC", Tone: "pi", Middle: []Middle{{50, 5, 2, 9, 8}, {100, 0.1, 0, 1, 8}}},
	}
	const w, h = 720.0, 320.0
	drawn := DrawGroups(&Time{Steps: 100}, groups, w, h)
	names := regexp.MustCompile(`x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]+ [\d.]+)</text>`).FindAllStringSubmatch(drawn, -1)
	above := 0.0
	for i, want := range []string{"IMPALA 40.0", "V-MPO 25.0", "STAC 0.100", "A2C 0"} {
		if i >= len(names) || names[i][3] != want {
			t.Fatalf("the names are %q, want %q at %d", names, want, i)
		}
		x, _ := strconv.ParseFloat(names[i][1], 64)
		y, _ := strconv.ParseFloat(names[i][2], 64)
		if y < above+14 || y > h || x+wide(want) > w {
			t.Errorf("%s stands at %g, %g, below %g", want, x, y, above)
		}
		above = y
	}
	for _, g := range groups {
		for _, want := range []string{">" + g.Name + " ", `class="area ` + g.Tone + `"`, `class="line ` + g.Tone + `"`} {
			if got := strings.Count(drawn, want); got != 1 {
				t.Errorf("%d of %s, want 1", got, want)
			}
		}
	}
	if empty := DrawGroups(&Time{Steps: 100}, nil, 720, 320); !strings.Contains(empty, "no episodes yet") ||
		strings.Contains(empty, "NaN") || strings.Contains(empty, "Inf") {
		t.Errorf("without a group: %s", empty)
	}
}
