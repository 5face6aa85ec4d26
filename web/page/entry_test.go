package page

import (
	"strings"
	"testing"

	"impalab/server/board"
)

func TestAnEntryOpensInTheLabAsItIsTrained(t *testing.T) {
	track, err := board.Own().Find("late-pole")
	if err != nil {
		t.Fatal(err)
	}
	e, err := track.ParseEntry("rho=2 unroll=8")
	if err != nil {
		t.Fatal(err)
	}
	link := EntryLink(track, &e)
	for _, part := range strings.Split("v=1 p=lag-cliff seed=1301 lag=16 rho=2 steps=100000 unroll=8", " ") {
		if !strings.Contains(link+"&", part+"&") {
			t.Errorf("%s lacks %s", link, part)
		}
	}
	if n := strings.Count(link, "="); n != 7 {
		t.Errorf("%s has %d settings", link, n)
	}
	d := Differences(track, &e)
	if len(d) != 2 || d[0].Key != "rho" || d[0].From != "1" || d[0].To != "2" || d[1].From != "20" {
		t.Errorf("%+v", d)
	}
}

func TestAProvisionalRankHasAQuestionMark(t *testing.T) {
	s := board.Standing{Rank: board.Rank{First: 1, Last: 1}}
	if settled := rankWords(&s); settled != "1" {
		t.Error(settled)
	}
	if s.Provisional = true; rankWords(&s) != "1?" {
		t.Error(rankWords(&s))
	}
}

func TestATrackSaysWhyPublicSeedsRankItsRows(t *testing.T) {
	track := board.Own().All[0]
	all := &board.Standings{Track: track, Season: board.SeasonInfo{Number: 1}, Ready: 1,
		Rows: make([]board.Standing, 1)}
	if said := waiting(all); !strings.HasPrefix(said, "Nothing has been submitted") {
		t.Error(said)
	}
	if all.Begun = true; !strings.Contains(waiting(all), "1 of ") {
		t.Error(waiting(all))
	}
	if all.BySecret = true; waiting(all) != "" {
		t.Error(waiting(all))
	}
}
