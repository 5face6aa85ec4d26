package trial

// The table of a study: a section of RESULTS.md.

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/learner/telemetry"
)

// PlotFolder holds the curves that RESULTS.md shows, relative to that file.
const PlotFolder = "static/plots"

// RunsFile returns the page that lists every run of a study, relative to the top folder.
func RunsFile(s *Study) string { return "docs/runs/" + s.Name + ".md" }

// StudyTable is the result of a study over its seeds: a section of RESULTS.md.
type StudyTable struct {
	Study *Study
	Seeds string
	Found string // a person's words about the result; "": none
	Rows  []*StudyRow
}

// Populations summarises a population for each seed.
type Populations struct {
	Seeds   []uint64   `json:"seeds"`
	Members Estimate   `json:"members"`    // the interquartile mean of a population's members
	Best    Estimate   `json:"best"`       // its fittest member
	Above   Estimate   `json:"above_half"` // share of its members above half of the way from chance to solved
	Ranked  []Estimate `json:"ranked"`     // its best member, its second best, and so on
}

// StudyRow is the result of one variant.
type StudyRow struct {
	Phenomenon string             `json:"phenomenon"`
	Label      string             `json:"variant"`
	Command    string             `json:"command"`
	Summary    *Summary           `json:"summary,omitempty"`
	Evaluation *EvaluationSummary `json:"evaluation,omitempty"`
	Population *Populations       `json:"population,omitempty"`
	Turned     *TurnedSummary     `json:"turned,omitempty"`
	Falls      *FallsSummary      `json:"falls,omitempty"`
	Spreads    []SpreadSummary    `json:"spreads,omitempty"`

	Variant *Variant `json:"-"`
	Runs    []Report `json:"-"`
}

// FoundWord begins the paragraph that a person writes.
const FoundWord = "Found: "

// Column is a column of a table: its heading and its cells.
type Column struct {
	Head string
	Cell func(*StudyRow) string
}

var (
	columnsTrained = []Column{
		{"return at the end", func(r *StudyRow) string { return r.Summary.Final.Words() }},
		{"over the run", func(r *StudyRow) string { return r.Summary.MeanRun.Words() }},
	}
	columnsSolved = []Column{
		{"solved", func(r *StudyRow) string { return r.share(r.Summary.Solved) }},
		{"steps to solved", func(r *StudyRow) string { return r.Summary.ToSolved.Words() }},
		{"value bias", func(r *StudyRow) string { return r.Summary.BiasWords() }},
	}
	columnsEvaluated = []Column{
		{"greedy", func(r *StudyRow) string { return r.Evaluation.Greedy.Words() }},
		{"drawn", func(r *StudyRow) string { return r.Evaluation.Drawn.Words() }},
	}
	columnAtChance = Column{"ended at chance", func(r *StudyRow) string { return r.share(r.atChance()) }}
	columnSpeed    = Column{"m/s, greedy", func(r *StudyRow) string { return r.Evaluation.Speed.Words() }}
	columnsEvolved = []Column{
		{"mean of the members", func(r *StudyRow) string { return r.Population.Members.Words() }},
		{"best member", func(r *StudyRow) string { return r.Population.Best.Words() }},
		{"members above half", func(r *StudyRow) string { return r.Population.Above.Words() }},
	}
	columnsTurned = []Column{
		{"fell", func(r *StudyRow) string { return r.share(r.Turned.Fell) }},
		{"steps to fall", func(r *StudyRow) string { return r.Turned.ToFall.Words() }},
		{"got up", func(r *StudyRow) string { return r.share(r.Turned.Rose) }},
		{"steps to get up", func(r *StudyRow) string { return r.Turned.ToRise.Words() }},
	}
	columnsFell = []Column{
		{"rose above a third", func(r *StudyRow) string { return r.share(r.Falls.Rose) }},
		{"fell, by the rule", func(r *StudyRow) string { return r.share(r.Falls.Fell) }},
		{"fell, by the judgement", func(r *StudyRow) string { return r.share(r.Falls.Judged) }},
	}
	columnsFalls = []Column{
		{"by the rule alone", func(r *StudyRow) string { return r.share(r.Falls.RuleAlone) }},
		{"by the judgement alone", func(r *StudyRow) string { return r.share(r.Falls.JudgeAlone) }},
		{"ended within a tenth of its best", func(r *StudyRow) string { return r.share(r.Falls.Kept) }},
		{"of these fell, by the rule", func(r *StudyRow) string { return strconv.Itoa(r.Falls.KeptFell) }},
		{"steps until the rule says so", func(r *StudyRow) string { return r.Falls.Told.Words() }},
	}
	columnSettings = Column{"settings", func(r *StudyRow) string {
		all := r.Variant.Settings
		if r.Variant.Turns != "" {
			all += " t=" + r.Variant.Turns
		}
		text := "the preset"
		if all = strings.TrimSpace(all); all != "" {
			text = "`" + all + "`"
		}
		if r.Variant.Mend != "" {
			text += ", `" + r.Variant.Mend + "` when it is down"
		}
		return text
	}}
)

