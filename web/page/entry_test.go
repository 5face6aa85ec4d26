package page

import (
	"strings"
	"testing"

	"impalab/learner/hyper"
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

// The sheet under "To the board" sends values as links spell them, not the names that people read.
func TestARunIsHandedInWithItsValues(t *testing.T) {
	f := Fit{Track: &Track{}, Entry: Entry{Settings: []hyper.Setting{{Key: "correction", Value: "one-step"},
		{Key: "optimiser", Value: "rmsprop"}, {Key: "program", Value: "a\n\"b\""}}}}
	const want = `{"correction":"one-step","optimiser":"rmsprop","program":"a\n\"b\""}`
	if got := settingsJSON(f); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A shell reads the command of an entry as the entry's settings.
func TestTheCommandOfAnEntryIsQuoted(t *testing.T) {
	e := Entry{Settings: []hyper.Setting{{Key: "rho", Value: "2"}, {Key: "program", Value: "it's\n$(1)"}}}
	const want = `impalab board try x --set rho=2 --set 'program=it'\''s` + "\n" + `$(1)'`
	if got := EntryCommand(&Track{Name: "x"}, &e); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A run with the settings of a track's start is told what to do, in one voice.
func TestTheStartOfATrackSaysWhatToTurn(t *testing.T) {
	var b strings.Builder
	const start = "This <em>is</em> the start of Late pole. Turn one knob, then rank it."
	for r, want := range map[*Run]string{
		{StartOf: "Late pole", NoBoard: "this is the start"}: start,
		{NoBoard: "lag is fixed at 16"}:                      "The board does not accept its settings: lag is fixed at 16",
	} {
		b.Reset()
		if err := BoardSheet(Data{Base: "/"}, *r).Render(t.Context(), &b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%q, want %q (%v)", b.String(), want, err)
		}
	}
}
