package page

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/chart"
)

// A sweep of one setting is a chart over it: each width of the page has a link for each value.
func TestASweepOfOneSettingIsAChartOverIt(t *testing.T) {
	root := parse(t, SweepPage(data(), sampleSweep()))
	for _, width := range []string{"narrow", "middle", "broad"} {
		charts := all(root, func(n *html.Node) bool {
			return attr(n, "data-chart") == ViewOver && strings.Contains(attr(n, "class"), width)
		})
		if len(charts) != 1 {
			t.Fatalf("%d charts are %s", len(charts), width)
		}
		links := all(charts[0], func(n *html.Node) bool { return has(n, "data-number") })
		if len(links) != 2 || attr(links[0], "aria-current") != "true" || has(links[0], "tabindex") ||
			attr(links[1], "tabindex") != "-1" || attr(links[1], "href") != "?cell=1" {
			t.Errorf("%s: %d links, the first chosen: %v", width, len(links), links)
		}
	}
	page := render(t, SweepPage(data(), sampleSweep()))
	for _, words := range []string{`href="?cell=0&amp;view=curves"`, `href="/lab/s/cd/over.png?cell=0"`,
		`href="/lab/s/cd/seeds.csv?cell=0"`, "Copy caption", `aria-label="Policy lag 4: waiting"`} {
		if !strings.Contains(page, words) {
			t.Errorf("it does not say %q", words)
		}
	}
}

// A caption alone is enough to do a sweep again.
func TestACaptionNamesAllThatDiffers(t *testing.T) {
	cfg, err := hyper.FromPreset("lag-cliff")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Steps = 60000
	cfg.Set("lag", "16")
	s := Sweep{ID: "cd", Preset: "lag-cliff", State: "done", Base: cfg, Keys: []Axis{{Key: "rho"}}, Chosen: 1,
		Seeds: []uint64{1, 2, 3, 4, 5, 6, 7, 8}}
	for i, v := range []string{"0.5", "1", "inf"} {
		cell := Cell{Values: []string{v}, N: 8, Over: 8}
		var returns []float64
		for _, seed := range s.Seeds {
			returns = append(returns, float64(100*i)+float64(seed))
			cell.Runs = append(cell.Runs, Member{Seed: seed, State: "done", Return: returns[len(returns)-1], Counts: true})
		}
		cell.Estimate = trial.NewEstimate(returns)
		s.Keys[0].Values, s.Cells = append(s.Keys[0].Values, v), append(s.Cells, cell)
	}
	const with = "Lag cliff with lag 16 (the preset has 8), all else as the preset"
	for view, words := range map[string][]string{
		ViewOver: {"after 60\u2009000 steps", "ρ̄", with, "Rings: seeds 1 to 8.",
			"95\u00a0% interval, bootstrap over the n = 8 seeds",
			"None of 24 runs diverged."},
		ViewCurves: {"for 3 values of", with, "Band, of ρ̄ 1 only"},
		ViewSeeds:  {"Lag cliff with lag 16 (the preset has 8), rho 1, all else", "Thin: seeds 1 to 8.", "None of 8 runs"},
	} {
		for _, part := range words {
			if caption := s.Caption(view); !strings.Contains(caption, part) {
				t.Errorf("%s does not say %q: %s", view, part, caption)
			}
		}
	}
	s.Turns, _ = hyper.ParsePlan("20000:lag=64")
	s.Cells[0].N, s.Cells[0].Diverged = 7, 2
	s.Seeds[7] = 12
	for _, part := range []string{"on the way 20000:lag=64", "seeds 1, 2, 3, 4, 5, 6, 7, 12", "n = 7 to 8 of 8 seeds",
		"2 of 24 runs diverged (crosses)"} {
		if caption := s.Caption(ViewOver); !strings.Contains(caption, part) {
			t.Errorf("it does not say %q: %s", part, caption)
		}
	}
	s.Seeds = s.Seeds[:1]
	for i := range s.Cells {
		s.Cells[i].Runs, s.Cells[i].N, s.Cells[i].Over = s.Cells[i].Runs[:1], 1, 1
	}
	caption := s.Caption(ViewOver)
	if !strings.Contains(caption, "Rings: seed 1. One seed has neither mean nor interval.") {
		t.Error(caption)
	}
}

// The lines of a sweep differ in width in the order of their values; only the chosen one has its interval.
func TestTheCurvesOfASweepAreInOrder(t *testing.T) {
	cfg, _ := hyper.FromPreset("cartpole")
	s := Sweep{Preset: "cartpole", Base: cfg, Chosen: 0, Keys: []Axis{{Key: "rho", Values: []string{"4", "1", "2"}}}}
	for _, v := range s.Keys[0].Values {
		s.Cells = append(s.Cells, Cell{Values: []string{v}})
	}
	var drawn []string
	for _, g := range s.Groups(make([][]chart.Middle, 3)) {
		drawn = append(drawn, fmt.Sprint(g.Name, " ", g.Class, " ", g.Bare))
	}
	if got, want := strings.Join(drawn, "; "), "ρ̄ 4 hand false; ρ̄ 1 rank0 true; ρ̄ 2 rank1 true"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
