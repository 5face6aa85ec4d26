package microscope

import (
	"math/rand/v2"
	"strings"
	"testing"

	"impalab/web/chart"
)

func TestALinkRestoresTheVisibleCell(t *testing.T) {
	u := random(t, rand.New(rand.NewPCG(13, 14)), 20)
	u.Update, u.Column = 400, 3
	s, err := NewScope(u)
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"rho": "2.5", "alpha": "0.25", "c": "inf"} {
		if err := s.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	s.Choose(7, chart.BackupDelta)
	fragment := s.Fragment("ab12", "dark")
	link := ParseLink(fragment)
	if link.Run != "ab12" || link.Update != 400 || link.Column != 3 || link.Theme != "dark" || len(link.Said) > 0 {
		t.Errorf("%s is read as %+v", fragment, link)
	}
	again, err := NewScope(u)
	if err != nil {
		t.Fatal(err)
	}
	if said := link.Follow(again); len(said) > 0 || again.Fragment("ab12", "dark") != fragment {
		t.Errorf("%s comes back as %s, with %q", fragment, again.Fragment("ab12", "dark"), said)
	}
	if again.Now.Targets.VS[7] != s.Now.Targets.VS[7] {
		t.Error("its numbers are others")
	}
}

// Whatever a link asks for that is not there, the nearest stands there, and one sentence says so.
func TestABadLinkShowsTheNearestAndSaysSo(t *testing.T) {
	u := random(t, rand.New(rand.NewPCG(15, 16)), 20)
	for fragment, want := range map[string]string{
		"#step=99":                      "There is no step 99: this unroll has steps 0 to 19. This is step 19.",
		"#step=-4":                      "There is no step -4: this unroll has steps 0 to 19. This is step 0.",
		"#step=x":                       "There is no step x: this unroll has steps 0 to 19. This is step 0.",
		"#row=soul":                     "The diagram has no row “soul”. This is the row of value.",
		"#rho=-1":                       "The link has a value that is not possible: rho",
		"#update=-3":                    "The link’s update is not a valid number: -3.",
		"#trajectory=-1":                "The link’s trajectory is not a valid number: -1.",
		"#mode=live":                    "This link has an unknown key: mode.",
		"#correction=hope":              "The link has a value that is not possible: correction",
		"#%zz=%zz&step=5%zz&=&&row=rho": "This link has an unknown key: %zz.",
	} {
		s, err := NewScope(u)
		if err != nil {
			t.Fatal(err)
		}
		link := ParseLink(fragment)
		said := append(link.Said, link.Follow(s)...)
		if len(said) == 0 || !strings.HasPrefix(said[0], want) {
			t.Errorf("%s: %q, want %q", fragment, said, want)
		}
		if s.Step < 0 || s.Step > 19 || s.Row >= chart.BackupRows {
			t.Errorf("%s: step %d, row %d", fragment, s.Step, s.Row)
		}
	}
}
