package trial

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"impalab/learner/telemetry"
)

func TestEveryStudyIsAConfigurationThatRuns(t *testing.T) {
	names := map[string]bool{}
	for i := range Studies() {
		p := &Studies()[i]
		if names[p.Name] || len(p.Variants)+len(p.Beside) < 2 || p.Claim == "" {
			t.Errorf("%s: want a name of its own, a claim and something to compare with", p.Name)
		}
		names[p.Name] = true
		for _, name := range p.Quantities {
			if telemetry.LookupAlgoMetric(name) == nil {
				t.Errorf("%s: telemetry has no quantity %q", p.Name, name)
			}
		}
		seen := map[string]bool{}
		for j := range p.Variants {
			v := &p.Variants[j]
			c, err := p.Config(v)
			if err != nil {
				t.Error(err)
			}
			looked := p.Moments != nil || p.Falls || p.Episodes > 0 // at the final policy
			if script, err := p.Script(v); err != nil || script != nil && !looked || script == nil && p.Moments != nil {
				t.Errorf("%s, %s: its turns and the moments they are looked at belong together: %v", p.Name, v.Label, err)
			}
			key := fmt.Sprint(v.Alone, v.Turns, v.Mend)
			for _, s := range c.Settings() {
				key += s.Key + "=" + s.Value + " "
			}
			if seen[key] {
				t.Errorf("%s: %s is the same run as another", p.Name, v.Label)
			}
			seen[key] = true
		}
	}
	if _, err := LookupStudy("nothing"); err == nil {
		t.Error("an unknown name was found")
	}
}

// place is where a paper says something.
var place = regexp.MustCompile(`^(abstract|§[0-9](\.[0-9])*|(fig\.|table) ([A-Z]\.)?[0-9]+|appendix [A-Z](\.[0-9])*)$`)

func TestEveryVerdictIsOnWordsOfAPaper(t *testing.T) {
	used := map[string]bool{}
	for i := range Studies() {
		s := &Studies()[i]
		if !slices.Contains([]Verdict{NotInThePaper, Appears, AppearsInPart, DoesNotAppear, Contradicts, Open}, s.Verdict) {
			t.Errorf("%s: unknown verdict %q", s.Name, s.Verdict)
		}
		if (s.Verdict == NotInThePaper) != (len(s.Quotes) == 0) {
			t.Errorf("%s: the verdict is %q with %d quotations", s.Name, s.Verdict, len(s.Quotes))
		}
		for _, name := range s.Quotes {
			if _, ok := file().Quotations[name]; !ok {
				t.Errorf("%s: the list of quotations does not have %q", s.Name, name)
			}
			used[name] = true
		}
	}
	papers := map[string]bool{"IMPALA": true, "LASER": true, "V-MPO": true, "STAC": true, "GSPO": true, "M2PO": true,
		"Score centring": true, "Staleness scaling": true, "TOPR": true, "VCPO": true}
	for name, q := range file().Quotations {
		if !used[name] || !papers[q.Paper] || !place.MatchString(q.Place) || len(q.Text) < 30 || len(q.Text) > 300 {
			t.Errorf("%s: want a short passage of a paper, its place, and a study that quotes it; got %s", name, q)
		}
	}
}

// A verdict follows from comparisons of rows that exist, or a person says why none decides.
func TestEveryVerdictSaysWhatDecidesIt(t *testing.T) {
	for i := range Studies() {
		s := &Studies()[i]
		if (s.Compares != nil) == (s.Judged != "") != (s.Verdict == NotInThePaper) {
			t.Errorf("%s: the verdict is %q, with %d comparisons and the judgement %q", s.Name, s.Verdict,
				len(s.Compares), s.Judged)
		}
		table := StudyTable{Study: s}
		heads := map[string]bool{"mean": s.Chart != nil && s.Chart.Scores}
		for _, c := range table.Columns() {
			heads[c.Head] = true
		}
		pairs := s.pairs()
		if len(pairs) < len(s.Compares) {
			t.Errorf("%s: a star stands for no pair of rows", s.Name)
		}
		for _, c := range pairs {
			for _, label := range []string{c.Better + c.Same, c.Than + c.As} {
				if s.row(label) == nil && c.In != "mean" {
					t.Errorf("%s compares %q, which is no row", s.Name, label)
				}
			}
			if !heads[c.In] {
				t.Errorf("%s compares in %q, which is no column", s.Name, c.In)
			}
		}
	}
}

// A study of axes has a row for each value, with its setting, and predicts rows that exist.
func TestAxesRepeatEachVariant(t *testing.T) {
	s := Study{Variants: []Variant{{Label: "none", Settings: "correction=none"}, {Label: "as it is"}},
		Each: []Axis{{"lr", []string{"0.001", "0.002"}}, {"lag", []string{"0", "4", "16"}}},
		Predictions: []Prediction{{Of: "none, lr 0.002, lag 4", Says: "It falls."},
			{Of: "none, lr 0.002, lag 4", Says: "At once.", Result: "It did."}}}
	if err := s.expand(); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Variants); n != 12 {
		t.Fatalf("%d rows, want 12", n)
	}
	one := s.Variants[4]
	want := Variant{Label: "none, lr 0.002, lag 4", Settings: "correction=none lr=0.002 lag=4",
		Predicted: "It falls. At once. *It did.*"}
	if fmt.Sprint(one) != fmt.Sprint(want) || s.Variants[6].Settings != "lr=0.001 lag=0" {
		t.Errorf("%+v and %+v", one, s.Variants[6])
	}
	s.Predictions = []Prediction{{Of: "none, lag 4"}}
	if err := s.expand(); err == nil {
		t.Error("a prediction of no row was taken")
	}
}

func TestARunEndsAtChanceWithinATwentiethOfTheWay(t *testing.T) {
	r := StudyRow{Summary: &Summary{World: "cartpole"}}
	for _, mean := range []Number{9, 44, 45, 500} { // 22 by chance, 475 is solved
		r.Runs = append(r.Runs, Report{ReturnMean100: mean})
	}
	if n := r.atChance(); n != 2 {
		t.Errorf("%d runs ended at chance, want 2", n)
	}
}
