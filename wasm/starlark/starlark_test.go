package starlark

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"impalab/web/exercise"
)

// program is a source file of testdata.
func program(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".star")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func task(t *testing.T) *exercise.Exercise {
	t.Helper()
	e, err := exercise.Named("write-vtrace")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// through sends unrolls and targets through JSON, as the page does.
func through(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// runs runs a source on unrolls of the server and returns its answer.
func runs(t *testing.T, source string, in exercise.Inputs) (*exercise.Answer, Result) {
	t.Helper()
	var unrolls []Unroll
	through(t, in.Unrolls, &unrolls)
	r := Run(source, unrolls)
	a := &exercise.Answer{Draw: in.Draw}
	through(t, r.Targets, &a.Targets)
	return a, r
}

func TestTheServerJudgesTheNumbersOfProgramsAsTheirMistakesDeserve(t *testing.T) {
	e, seed := task(t), [32]byte{14}
	for name, want := range map[string]struct {
		credit float64
		say    string
	}{
		"right":        {1, "all of it"},
		"double-sum":   {1, "all of it"},
		"wrong-sign":   {0, "Not yet: plain unrolls"},
		"appendix-e3":  {.75, "appendix E.3"},
		"one-gamma":    {.5, "Use the γ[t] of each step"},
		"lambda-rho":   {.75, "does not shrink a step's own surprise"},
		"carry-vs":     {0, "Carry vs[t+1] − V[t+1]"},
		"as-it-starts": {0, "Not yet: plain unrolls"},
	} {
		source := e.Program.Start
		if name != "as-it-starts" {
			source = program(t, name)
		}
		answer, r := runs(t, source, e.Program.Inputs("a draw", seed))
		if r.Error != "" {
			t.Errorf("%s: %s", name, r.Error)
			continue
		}
		v, err := e.Judge(answer, exercise.Hidden{Seed: seed})
		if err != nil || math.Abs(v.Credit-want.credit) > 1e-9 || !strings.Contains(v.Say, want.say) {
			t.Errorf("%s: credit %g, %q, %v; want %g, %q", name, v.Credit, v.Say, err, want.credit, want.say)
		}
	}
}

func TestAProgramThatCannotRunHasAnErrorWithItsLine(t *testing.T) {
	const head = "def vtrace(r, gamma, V, ratio, rho_bar, c_bar, lam):\n"
	for source, want := range map[string]string{
		"def vtrace(r)\n    return r":                    "Line 1: got newline, want ':'",
		head + "    return V[:T], r":                     "Line 2: undefined: T",
		head + "    return V[len(V)], r":                 "Line 2: list index 4 out of range",
		head + "    return V":                            "Vtrace must end with return vs, adv: it returned a list",
		head + "    return V, r":                         "Vs has 4 elements for an unroll of 3 steps",
		head + "    return 3, r":                         "Vs must be a list of numbers, not a int",
		head + "    return [\"a\", 0, 0], r":             `Vs[0] is "a", not a finite number`,
		head + "    return r, [float(\"inf\")] * len(r)": "Adv[0] is +inf, not a finite number",
		"x = 1":                      "The function is missing: def vtrace(r, gamma",
		"":                           "The function is missing",
		"def vtrace(r): return r, r": "function vtrace accepts 1 positional argument (7 given)",
		head + "    return vtrace(r, 0, V, 0, 0, 0, 0)": "Line 2: function vtrace called recursively",
		"x = 1\nwhile True:\n    x += 1":                "Line 3: stopped after 2 million steps. Does a",
		head + "    while True: pass":                   "stopped after 2 million steps",
		"x = 0\nfor i in range(1000000000): x += i":     "Line 2: range(1000000000) is too long",
		"x = 1\nx = [0] * 1000000000":                   "Line 2: this list would be too long: at most 100000",
		"x = \"a\" * 1000000000":                        "Line 1: this string would be too long",
		"x = 1000000000 * (0, 1)":                       "Line 1: this tuple would be too long",
		"x = [1]\nx *= 1000000000":                      "Line 2: this list would be too long",
		"x = [1] * 99999999999999999999":                "Line 1: this list would be too long",
		"x = [0] * 2000000000":                          "Line 1: this list would be too long",
		"x = [1] * [2]":                                 "Line 1: unknown binary op: list * list",
		"load(\"x\", \"y\")":                            "load not implemented",
		strings.Repeat("(", 100_000):                    "Line 1: ",
	} {
		_, r := runs(t, source, task(t).Program.PublicInputs())
		if !strings.Contains(r.Error, want) || r.Targets != nil {
			t.Errorf("%.90q: %q, want %q", source, r.Error, want)
		}
	}
}

func TestRepetitionMeansWhatItMeansInPython(t *testing.T) {
	_, r := runs(t, "a = [1, 2]\na *= 2\nb = 3\nb *= 2 * 2\nd = {\"k\": 2}\nd[\"k\"] *= 5\n"+
		"print(a, b, \"ab\" * 2, 2 * (1, 2), [0] * -1, 2 * 2.5, d)", exercise.Inputs{})
	if want := "[1, 2, 1, 2] 12 abab (1, 2, 1, 2) [] 5.0 {\"k\": 10}\n"; r.Printed != want {
		t.Errorf("%q, %q; want %q", r.Printed, r.Error, want)
	}
}

func TestPrintedTextIsKeptUpToABound(t *testing.T) {
	_, r := runs(t, "for i in range(10000): print(\"step\", i)", exercise.Inputs{})
	if !strings.HasPrefix(r.Printed, "step 0\nstep 1\n") || len(r.Printed) > maxPrinted+100 ||
		!strings.HasSuffix(r.Printed, "(the rest is not shown)\n") {
		t.Errorf("%d bytes: %.40q…", len(r.Printed), r.Printed)
	}
}

// FuzzRun checks that no source makes Run panic or return both targets and an error.
func FuzzRun(f *testing.F) {
	for _, source := range []string{"x *= [1]", "def vtrace(*a): return a[0], a[0]", "x = 1 * -[2]", "(a, b)[0] *= 3"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		r := Run(source, []Unroll{{Reward: []float64{1}, Value: []float64{2}, Discount: []float64{.9}, Ratio: []float64{1}}})
		if (r.Error == "") != (r.Targets != nil) {
			t.Errorf("%+v", r)
		}
	})
}
