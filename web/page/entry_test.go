package page

import (
	"strings"
	"testing"
)

func TestAProvisionalRankHasAQuestionMark(t *testing.T) {
	s := Standing{Rank: "1"}
	if settled := rankWords(&s); settled != "1" {
		t.Error(settled)
	}
	if s.Provisional = true; rankWords(&s) != "1?" {
		t.Error(rankWords(&s))
	}
}

func TestATrackSaysWhyPublicSeedsRankItsRows(t *testing.T) {
	all := &Board{Track: &Track{Baselines: 4, Public: make([]uint64, 8)}, Season: Season{Number: 1}, Ready: 1,
		Rows: make([]Standing, 1)}
	if said := waiting(all); !strings.HasPrefix(said, "Nothing has been submitted") {
		t.Error(said)
	}
	if all.Begun = true; !strings.Contains(waiting(all), "1 of 4") {
		t.Error(waiting(all))
	}
	if all.BySecret = true; waiting(all) != "" {
		t.Error(waiting(all))
	}
}
