package page

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"impalab/learner/correct"
)

// The curve of a program is that of the correction whose weights it writes.
func TestTheCurveOfAProgramIsThatOfItsCorrection(t *testing.T) {
	for _, start := range correct.Starts {
		made, err := Weigh(url.Values{"correction": {"own"}, "program": {start.Program}, "age": {"8"}})
		var own ownCurves
		if err == nil {
			err = json.Unmarshal(made, &own)
		}
		if err != nil {
			t.Fatalf("%s: %v", start.Name, err)
		}
		switch start.Like {
		case correct.MethodOwn, correct.MethodShift, correct.MethodOneStep: // shift's curve ends where π is 1; ρ̄ is 2
			continue
		}
		for _, s := range drawnForms() {
			if s.method != start.Like {
				continue
			}
			if own.Good != s.Good[0] || own.Bad != s.Bad[0] {
				t.Errorf("%s:\n%s\n%s\nas a program\n%s\n%s", start.Name, s.Good[0], s.Bad[0], own.Good, own.Bad)
			}
		}
	}
}

func TestACurveThatCannotBeDrawnIsRefusedInASentence(t *testing.T) {
	const program = "def weight(ratio, adv, pi, mu, age): return "
	for query, want := range map[string]string{
		"correction=own&age=8&program=":                                          "must be a function weight",
		"correction=own&age=8&program=" + program + "agee":                       "line 1: there is no agee here",
		"correction=own&age=8&program=" + program + "log(0 - ratio)":             "it returned NaN for ratio=0.1, adv=1",
		"correction=own&age=8&program=" + program + "1/(adv%2B1)":                "line 1: floating-point division by zero",
		"correction=own&age=-1&program=" + program + "1":                         "must be a whole number of updates",
		"correction=own&age=8&floor=1&program=" + program + "1":                  "takes correction, program, age",
		"correction=own&age=8&program=" + strings.Repeat("x", 4001):              "of at most 4000 bytes",
		"correction=own&age=8&program=" + program + "1&program=" + program + "2": "each once",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		made, err := Weigh(values)
		said := ownCurves{Fault: fmt.Sprint(err)}
		if err == nil {
			err = json.Unmarshal(made, &said)
		}
		if !strings.Contains(said.Fault, want) || said.Good+said.Bad != "" {
			t.Errorf("%.80q: %.60q, %v; want %q", query, made, err, want)
		}
	}
}