// columnsSpread returns the columns of quantity i of the study, in thousandths: where a metaparameter begins and ends,
// or how large a divergence is.
func columnsSpread(i int, q *telemetry.AlgoMetric) []Column {
	column := func(head string, of func(*SpreadSummary) Estimate) Column {
		return Column{head, func(r *StudyRow) string { return of(&r.Spreads[i]).times(1000).Words() }}
	}
	if q.Tuned {
		return []Column{
			column("10³·"+q.Symbol+" in the first tenth", func(s *SpreadSummary) Estimate { return s.First }),
			column("in the last tenth", func(s *SpreadSummary) Estimate { return s.Last }),
		}
	}
	return []Column{
		column("10³·"+q.Symbol, func(s *SpreadSummary) Estimate { return s.Mean }),
		column("nine of ten below", func(s *SpreadSummary) Estimate { return s.Nine }),
	}
}

// share prints n of the runs.
func (r *StudyRow) share(n int) string { return fmt.Sprintf("%d of %d", n, len(r.Summary.Seeds)) }

// AtChance reports whether the mean return of a run's last hundred episodes is at most a twentieth of the way from the
// uniform policy to solved.
func AtChance(world *envs.Spec, returned float64) bool {
	random, solved := float64(world.Random), float64(world.Solved)
	return returned <= random+(solved-random)/20
}

// endedAtChance says of each seed whether its run ended AtChance.
func (r *StudyRow) endedAtChance() []bool {
	at := make([]bool, len(r.Runs))
	world, _, err := envs.Describe(r.Summary.World)
	if err != nil {
		return at
	}
	for i := range r.Runs {
		at[i] = AtChance(world, float64(r.Runs[i].ReturnMean100))
	}
	return at
}

// atChance counts the seeds that ended at chance.
func (r *StudyRow) atChance() (n int) {
	for _, at := range r.endedAtChance() {
		if at {
			n++
		}
	}
	return n
}

