package command

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/trial"
)

// PlotFolder holds the curves that RESULTS.md shows, relative to that file.
const PlotFolder = "static/plots"

// StudyTable is the result of a study over its seeds: a section of RESULTS.md.
type StudyTable struct {
	Study *trial.Study
	Seeds string
	Found string // a person's words about the result; "": none
	Rows  []*StudyRow
}

// StudyRow is the result of one variant.
type StudyRow struct {
	Phenomenon string                   `json:"phenomenon"`
	Label      string                   `json:"variant"`
	Command    string                   `json:"command"`
	Summary    *trial.Summary           `json:"summary,omitempty"`
	Evaluation *trial.EvaluationSummary `json:"evaluation,omitempty"`
	Population *Populations             `json:"population,omitempty"`
	Turned     *trial.TurnedSummary     `json:"turned,omitempty"`
	Falls      *trial.FallsSummary      `json:"falls,omitempty"`

	Variant *trial.Variant `json:"-"`
	Runs    []trial.Report `json:"-"`
}

// FoundWord begins the paragraph that a person writes.
const FoundWord = "Found: "

// column is a column of a table: its heading and its cells.
type column struct {
	head string
	cell func(*StudyRow) string
}

var (
	columnsTrained = []column{
		{"return at the end", func(r *StudyRow) string { return r.Summary.Final.Words() }},
		{"over the run", func(r *StudyRow) string { return r.Summary.MeanRun.Words() }},
	}
	columnsSolved = []column{
		{"solved", func(r *StudyRow) string { return r.share(r.Summary.Solved) }},
		{"steps to solved", func(r *StudyRow) string { return r.Summary.ToSolved.Words() }},
		{"value bias", func(r *StudyRow) string { return r.Summary.BiasWords() }},
	}
	columnsEvaluated = []column{
		{"greedy", func(r *StudyRow) string { return r.Evaluation.Greedy.Words() }},
		{"drawn", func(r *StudyRow) string { return r.Evaluation.Drawn.Words() }},
	}
	columnSpeed    = column{"m/s, greedy", func(r *StudyRow) string { return r.Evaluation.Speed.Words() }}
	columnsEvolved = []column{
		{"mean of the members", func(r *StudyRow) string { return r.Population.Members.Words() }},
		{"best member", func(r *StudyRow) string { return r.Population.Best.Words() }},
		{"members above half", func(r *StudyRow) string { return r.Population.Above.Words() }},
	}
	columnsTurned = []column{
		{"fell", func(r *StudyRow) string { return r.share(r.Turned.Fell) }},
		{"steps to fall", func(r *StudyRow) string { return r.Turned.ToFall.Words() }},
		{"got up", func(r *StudyRow) string { return r.share(r.Turned.Rose) }},
		{"steps to get up", func(r *StudyRow) string { return r.Turned.ToRise.Words() }},
	}
	columnsFell = []column{
		{"rose above a third", func(r *StudyRow) string { return r.share(r.Falls.Rose) }},
		{"fell, by the rule", func(r *StudyRow) string { return r.share(r.Falls.Fell) }},
		{"fell, by the judgement", func(r *StudyRow) string { return r.share(r.Falls.Judged) }},
	}
	columnsFalls = []column{
		{"by the rule alone", func(r *StudyRow) string { return r.share(r.Falls.RuleAlone) }},
		{"by the judgement alone", func(r *StudyRow) string { return r.share(r.Falls.JudgeAlone) }},
		{"ended within a tenth of its best", func(r *StudyRow) string { return r.share(r.Falls.Kept) }},
		{"of these fell, by the rule", func(r *StudyRow) string { return strconv.Itoa(r.Falls.KeptFell) }},
		{"steps until the rule says so", func(r *StudyRow) string { return r.Falls.Told.Words() }},
	}
	columnSettings = column{"settings", func(r *StudyRow) string {
		all := strings.Fields(r.Variant.Settings)
		if r.Variant.Turns != "" {
			all = append(all, "t="+r.Variant.Turns)
		}
		text := "the preset"
		if len(all) > 0 {
			text = "`" + strings.Join(all, " ") + "`"
		}
		if r.Variant.Mend != "" {
			text += ", `" + r.Variant.Mend + "` when it is down"
		}
		return text
	}}
)

