package lesson

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Evidence supports the figures of a step. The page draws it, so text and figure have one source. `go test
// ./server/command -run Lessons -timeout 0 -lessons all` trains every row again, and the tests of package quantity
// compute the exact ones.
type Evidence struct {
	Figure string  `yaml:"figure"` // its title
	Show   string  `yaml:"show"`   // figure of a run that the bars show: end, run, solved, steps, bias or fallen
	From   float64 `yaml:"from"`   // of the bars' axis
	To     float64 `yaml:"to"`
	Log    bool    `yaml:"log"`
	Unit   string  `yaml:"unit"`
	Rows   []Row   `yaml:"rows"`
	Grid   *Grid   `yaml:"grid"` // beside the question the rows stand in a table; nil: no such table
}

// Grid is a table of runs by the values of two settings.
type Grid struct {
	Title  string `yaml:"title"`
	Across string `yaml:"across"` // a setting
	Name   string `yaml:"name"`   // of its values
	Up     string `yaml:"up"`
}

// Row is one figure: measured by a training command, computed as a quantity, or checked by a test of this repository.
type Row struct {
	Name  string `yaml:"name"`
	Tone  string `yaml:"tone"`  // colour of its bar
	Given bool   `yaml:"given"` // shown before the reader's prediction
	Aside bool   `yaml:"aside"` // supports a sentence only and has no bar

	Train  string       `yaml:"train"`  // flags of impalab train
	End    string       `yaml:"end"`    // mean return at the end, over seeds, like 495 [468, 498]
	Run    string       `yaml:"run"`    // mean return averaged over the run
	Solved string       `yaml:"solved"` // seeds that solved the world, like 8 of 8
	Steps  string       `yaml:"steps"`  // median steps until then
	Bias   string       `yaml:"bias"`   // bias of the values at the end
	Fallen string       `yaml:"fallen"` // seeds that end below 100, like 14 of 24
	KL     string       `yaml:"kl"`     // KL(π‖μ) of the last batch, of a single seed
	Trace  string       `yaml:"trace"`  // last value of a telemetry quantity, of a single seed, like policy-cost 0.03
	Curve  [][2]float64 `yaml:"curve"`  // mean returns of the first seed, each after a number of steps
	Ends   []float64    `yaml:"ends"`   // mean return at the end of each seed

	Exact string  `yaml:"exact"` // a quantity and its arguments, like "destination rho=1"
	Is    float64 `yaml:"is"`    // its value, to 1e-6
	Says  string  `yaml:"says"`  // its value as the text rounds it; ""

	Test string `yaml:"test"` // a package and a test, like learner/correct TestGoldenVTrace; no bar
}

// TestCommand returns the command that runs a row's test.
func (r *Row) TestCommand() string {
	folder, name, _ := strings.Cut(r.Test, " ")
	return "go test ./" + folder + " -run '^" + name + "$'"
}

// Figure is a value with its interval, or with low and high equal to the value.
type Figure struct{ Mean, Low, High float64 }

// Field returns a claim by name, or "".
func (r *Row) Field(name string) string {
	claims := []string{r.End, r.Run, r.Solved, r.Steps, r.Bias, r.Fallen, r.KL, r.Trace}
	if i := slices.Index(Fields, name); i >= 0 {
		return claims[i]
	}
	return ""
}

// Fields are the names of the claims of a trained row.
var Fields = []string{"end", "run", "solved", "steps", "bias", "fallen", "kl", "trace"}

// Value returns the figure of the row's bar.
func (r *Row) Value(show string) (Figure, error) {
	if r.Exact != "" {
		return Figure{r.Is, r.Is, r.Is}, nil
	}
	if r.Field(show) == "" {
		return Figure{}, fmt.Errorf("row %q has no %s", r.Name, show)
	}
	return ParseFigure(r.Field(show))
}

var number = regexp.MustCompile(`[-−]?[0-9]+(?:\.[0-9]+)?`)

// ParseFigure reads 495, 495 [468, 498] or 14 of 24. The first number is the value. Thousands may be separated.
func ParseFigure(text string) (Figure, error) {
	var list []float64
	for _, n := range number.FindAllString(strings.ReplaceAll(text, "\u202f", ""), -1) {
		v, err := strconv.ParseFloat(strings.Replace(n, "−", "-", 1), 64)
		if err != nil {
			return Figure{}, err
		}
		list = append(list, v)
	}
	switch {
	case len(list) == 3:
		return Figure{list[0], list[1], list[2]}, nil
	case len(list) == 1, len(list) == 2 && strings.Contains(text, " of "):
		return Figure{list[0], list[0], list[0]}, nil
	}
	return Figure{}, fmt.Errorf("figure %q: want one like 495, 495 [468, 498] or 14 of 24", text)
}

// unit returns the unit of a printed number's last digit.
func unit(text string) float64 {
	first := number.FindString(strings.ReplaceAll(text, "\u202f", ""))
	_, decimals, _ := strings.Cut(first, ".")
	u := 1.0
	for range decimals {
		u /= 10
	}
	return u
}

// Agrees reports whether a measured figure equals the claim in the text, up to the last printed digit of each number.
func Agrees(claim string, measured Figure) bool {
	said, err := ParseFigure(claim)
	if err != nil {
		return false
	}
	half := unit(claim)/2 + tiny
	near := func(a, b float64) bool { return a-b <= half && b-a <= half }
	if !near(said.Mean, measured.Mean) {
		return false
	}
	return !strings.Contains(claim, "[") || near(said.Low, measured.Low) && near(said.High, measured.High)
}
