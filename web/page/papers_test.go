package page

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/trial"
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
