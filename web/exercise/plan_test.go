package exercise

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ended reads the return at the end of a row of a section of RESULTS.md.
func ended(t *testing.T, section, row string) float64 {
	t.Helper()
	text, err := os.ReadFile("../../RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n## "+section+"\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	_, cells, named := strings.Cut(rest, "\n| "+row+" | ")
	figure, _, _ := strings.Cut(cells, " ")
	v, err := strconv.ParseFloat(figure, 64)
	if !found || !named || err != nil {
		t.Fatalf("RESULTS.md has no figure of %q in %q: %v", row, section, err)
	}
	return math.Round(v)
}

// A figure that a plan says of a study is the figure of RESULTS.md.
func TestPlansSayTheFiguresOfTheResults(t *testing.T) {
	figures := regexp.MustCompile(`\d+`)
	for _, one := range []struct {
		plan, step, section string
		rows                []string // each has a figure in the words of the step
	}{
		{"first-contact", "with-v-trace", "The lag cliff", []string{"V-trace"}},
		{"stac-and-v-mpo", "stac-lag", "Self-tuning with old data", []string{"STAC, tuned", "STAC, frozen", "IMPALA"}},
		{"stac-and-v-mpo", "which-knob", "Self-tuning with old data", []string{"STAC, policy cost alone tuned",
			"STAC, all but policy cost tuned"}},
		{"stac-and-v-mpo", "poor-discount", "Poor hyperparameters", []string{"γ .9, IMPALA", "γ .9, STAC"}},
		{"stac-and-v-mpo", "frozen-control", "Poor hyperparameters", []string{"γ .9, STAC frozen"}},
	} {
		plan, err := PlanNamed(one.plan)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(plan.Steps, func(s Step) bool { return s.Name == one.step })
		if at < 0 {
			t.Fatalf("%s has no step %s", one.plan, one.step)
		}
		step := &plan.Steps[at]
		said := step.Say + " " + step.Teacher
		if step.Predict != nil {
			said += " " + step.Predict.Ask + " " + step.Predict.Reveal
			if is, want := step.Predict.Is, ended(t, one.section, one.rows[0]); is != want {
				t.Errorf("%s: %s expects %v, and RESULTS.md has %v", one.plan, one.step, is, want)
			}
		}
		for _, row := range one.rows {
			want := strconv.FormatFloat(ended(t, one.section, row), 'f', -1, 64)
			if !strings.Contains(" "+strings.Join(figures.FindAllString(said, -1), " ")+" ", " "+want+" ") {
				t.Errorf("%s: %s says %q, and not %s for %q", one.plan, one.step, said, want, row)
			}
		}
	}
}