// share prints n of the runs.
func (r *StudyRow) share(n int) string { return fmt.Sprintf("%d of %d", n, len(r.Summary.Seeds)) }

// columns returns the columns of this study.
func (t *StudyTable) columns() (all []column) {
	switch s := t.Study; {
	case s.Population != "":
		all = slices.Clone(columnsEvolved)
	case s.Moments != nil:
		for i, step := range s.Moments {
			all = append(all, column{fmt.Sprintf("at %dk", step/1000), func(r *StudyRow) string {
				return r.Turned.At[i].Words()
			}})
		}
		switch {
		case s.Episodes > 0:
			all = append(append(all, columnsEvaluated...), columnSpeed)
		case s.Falls:
			all = append(all, columnsFell...)
		default:
			all = append(all, columnsTurned...)
		}
	case s.Falls:
		all = slices.Concat(columnsTrained, columnsFell, columnsFalls)
	default:
		all = append(all, columnsTrained...)
		if s.Episodes > 0 {
			all = append(all, columnsEvaluated...)
		}
		for i, head := range s.Beside {
			all = append(all, column{head, func(r *StudyRow) string { return r.Variant.Beside[i] }})
		}
		all = append(all, columnsSolved...)
	}
	return append(all, columnSettings)
}

// claims returns the lines that introduce a study.
func claims(s *trial.Study) []string {
	return []string{"Paper says: " + s.Says(), "We test: " + s.Claim, "Verdict: " + s.Verdict.String()}
}

// Head returns the section down to the table's heading: the part that no run decides.
func (t *StudyTable) Head() string {
	text := fmt.Sprintf("## %s\n\n%s\n\n", t.Study.Title, strings.Join(claims(t.Study), "\n\n"))
	if t.Found != "" {
		text += FoundWord + t.Found + "\n\n"
	}
	seeds := ""
	if t.Seeds != t.Study.SeedList() {
		seeds = " --seeds " + t.Seeds
	}
	text += fmt.Sprintf("    impalab reproduce %s%s     # seeds %s, %s steps each\n\n", t.Study.Name, seeds, t.Seeds,
		spaced(t.Study.Budget))
	cells := []string{""}
	for _, c := range t.columns() {
		cells = append(cells, c.head)
	}
	return text + heading(cells)
}

// heading returns the heading of a Markdown table.
func heading(cells []string) string {
	return strings.Replace(tableRow(cells), "|  |", "| |", 1) + strings.Repeat("|---", len(cells)) + "|\n"
}

func tableRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

func (t *StudyTable) row(r *StudyRow) string {
	cells := []string{r.Label}
	for _, c := range t.columns() {
		cells = append(cells, c.cell(r))
	}
	return tableRow(cells)
}

// foot returns what follows the rows: the score of each world of a suite, and the curves.
func (t *StudyTable) foot() string {
	text := "\n" + t.scores()
	if c := t.Study.Chart; c != nil {
		text += fmt.Sprintf("![%s: %s](%s)\n", t.Study.Title, c.Axis, path.Join(PlotFolder, c.File))
	}
	for _, r := range t.Rows {
		if r.Variant.Plot != "" {
			text += fmt.Sprintf("![%s, %d seeds](%s)\n", r.Label, len(r.Runs), path.Join(PlotFolder, r.Variant.Plot))
		}
	}
	if !strings.HasSuffix(text, "\n\n") && text != "\n" {
		text += "\n"
	}
	return text
}

// Markdown returns the whole section.
func (t *StudyTable) Markdown() string {
	text := t.Head()
	for _, r := range t.Rows {
		text += t.row(r)
	}
	return text + t.foot()
}

// spaced returns a whole number with a space between its thousands.
func spaced(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return digits
}
