package homework

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"impalab/web/exercise"
)

// ask sends a request and its answer through JSON, as the page does.
func ask(t *testing.T, a Asked) (told Told) {
	t.Helper()
	text, err := json.Marshal(a)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err == nil {
		text, err = json.Marshal(Do(&a))
	}
	if err == nil {
		err = json.Unmarshal(text, &told)
	}
	if err != nil {
		t.Fatal(err)
	}
	return told
}

// ended returns runs that ended at these returns.
func ended(returns ...float64) (runs []Run) {
	for _, x := range returns {
		runs = append(runs, Run{Mean: &x, Curve: make([]*float64, exercise.CurvePoints)})
	}
	return runs
}

var keeps = Asked{Do: "judge", Exercise: "keep-it-standing", HandIn: true,
	Said: exercise.Answer{Settings: map[string]string{"correction": "vtrace", "rho": "2"}}}

func TestAHandInIsTrainedJudgedAndCheckedFromItsReceipt(t *testing.T) {
	e, err := exercise.Named(keeps.Exercise)
	if err != nil {
		t.Fatal(err)
	}
	asked := keeps
	first := ask(t, asked)
	if first.Train == nil || len(first.Train.Seeds) != e.Reach.Hidden.Seeds || first.Error != "" {
		t.Fatalf("it asks for the training %+v, %q", first.Train, first.Error)
	}
	for key, want := range map[string]string{"correction": "vtrace", "rho": "2", "lag": "8", "steps": "250000",
		"seed": ""} {
		got := ""
		for _, s := range first.Train.Settings {
			if s.Key == key {
				got = s.Value
			}
		}
		if got != want {
			t.Errorf("the runs have %s=%q, want %q", key, got, want)
		}
	}
	good := []float64{500, 499, 498, 497, 496, 495, 494, 100}
	asked.Runs = ended(good...)
	told := ask(t, asked)
	want, err := e.Judge(&asked.Said, exercise.Hidden{Runs: exercise.MeasuredOf(good)})
	if err != nil || told.Verdict == nil || told.Verdict.Credit != 1 || told.Verdict.Say != want.Say ||
		told.Receipt == "" || told.Shown == nil {
		t.Fatalf("judged %+v, want %+v and a receipt (%v)", told, want, err)
	}
	check := Asked{Do: "check", Receipt: told.Receipt}
	again := ask(t, check)
	if fmt.Sprint(again.Train) != fmt.Sprint(first.Train) {
		t.Errorf("the check trains %+v, want %+v", again.Train, first.Train)
	}
	check.Runs = ended(good...)
	if c := ask(t, check).Check; c == nil || !c.Same || !strings.HasPrefix(c.Say, "As written: “Keep it standing” with "+
		"correction vtrace, rho 2 gives 1 of 1, at 496.5.") {
		t.Errorf("the check says %+v", c)
	}
	check.Runs = ended(9, 9, 9, 9, 9, 9, 9, 9)
	if c := ask(t, check).Check; c == nil || c.Same || !strings.Contains(c.Say, "the receipt says 1 of 1, at 496.5, and "+
		"it gives 0 of 1, at 9 here") {
		t.Errorf("the check of runs that fell says %+v", c)
	}
	letters := []byte(told.Receipt)
	letters[7] ^= 3 // another letter
	check.Receipt = string(letters)
	if told := ask(t, check); !strings.Contains(told.Error, "a letter is wrong or missing") || told.Check != nil {
		t.Errorf("a changed letter: %+v", told)
	}
}

// A student who writes a result into a receipt that the settings do not give is found out by the check.
func TestAForgedResultIsFoundOut(t *testing.T) {
	e, err := exercise.Named(keeps.Exercise)
	if err != nil {
		t.Fatal(err)
	}
	figure := 499.
	forged, err := exercise.NewReceipt(e, &exercise.Answer{Settings: map[string]string{"rho": "1"}},
		&exercise.Verdict{Credit: 1, Figure: &figure}).Code()
	if err != nil {
		t.Fatal(err)
	}
	c := ask(t, Asked{Do: "check", Receipt: forged, Runs: ended(9, 10, 9, 10, 9, 10, 9, 10)}).Check
	if c == nil || c.Same || !strings.Contains(c.Say, "gives 0 of 1, at 9.5 here") {
		t.Errorf("the check says %+v", c)
	}
}

func TestRefusalsAreTheSentencesOfARoom(t *testing.T) {
	first := 0
	const cause = "cause-of-death-1"
	chosen := exercise.Answer{Choice: &first, Second: &first}
	for want, change := range map[string]func(*Asked){
		"These are the settings of the start":    func(a *Asked) { a.Said.Settings = nil },
		"this exercise lets you change only":     func(a *Asked) { a.Said.Settings = map[string]string{"lag": "0"} },
		"this exercise allows 0.25 to 8":         func(a *Asked) { a.Said.Settings = map[string]string{"rho": "9"} },
		"This has been handed in 3 times":        func(a *Asked) { a.Before = 3 },
		"did you mean keep-it-standing":          func(a *Asked) { a.Exercise = "keep-it-standin" },
		"This is not a receipt: a letter is":     func(a *Asked) { a.Do = "check" },
		"There is nothing to try here: hand":     func(a *Asked) { a.Exercise, a.HandIn, a.Said = cause, false, chosen },
		"This exercise wants 3 numbers: v₀, v₁ ": func(a *Asked) { a.Exercise, a.Said = "by-hand", exercise.Answer{} },
	} {
		a := keeps
		change(&a)
		told := ask(t, a)
		if !strings.Contains(told.Error, want) || !strings.HasSuffix(told.Error, ".") || told.Train != nil {
			t.Errorf("%q, want %q", told.Error, want)
		}
	}
}

func TestAProgramIsJudgedOnUnrollsOfItsOwnText(t *testing.T) {
	source, err := os.ReadFile("../starlark/testdata/right.star")
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	hand := func(text string) Told {
		in := ask(t, Asked{Do: "unrolls", Exercise: "write-vtrace", HandIn: true, Source: text}).Inputs
		if in == nil {
			t.Fatal("no unrolls")
		}
		var run Asked
		run.Do, run.Source = "run", text
		unrolls, _ := json.Marshal(in.Unrolls)
		if err := json.Unmarshal(unrolls, &run.Unrolls); err != nil {
			t.Fatal(err)
		}
		ran := ask(t, run)
		a := Asked{Do: "judge", Exercise: "write-vtrace", HandIn: true}
		a.Said.Text, a.Said.Draw = text, in.Draw
		for _, x := range ran.Targets {
			a.Said.Targets = append(a.Said.Targets, exercise.Targets(x))
		}
		return ask(t, a)
	}
	told := hand(text)
	if told.Verdict == nil || told.Verdict.Credit != 1 || told.Receipt == "" {
		t.Fatalf("a right program: %+v", told)
	}
	if c := ask(t, Asked{Do: "check", Receipt: told.Receipt}).Check; c == nil || !c.Same {
		t.Errorf("its check says %+v", c)
	}
	t.Logf("%d bytes of a program give %d letters", len(text), len(told.Receipt))
	first := ask(t, Asked{Do: "unrolls", Exercise: "write-vtrace", HandIn: true, Source: text}).Inputs
	other := ask(t, Asked{Do: "unrolls", Exercise: "write-vtrace", HandIn: true, Source: text + " "}).Inputs
	if fmt.Sprint(first) == fmt.Sprint(other) {
		t.Error("another text gets the same unrolls: its targets could be written into it")
	}
}
