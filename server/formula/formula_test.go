package formula

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// ofVTrace is what the tests have given: T steps with rewards, values and ratios.
var ofVTrace = Given{Numbers: []string{"T", "rhoBar"}, Series: []string{"r", "V", "is"},
	Also: map[string]string{"ρ̄": "rhoBar", "v": "V"}}

// on computes a value of a text for three steps, with enough of them to be stopped.
func on(t *testing.T, text, name string, at ...float64) (float64, error) {
	t.Helper()
	p, err := Compile(text, ofVTrace)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	steps := 100_000
	return p.On([]float64{3, math.Inf(1)}, [][]float64{{1, 0, 2}, {2, 1, 3, 4}, {2, .5, 1.5}}, &steps).At(name, at...)
}

func TestATextComputesWhatItSays(t *testing.T) {
	for text, want := range map[string]float64{
		"x = 1 + 2*3 - 4/2":          5,
		"x = 2 - 3 - 4":              -5,
		"x = -(2 - 3)*-2":            -2,
		"x = if T > 2 then 7 else 8": 7,
		"x = if T = 2 then 7\nelse if T >= 3 then 9 else 8":           9,
		"x = min(3, 2, 5) + max(1, abs(-4))":                          6,
		"x = V[T] − v[0]·2":                                           0,
		"x = min(ρ̄, is[0])":                                          2,
		"x = min(ρ̄, ∞)":                                              math.Inf(1),
		"x = f(1.5, 2)\nf(a, b) = a*b":                                3,
		"x = sum[0]\nsum[T] = 0\nsum[t] = r[t] + sum[t+1]":            3,
		"sum[t] = r[t] + sum[t+1] # the end\nx = sum[0]\nsum[3] = 10": 13,
		"x = 1 +\n 2": 3, "x = (1\n + 2)": 3, "x = 1e-3*2000": 2, "x = .5": .5,
		"x = s[0, 2]\ns[a, a2] = 10*a + a2": 2,
		"Größe = 4\nx = Größe":              4,
	} {
		if got, err := on(t, text, "x"); err != nil || got != want {
			t.Errorf("%s\nis %g, %v; want %g", text, got, err, want)
		}
	}
}

func TestATextThatCannotBeReadSaysWhereAndWhy(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "no equation yet",
		"# only words":                         "no equation yet",
		"x = ":                                 "the end of the line stands where a value has to be",
		"x = 1\ny = 2 3":                       `line 2: "3" stands where the equation could end`,
		"x = (1 + 2":                           "a ) is missing",
		"x = y":                                "y is not known here; there are T, rhoBar, r, V, is, x",
		"x = r":                                "r wants one place in brackets",
		"x = T[1]":                             "T is a number",
		"r[t] = 1":                             "r is given",
		"x[r] = 1":                             "r is given",
		"x[t] = 1\nx[s] = 2":                   "line 2: line 1 says already",
		"x[t] = 1\nx = 2":                      "x has 0 places here, and one place in line 1",
		"x[t, t] = 1":                          "t stands for two places",
		"x[a, b, c, d] = 1":                    "x has 4 places; 3 are the most",
		"min = 3":                              "min is a word",
		"x = if 1 then 2":                      "after if comes a comparison",
		"x = if 1 < 2 then 3":                  "here comes else",
		"x = 1 + if 1 < 2 then 3 else 4":       "put brackets round",
		"x = min":                              "what to choose from",
		"x = 1..2":                             "is no number",
		"x = a ? b":                            "'?' is no sign",
		"= 3":                                  "begins with a name",
		"for t in T":                           "line 1: after the left side comes =",
		"x = \xff":                             "UTF-8",
		"x = " + strings.Repeat("(", 50) + "1": "nested too deeply",
		"x = " + strings.Repeat("-", 50) + "1": "nested too deeply",
		"x = 1" + strings.Repeat(" + 1", 1000): "too long",
		strings.Repeat("x = 1\n", 100):         "says already",
		numbered(MaxEquations + 1):             "more than 40 equations",
	} {
		if _, err := Compile(text, ofVTrace); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "x%d = 1\n", i)
	}
	return b.String()
}

func TestWhatNeverEndsIsStoppedWithASentence(t *testing.T) {
	for text, want := range map[string]string{
		"x = x":                          "x asks for itself",
		"x = y[0]\ny[t] = y[t]":          "y[0] asks for itself",
		"x = y[0]\ny[t] = y[t+1]":        "y goes on and on",
		"x = y[0]\ny[t] = r[t] + y[t+1]": "line 2: r[3] was asked for; there are r[0] to r[2]",
		"x = r[-1]":                      "r[-1] was asked for",
		"x = r[.5]":                      "r[0.5] was asked for",
		"x = r[0/0]":                     "r[NaN] was asked for",
		"x = y[1]\ny[0] = 1":             "no line says what y[1] is",
		"x = f(0/0)\nf(a) = f(a) + 1":    "goes on and on",
		// Each place of f asks for two others that nobody has asked for: 2 to the 200th of them.
		"x = f(0, 0)\nf(a, n) = if n > 200 then 1 else f(2*a, n+1) + f(2*a + 1, n+1)": ErrSteps.Error(),
	} {
		if got, err := on(t, text, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nis %g, %v; want %q", text, got, err, want)
		}
	}
	if _, err := on(t, "x = 1", "y"); err == nil || !strings.Contains(err.Error(), "nothing says what y is") {
		t.Error(err)
	}
}

// A value that is asked for twice is computed once, so Fibonacci's numbers cost steps by their place and no more.
func TestAValueIsComputedOnce(t *testing.T) {
	p, err := Compile("f[0] = 1\nf[1] = 1\nf[n] = f[n-1] + f[n-2]", ofVTrace)
	if err != nil {
		t.Fatal(err)
	}
	steps := 5000
	m := p.On([]float64{3, 1}, [][]float64{nil, nil, nil}, &steps)
	if x, err := m.At("f", 60); err != nil || x != 2504730781961 {
		t.Errorf("%v, %v, %d steps left", x, err, steps)
	}
	before := steps
	if _, err := m.At("f", 60); err != nil || steps != before {
		t.Errorf("asked for again it took %d steps, %v", before-steps, err)
	}
}

// Whatever somebody writes is refused or computed within its bounds, and means the same when it is read again.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		"rho[t] = min(ρ̄, is[t])\nvs[T] = V[T]\nvs[t] = V[t] + rho[t]*(r[t] + .9*V[t+1] − V[t])",
		"x = f(0/0)\nf(a) = f(a) + 1", "x = if 1 < 2 then (3) else [", "x[0] = -1e-3", "x[t, T] = x[t+1, T]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var first string
		for range 2 {
			p, err := Compile(text, ofVTrace)
			said := fmt.Sprint(err)
			if err == nil {
				steps := 20_000
				m := p.On([]float64{3, math.Inf(1)}, [][]float64{{1, 0, 2}, {2, 1, 3, 4}, {2, .5, 1.5}}, &steps)
				for _, v := range p.values {
					x, err := m.At(v.name, make([]float64, v.places)...)
					said += fmt.Sprint(x, err)
				}
				if steps < -(1+valueSteps)*len(p.values) {
					t.Errorf("it took %d steps too many", -steps)
				}
			} else if err.Error() == "" {
				t.Error("refused without a sentence")
			}
			if first == "" {
				first = said
			} else if first != said {
				t.Errorf("%q and then %q", first, said)
			}
		}
	})
}
