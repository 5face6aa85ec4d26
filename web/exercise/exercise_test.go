package exercise

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"impalab/learner/trial"
)

func TestEveryExerciseTakesTwoGoodAnswersAndRefusesThreeBadOnesWithTheRightReason(t *testing.T) {
	good, bad := map[string]int{}, map[string]int{}
	for _, k := range KnownAnswers() {
		e, err := Named(k.Exercise)
		if err != nil {
			t.Fatal(err)
		}
		sets := k.Sets
		if !e.Trained() {
			sets = []Runs{{}}
		}
		if len(sets) == 0 {
			t.Errorf("%s: %v has no runs", k.Exercise, k.Answer.Settings)
		}
		for _, s := range sets {
			var m *Measured
			if e.Trained() {
				m = MeasuredOf(s.Returns)
			}
			v, err := e.Judge(&k.Answer, Hidden{Runs: m, Seed: [32]byte{14}})
			if err != nil {
				t.Errorf("%s: %v", k.Exercise, err)
				continue
			}
			said, _ := json.Marshal(k.Answer)
			if k.Good != (v.Credit == 1) || !k.Good && !among(v.Credit, k.Credit) || !strings.Contains(v.Say, k.Says) {
				t.Errorf("%s %s on %s: credit %.3g, %q; want good %v, credit %v, %q", k.Exercise, said, s.Seeds,
					v.Credit, v.Say,
					k.Good, k.Credit, k.Says)
			}
		}
		if k.Good {
			good[k.Exercise]++
		} else {
			bad[k.Exercise]++
		}
	}
	for _, e := range All() {
		want := 2
		if n := e.Number; e.Cause != nil || e.Reach != nil && e.Reach.Measure == OfFallen || n != nil && n.From == n.To {
			want = 1 // only one cause or number is right, and only one whole number is on the edge
		}
		if e.Program == nil && (good[e.Name] < want || bad[e.Name] < 3) { // wasm/starlark has the programs
			t.Errorf("%s has %d good and %d bad answers in known/answers.json, want at least %d and 3", e.Name,
				good[e.Name], bad[e.Name], want)
		}
	}
}

func among(x float64, list []float64) bool {
	for _, y := range list {
		if math.Abs(x-y) < .01 {
			return true
		}
	}
	return len(list) == 0
}

// A threshold inside the interval of a good answer would fail good students by chance.
func TestEveryThresholdStandsBelowTheIntervalOfEveryGoodAnswerOnTwoSetsOfSixteenSeeds(t *testing.T) {
	for _, k := range KnownAnswers() {
		e, err := Named(k.Exercise)
		if err != nil {
			t.Fatal(err)
		}
		if !k.Good || e.Reach == nil || e.Reach.Measure != OfReturn {
			continue
		}
		if len(k.Sets) < 2 {
			t.Errorf("%s %v: %d sets of seeds", k.Exercise, k.Answer.Settings, len(k.Sets))
		}
		for _, s := range k.Sets {
			if len(s.Returns) < 16 {
				t.Errorf("%s %v: %d seeds", k.Exercise, k.Answer.Settings, len(s.Returns))
			}
			if in := trial.NewEstimate(s.Returns); float64(in.Low) <= e.Reach.Hidden.From {
				t.Errorf("%s %v on %s: the interval begins at %.4g, and the threshold is %g", k.Exercise,
					k.Answer.Settings,
					s.Seeds, in.Low, e.Reach.Hidden.From)
			}
		}
	}
}

func TestAnAnswerMayChangeOnlyWhatTheExerciseNames(t *testing.T) {
	for name, c := range map[string]struct {
		settings map[string]string
		want     string
	}{
		"keep-it-standing": {map[string]string{"lag": "0"}, "lets you change only correction, rho and c"},
		"long-and-late":    {map[string]string{"rho": "0.1"}, "allows 0.5 to 8"},
		"one-move":         {map[string]string{"lr": "0.001", "rho": "2"}, "change one setting only"},
		"the-edge":         {map[string]string{"lag": "many"}, "lag"},
		"half-way-house":   {map[string]string{"rho": "9"}, "allows 0.1 to 8"},
		"twice-beyond-the-line": {map[string]string{"lag": "8"},
			"lag=8 and lr=0.002: their product is 0.016, and this exercise asks for at least 0.034"},
	} {
		e, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Asked(&Answer{Settings: c.settings}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %v: %v, want %q", name, c.settings, err, c.want)
		}
	}
	e, _ := Named("without-a-ratio")
	for program, want := range map[string]string{
		"def weight(ratio, adv, pi, mu, age): return min(1, ratio)":                          "line 1 reads ratio",
		"def weight(ratio, adv, pi, mu, age):\n  x = pi\n  return x / mu":                    "line 2 reads pi",
		"def half(mu): return mu / 2\ndef weight(ratio, adv, pi, mu, age): return half(adv)": "line 1 reads mu",
		"def weight(ratio, adv, pi, mu, age): return":                                        "",
		"def weight(ratio, adv, pi, mu, age): return adv +":                                  "program: line 1",
	} {
		_, err := e.Asked(&Answer{Settings: map[string]string{"program": program}})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", program, err, want)
		}
	}
	e, _ = Named("one-move")
	if _, err := e.Asked(&Answer{Settings: map[string]string{"alpha": "0.5", "correction": "leaky"}}); err != nil {
		t.Error("α with its correction is one move: ", err)
	}
}

