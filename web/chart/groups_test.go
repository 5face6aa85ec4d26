package chart

import (
	"strings"
	"testing"
)

func TestEachGroupHasItsNameItsBandAndItsLine(t *testing.T) {
	groups := []Group{
		{"IMPALA", "corrected", []Middle{{50, 35, 20, 50, 8}, {100, 40, 10, 60, 8}}},
		{"V-MPO", "cut", []Middle{{50, 5, 2, 9, 8}, {100, 25, 20, 30, 8}}},
	}
	drawn := DrawGroups(&Time{Steps: 100}, groups, 720, 320)
	for _, g := range groups {
		for _, want := range []string{">" + g.Name + "<", `class="area ` + g.Tone + `"`, `class="line ` + g.Tone + `"`} {
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
