package page

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/lesson"
)

// A study's card shows its chart, and opens each of its rows in the Lab.
func TestTheCardOfAStudyShowsItsChartAndOpensItsRows(t *testing.T) {
	page := render(t, Papers(data()))
	for _, want := range []string{"plots/lag-grid.svg", "plots/ladder.svg",
		"#v=1&amp;p=lag-cliff&amp;correction=epsilon&amp;lag=16"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	d := data()
	for i := range trial.Studies() {
		s := &trial.Studies()[i]
		for _, file := range plotsOf(s) {
			if _, err := os.Stat("../../static/" + file); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		for j := range s.Variants {
			link := d.labOf(s, &s.Variants[j])
			if link == "" {
				continue
			}
			values, err := url.ParseQuery(strings.TrimPrefix(link, "#v=1&"))
			if err != nil {
				t.Errorf("%s, %s: %v", s.Name, s.Variants[j].Label, err)
			}
			var settings []hyper.Setting
			for key := range values {
				settings = append(settings, hyper.Setting{Key: key, Value: values.Get(key)})
			}
			if _, err := hyper.ReadLink(settings); err != nil {
				t.Errorf("%s, %s: %s: %v", s.Name, s.Variants[j].Label, link, err)
			}
		}
	}
}

// Each of the four papers has its title, its number at arXiv, its corrections, its lessons and its presets. Each form
// that arXiv has is of one paper.
func TestThePageSaysWhatComesFromEachPaper(t *testing.T) {
	page := render(t, Papers(data()))
	for _, want := range []string{"A Self-Tuning Actor-Critic Algorithm", "https://arxiv.org/abs/1802.01561",
		`href="/lab/corrections#leaky"`, `href="/lab/learn/replay"`, "#v=1&amp;p=vmpo-pendulum", "https://arxiv.org/abs/2510.18855"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	found := map[string]int{}
	for i := range trial.Papers() {
		p := &trial.Papers()[i]
		for _, f := range formsOf(p) {
			found[f.source]++
		}
		for _, name := range p.Lessons {
			if _, err := lesson.Find(name); err != nil {
				t.Errorf("%s: %v", p.Paper, err)
			}
		}
		if d := data(); p.Paper != trial.Later && (len(formsOf(p)) == 0 && p.Paper != "V-MPO" || len(d.presetsOf(p)) == 0) {
			t.Errorf("%s: %d corrections, %d presets", p.Paper, len(formsOf(p)), len(d.presetsOf(p)))
		}
	}
	for i := range forms {
		for _, n := range forms[i].names {
			if arxiv.MatchString(n.source) && found[n.source] != 1 {
				t.Errorf("%s, %s: of %d papers", n.words, n.source, found[n.source])
			}
		}
	}
}
