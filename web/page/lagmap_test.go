package page

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"impalab/learner/hyper"
	"impalab/learner/trial"
)

// sampleMap is a sweep of CartPole over two lags and two rates with two seeds each: of the last cell both fell.
func sampleMap(t *testing.T) Sweep {
	t.Helper()
	cfg, err := hyper.FromPreset("lag-cliff")
	if err == nil {
		err = cfg.Set("correction", "none")
	}
	if err != nil {
		t.Fatal(err)
	}
	s := Sweep{ID: "cd", Preset: "lag-cliff", State: "done", Base: cfg, Seeds: []uint64{1, 2}, Runs: 8, Over: 8,
		Keys: []Axis{{"lag", []string{"4", "16"}}, {"lr", []string{"0.001", "0.002"}}}}
	s.Map = &LagMap{Lags: []float64{4, 16}, Rates: []float64{0.001, 0.002}, Cells: []int{0, 1, 2, 3},
		Border: trial.Border{Product: 0.02, Low: 0.01, High: 0.03}, Each: []float64{0.02, math.Inf(-1)}}
	for n := range 4 {
		fate, r := trial.Stood, 300.0
		if n == 3 {
			fate, r = trial.FellToChance, 9
		}
		s.Map.Fates = append(s.Map.Fates, []trial.Fate{fate, fate})
		s.Cells = append(s.Cells, Cell{Values: []string{s.Keys[0].Values[n%2], s.Keys[1].Values[n/2]}, N: 2, Over: 2,
			Estimate: trial.NewEstimate([]float64{r, r}),
			Runs: []Member{{Seed: 1, ID: "a", State: "done", Return: r, Counts: true},
				{Seed: 2, ID: "b", State: "done", Return: r, Counts: true}}})
	}
	return s
}

func TestASweepOfLagAndRateIsDrawnAsAMap(t *testing.T) {
	s := sampleMap(t)
	s.Chosen, s.Guess = 3, 0.06
	root := parse(t, SweepPage(data(), s))
	for _, width := range []string{"narrow", "middle", "broad"} {
		links := all(root, func(n *html.Node) bool {
			return has(n, "data-number") && n.Parent != nil && strings.Contains(attr(n.Parent, "class"), width)
		})
		if len(links) != 4 || attr(links[3], "aria-current") != "true" || attr(links[3], "href") != "?cell=3&guess=0.06" {
			t.Errorf("%s: %d cells, the last leads to %q", width, len(links), attr(links[3], "href"))
		}
	}
	page := render(t, SweepPage(data(), s))
	for _, words := range []string{"How <em class=\"age\">late</em> is too late?", "2 of 2 fell",
		"You drew .06: 3.0 times too trusting.",
		"From a rate of .002 half of the seeds fall even at a lag of 4.", `href="/lab/s/cd/map.png?cell=3"`,
		"none falls right of here", "[.01, .03]"} {
		if !strings.Contains(page, words) {
			t.Errorf("it does not say %q", words)
		}
	}
	for guess, says := range map[float64]string{0.005: "4.0 times too careful", 0.025: "within the interval"} {
		if s.Guess = guess; !strings.Contains(s.guessed(), says) {
			t.Errorf("of %v it says %q", guess, s.guessed())
		}
	}
	s.State, s.Over, s.Map.Border = "running", 4, trial.Border{Product: math.Inf(1), Low: math.Inf(1), High: math.Inf(1)}
	if page := render(t, SweepPage(data(), s)); !strings.Contains(page, "The line comes as runs end.") ||
		strings.Contains(page, "most stand everywhere") {
		t.Error("a map that fills says more than its runs")
	}
}

// A border of another correction stands beside, where its line is or in words.
func TestAnotherBorderStandsBeside(t *testing.T) {
	s, other := sampleMap(t), sampleMap(t)
	other.Base.Set("correction", "vtrace")
	other.ID, other.Guest = "ef", true
	inf := math.Inf(1)
	other.Map.Border = trial.Border{Product: inf, Low: inf, High: inf}
	s.Beside = &other
	page := render(t, SweepPage(data(), s))
	for _, words := range []string{"V-trace: most stand everywhere", "above the map", `id="guest"`} {
		if !strings.Contains(page, words) {
			t.Errorf("it does not say %q", words)
		}
	}
	body := fmt.Sprint(s.again())
	if strings.Contains(body, "correction") || !strings.Contains(body, "seeds:1,2") ||
		!strings.Contains(body, "preset:lag-cliff") {
		t.Errorf("the same sweep again is asked for with %s", body)
	}
}

// The page of the guess has one line for each width, and asks for the map of the study.
func TestTheGuessHasItsMapAndLine(t *testing.T) {
	root := parse(t, Staleness(data()))
	maps := all(root, func(n *html.Node) bool { return has(n, "data-guess") })
	if len(maps) != 3 {
		t.Fatalf("%d maps", len(maps))
	}
	if g := guessMap().GuessOn(880, 430); math.Abs(g.Product-0.000125) > 1e-12 || g.Column <= 0 || g.Row <= 0 {
		t.Errorf("the line is %+v", g)
	}
	page := render(t, Staleness(data()))
	for _, words := range []string{"448 runs wait", `value="correction=none"`, "lag-cliff"} {
		if !strings.Contains(page, words) {
			t.Errorf("it does not say %q", words)
		}
	}
}
