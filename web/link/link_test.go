package link

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

func TestEscapesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		var b strings.Builder
		b.WriteString(escape(s))
		if unescape(b.String()) != s || strings.ContainsAny(b.String(), "&=#% ") && !strings.Contains(b.String(), "%") {
			t.Fatalf("%q → %q → %q", s, b.String(), unescape(b.String()))
		}
	})
	for _, odd := range []string{"%", "%a", "%zz", "100%"} {
		if unescape(odd) != odd {
			t.Errorf("%q became %q", odd, unescape(odd))
		}
	}
}

// A link to two columns keeps the programs of each plan whole, although one value of a message cannot hold both.
func TestALinkKeepsThePlansOfItsColumns(t *testing.T) {
	program := func(n int) string {
		return "def weight(ratio, adv, pi, mu, age): return 1 # in 3,4:" + strings.Repeat("x", n)
	}
	plan := func(step uint64, values ...string) (turns []hyper.PlannedChange) {
		for i, value := range values {
			change, err := hyper.ParseChange("program", value)
			if err != nil {
				t.Fatal(err)
			}
			turns = append(turns, hyper.PlannedChange{Step: step + uint64(i), Change: change})
		}
		return turns
	}
	plans := [][]hyper.PlannedChange{plan(10, program(3000), program(2000)), plan(20, program(1), program(3500))}
	var columns []Link
	for _, turns := range plans {
		l := Parse("p=lag-cliff&correction=own")
		l.Settings = append(l.Settings, Plan(turns)...)
		columns = append(columns, l)
	}
	links, problem := Columns(Together(columns, 0))
	if problem != "" || len(links) != 2 {
		t.Fatalf("%d columns, %q", len(links), problem)
	}
	for i, text := range links {
		l := Parse(text)
		_, _, problems := l.Config()
		if got := l.Planned(); len(problems) > 0 || !slices.Equal(got, plans[i]) {
			t.Errorf("column %s: %d changes, %v", Letter(i), len(got), problems)
		}
		if _, err := wire.Append(nil, &wire.Hello{Settings: l.Valid()}); err != nil {
			t.Error(err)
		}
	}
}