func TestInvalidAnswersAreRefusedWithASentence(t *testing.T) {
	nan, ten := math.NaN(), 10
	for _, e := range All() {
		none := []Answer{{Number: &nan}, {Numbers: []float64{1}}, {Choice: &ten},
			{Settings: map[string]string{"x": "1"}}}
		if e.Reach != nil {
			none = none[3:] // the unchanged start is an answer
		}
		for _, a := range none {
			if _, err := e.Asked(&a); err == nil || err.Error() == "" {
				t.Errorf("%s takes %+v", e.Name, a)
			}
		}
	}
}

func TestACeilingIsJudgedByWhereItsValuesEnd(t *testing.T) {
	e, err := Named("half-way-house")
	if err != nil {
		t.Fatal(err)
	}
	for rho, want := range map[float64]float64{1: .2765, 2: .4828, .5: .1292, 1.1: .3125} {
		if x, err := e.Find.at(rho); err != nil || math.Abs(x-want) > 5e-4 {
			t.Errorf("ρ̄ %g ends at %g (%v), not %g", rho, x, err, want)
		}
	}
}

func TestEveryPlanFillsItsMinutesWithStepsThatCanBeTaken(t *testing.T) {
	plans := Plans()
	if len(plans) != 4 {
		t.Fatalf("%d plans", len(plans))
	}
	for _, p := range plans[:3] {
		if p.Minutes != 50 || len(p.Homework) == 0 {
			t.Errorf("%s takes %d minutes, with %d exercises to take home", p.Name, p.Minutes, len(p.Homework))
		}
		for _, s := range p.Steps {
			if s.Say == "" && s.Predict == nil && s.Exercise == "" && s.Sentence == "" {
				t.Errorf("%s, %s: students have nothing to read", p.Name, s.Name)
			}
		}
	}
	if n := len(plans[3].Steps); n != len(All()) {
		t.Errorf("the exercises are %d steps", n)
	}
}

func TestAGuessFallsIntoTheColumnThatItsLabelNames(t *testing.T) {
	q := Question{From: 10, To: 1000, Log: true, Is: 124}
	for x, want := range map[float64]int{10: 0, 124: 5, 1000: 9} {
		if got := q.Bin(&Answer{Number: &x}); got != want {
			t.Errorf("%g falls into column %d, not %d of %v", x, got, want, q.Labels())
		}
	}
	if _, err := q.Asked(&Answer{Number: new(float64)}); err == nil {
		t.Error("0 is off the axis, and was taken")
	}
}

// An answer keeps the fields that its exercise asks for. Other fields would fill the disk.
func TestAnAnswerKeepsTheFieldsOfItsExerciseAndNoOthers(t *testing.T) {
	one, x := 1, 2.
	all := Answer{Settings: map[string]string{"rho": "1"}, Number: &x, Numbers: []float64{x}, Choice: &one, Second: &one,
		Text: strings.Repeat("A", 60_000), Draw: strings.Repeat("B", 60_000), Targets: []Targets{{VS: []float64{x}}}}
	fields := func(a *Answer) (n int) {
		for _, there := range []bool{a.Settings != nil, a.Number != nil, a.Numbers != nil, a.Choice != nil,
			a.Second != nil, a.Text != "", a.Draw != "", a.Targets != nil} {
			if there {
				n++
			}
		}
		return n
	}
	for _, e := range All() {
		want := 1
		if e.Program != nil || e.Cause != nil && e.Cause.Then != "" {
			want = 2
		}
		asked, _ := e.Asked(&all)
		if fields(&asked) != want || asked.Text != "" {
			t.Errorf("%s keeps %d fields, want %d", e.Name, fields(&asked), want)
		}
	}
	for _, p := range Plans() {
		for _, s := range p.Steps {
			if s.Predict == nil {
				continue
			}
			if asked, _ := s.Predict.Asked(&all); fields(&asked) != 1 {
				t.Errorf("%s keeps %d fields", s.Name, fields(&asked))
			}
		}
	}
}

func TestAGuessOfALagIsWhole(t *testing.T) {
	plan, err := PlanNamed("first-contact")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range plan.Steps {
		if s.Name != "where-half-die" {
			continue
		}
		for x, whole := range map[float64]bool{2.7: false, 3: true} {
			if _, err := s.Predict.Asked(&Answer{Number: &x}); (err == nil) != whole {
				t.Errorf("a guess of %v updates: %v; want an error only for a fraction", x, err)
			}
		}
	}
}