// Columns returns the columns of this study.
func (t *StudyTable) Columns() (all []Column) {
	switch s := t.Study; {
	case s.Population != "":
		all = slices.Clone(columnsEvolved)
	case s.Moments != nil:
		for i, step := range s.Moments {
			all = append(all, Column{fmt.Sprintf("at %dk", step/1000), func(r *StudyRow) string {
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
	case s.Thin:
		all = slices.Clone(columnsThin)
	case s.Quantities != nil:
		all = append(all, columnsTrained...)
		for i, name := range s.Quantities {
			all = append(all, columnsSpread(i, telemetry.LookupAlgoMetric(name))...)
		}
	default:
		all = append(all, columnsTrained...)
		if s.Episodes > 0 {
			all = append(all, columnsEvaluated...)
		}
		for i, head := range s.Beside {
			all = append(all, Column{head, func(r *StudyRow) string { return r.Variant.Beside[i] }})
		}
		if s.AtChance {
			all = append(all, columnAtChance)
		}
		all = append(all, columnsSolved...)
	}
	return append(all, columnSettings)
}

// Claims returns the lines that introduce a study.
func (s *Study) Claims() []string {
	return []string{"Paper says: " + s.Says(), "We test: " + s.Claim, "Verdict: " + s.Verdict.String()}
}

// Predicted returns what we expected of rows before their first run, a line for each; "" if the study has none.
func (s *Study) Predicted() string {
	var lines strings.Builder
	for i := range s.Variants {
		if v := &s.Variants[i]; v.Predicted != "" {
			fmt.Fprintf(&lines, "- %s: %s\n", v.Label, v.Predicted)
		}
	}
	if lines.Len() == 0 {
		return ""
	}
	return "Predicted before their first run:\n\n" + lines.String() + "\n"
}

// Head returns the section down to the table's heading: the part that no run decides.
func (t *StudyTable) Head() string {
	text := fmt.Sprintf("## %s\n\n%s\n\n", t.Study.Title, strings.Join(t.Study.Claims(), "\n\n"))
	text += t.Study.Predicted()
	if t.Found != "" {
		text += FoundWord + t.Found + "\n\n"
	}
	seeds := ""
	if t.Seeds != t.Study.SeedList() {
		seeds = " --seeds " + t.Seeds
	}
	text += fmt.Sprintf("    impalab reproduce %s%s     # seeds %s, %s steps each\n\n", t.Study.Name, seeds, t.Seeds,
		Spaced(t.Study.Budget))
	cells := []string{""}
	for _, c := range t.Columns() {
		cells = append(cells, c.Head)
	}
	return text + TableHead(cells)
}

// TableHead returns the heading of a Markdown table.
func TableHead(cells []string) string {
	return strings.Replace(TableRow(cells), "|  |", "| |", 1) + strings.Repeat("|---", len(cells)) + "|\n"
}

// TableRow returns a line of a Markdown table.
func TableRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// Line returns the line of a row.
func (t *StudyTable) Line(r *StudyRow) string {
	cells := []string{r.Label}
	for _, c := range t.Columns() {
		cells = append(cells, c.Cell(r))
	}
	return TableRow(cells)
}

// NotRun is the figure of a row that waits for its first run.
const NotRun = "not yet run"

// Waiting returns the line of a row that waits for its first run.
func (t *StudyTable) Waiting(v *Variant) string {
	cells := []string{v.Label}
	for _, c := range t.Columns() {
		if c.Head == columnSettings.Head {
			cells = append(cells, c.Cell(&StudyRow{Variant: v}))
		} else {
			cells = append(cells, NotRun)
		}
	}
	return TableRow(cells)
}

// Foot returns what follows the rows: the runs that diverged, the score of each world of a suite, the border of lag
// and rate, and the curves.
func (t *StudyTable) Foot() string {
	text := "\n" + Diverged(t.Rows) + t.Scores().markdown() + t.borders()
	if c := t.Study.Chart; c != nil {
		text += fmt.Sprintf("![%s: %s](%s)\n", t.Study.Title, cmp.Or(c.Axis, "return over steps"),
			path.Join(PlotFolder, c.File))
	}
	for _, r := range t.Rows {
		if r.Variant.Plot != "" {
			text += fmt.Sprintf("![%s, %d seeds](%s)\n", r.Label, len(r.Runs), path.Join(PlotFolder, r.Variant.Plot))
		}
	}
	if file := RunsFile(t.Study); t.Study.EveryRun {
		text += fmt.Sprintf("\nEvery run, with the hash of its parameters: [%s](%s)\n", file, file)
	}
	if !strings.HasSuffix(text, "\n\n") && text != "\n" {
		text += "\n"
	}
	return text
}

// Diverged returns the line that names the runs that diverged, of rows in their order; "" if none did.
func Diverged(rows []*StudyRow) string {
	var all []string
	for _, r := range rows {
		for i := range r.Runs {
			if one := &r.Runs[i]; one.Diverged {
				all = append(all, fmt.Sprintf("%s, seed %d: %s", r.Label, one.Seed, one.Reason))
			}
		}
	}
	if all == nil {
		return ""
	}
	return "Diverged: " + strings.Join(all, "; ") + ".\n\n"
}

// Markdown returns the whole section.
func (t *StudyTable) Markdown() string {
	text := t.Head()
	for _, r := range t.Rows {
		text += t.Line(r)
	}
	return text + t.Ending(text)
}

// Ending returns the rest of a section whose rows are the last lines of text: its foot, and how the verdict follows.
func (t *StudyTable) Ending(text string) string {
	foot := t.Foot()
	if said := t.Study.Compared(text + foot); said != "" {
		foot = "\n" + strings.TrimLeft(strings.TrimRight(foot, "\n")+"\n\n", "\n") + said
	}
	return foot
}

// Spaced returns a whole number with a space between its thousands.
func Spaced(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return digits
}

// Scored reports whether the rows are of several worlds, whose returns only their scores compare.
func (t *StudyTable) Scored() bool {
	return slices.ContainsFunc(t.Rows, func(r *StudyRow) bool {
		return r.Summary != nil && r.Summary.World != t.Rows[0].Summary.World
	})
}
