package trial

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

// Every row names files, settings, presets and studies that exist.
func TestEveryPartOfAPaperIsWhereItsRowSays(t *testing.T) {
	if n := len(Papers()); n != 5 || Papers()[4].Paper != Later {
		t.Fatalf("%d papers, not four and the later ones", n)
	}
	for _, paper := range Papers() {
		if later := paper.Paper == Later; later != (paper.Title == "") || later != (paper.Venue == "") {
			t.Errorf("%s: title %q, venue %q", paper.Paper, paper.Title, paper.Venue)
		}
		for _, algo := range paper.Algos {
			if !slices.ContainsFunc(hyper.Algorithms, func(a hyper.Algorithm) bool { return a.Name == algo }) {
				t.Errorf("%s: no algorithm is called %s", paper.Paper, algo)
			}
		}
		for _, p := range paper.Parts {
			name := paper.Paper + ", " + p.Part
			if p.Part == "" || p.At == "" {
				t.Errorf("%s: no name or no place", name)
			}
			for _, file := range p.Code {
				if _, err := os.Stat(filepath.Join("../..", file)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			for _, key := range p.Settings {
				if _, err := hyper.Lookup(key); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			if p.Preset != "" {
				if _, err := hyper.FromPreset(p.Preset); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			for _, study := range p.Studies {
				if _, err := LookupStudy(study); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// A verdict on a part is a verdict of one of its studies. Every other part is built, or says why it was not tried.
func TestTheStateOfAPartFollowsFromItsStudies(t *testing.T) {
	for _, paper := range Papers() {
		for _, p := range paper.Parts {
			name := paper.Paper + ", " + p.Part
			switch p.State {
			case Appears, AppearsInPart, DoesNotAppear, Contradicts, Open:
				agrees := slices.ContainsFunc(p.Studies, func(study string) bool {
					s, err := LookupStudy(study)
					return err == nil && s.Verdict == p.State
				})
				if !agrees {
					t.Errorf("%s: %s, and none of its studies says so", name, p.State)
				}
			case Built:
				if len(p.Code)+len(p.Settings) == 0 {
					t.Errorf("%s: built, and no file or setting is named", name)
				}
			case NotTried:
				if p.Why == "" {
					t.Errorf("%s: not tried, without a reason", name)
				}
			default:
				t.Errorf("%s: unknown state %q", name, p.State)
			}
			if p.State != NotTried && p.Why != "" {
				t.Errorf("%s: %s, and yet a reason why not", name, p.State)
			}
		}
	}
}

// A study with a verdict on a paper's words stands in that paper's table.
func TestEveryVerdictStandsInATableOfItsPaper(t *testing.T) {
	for _, s := range Studies() {
		for _, quote := range s.Quotes {
			paper := file().Quotations[quote].Paper
			measures := func(p Part) bool { return slices.Contains(p.Studies, s.Name) }
			later := func(p Part) bool { return strings.HasPrefix(p.At, paper) && measures(p) }
			if !slices.ContainsFunc(Papers(), func(p Paper) bool {
				return p.Paper == paper && slices.ContainsFunc(p.Parts, measures) ||
					p.Paper == Later && slices.ContainsFunc(p.Parts, later)
			}) {
				t.Errorf("%s quotes %s, and no row of that paper names it", s.Name, paper)
			}
		}
	}
}

func TestThePageOfThePapersIsWrittenFromTheTable(t *testing.T) {
	page, err := os.ReadFile("../../docs/papers.md")
	if err != nil || string(page) != PapersMarkdown() {
		t.Errorf("docs/papers.md is not the table: run go -C tools run ./results papers (%v)", err)
	}
}
