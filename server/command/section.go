package command

// A section of RESULTS.md, as reproduce makes it: heading, what the paper says, what we test, the verdict, what we
// found, the command, the table.

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

// plotFolder is where the curves of the results page are, beside it.
const plotFolder = "docs/plots"

// section is one study over its seeds.
type section struct {
	of    *trial.Study
	seeds string
	found string // what a person says of it; "": nothing yet
	rows  []*variantReport
}

// foundWord begins the paragraph that is a person's: an update leaves it as it is.
const foundWord = "Found: "

// column is a heading and what stands below it.
type column struct {
	head string
	cell func(*variantReport) string
}

var (
	columnsTrained = []column{
		{"return at the end", func(r *variantReport) string { return r.Summary.Final.Words() }},
		{"over the run", func(r *variantReport) string { return r.Summary.MeanRun.Words() }},
	}
	columnsSolved = []column{
		{"solved", func(r *variantReport) string { return fmt.Sprintf("%d of %d", r.Summary.Solved, len(r.Summary.Seeds)) }},
		{"steps to solved", func(r *variantReport) string { return r.Summary.ToSolved.Words() }},
		{"value bias", func(r *variantReport) string { return r.Summary.BiasWords() }},
	}
	columnsEvaluated = []column{
		{"greedy", func(r *variantReport) string { return r.Evaluation.Greedy.Words() }},
		{"drawn", func(r *variantReport) string { return r.Evaluation.Drawn.Words() }},
	}
	columnsEvolved = []column{
		{"mean of the members", func(r *variantReport) string { return r.Population.Members.Words() }},
		{"best member", func(r *variantReport) string { return r.Population.Best.Words() }},
	}
	columnsTurned = []column{
		{"fell", func(r *variantReport) string { return fmt.Sprintf("%d of %d", r.Turned.Fell, len(r.Summary.Seeds)) }},
		{"steps to fall", func(r *variantReport) string { return r.Turned.ToFall.Words() }},
		{"got up", func(r *variantReport) string { return fmt.Sprintf("%d of %d", r.Turned.Rose, len(r.Summary.Seeds)) }},
		{"steps to get up", func(r *variantReport) string { return r.Turned.ToRise.Words() }},
	}
	columnsFalls = []column{
		{"rose above a third", func(r *variantReport) string { return r.share(r.Falls.Rose) }},
		{"fell, by the rule", func(r *variantReport) string { return r.share(r.Falls.Fell) }},
		{"fell, by the judgement", func(r *variantReport) string { return r.share(r.Falls.Judged) }},
		{"by the rule alone", func(r *variantReport) string { return r.share(r.Falls.RuleAlone) }},
		{"by the judgement alone", func(r *variantReport) string { return r.share(r.Falls.JudgeAlone) }},
		{"ended within a tenth of its best", func(r *variantReport) string { return r.share(r.Falls.Kept) }},
		{"of these fell, by the rule", func(r *variantReport) string { return strconv.Itoa(r.Falls.KeptFell) }},
		{"steps until the rule says so", func(r *variantReport) string { return r.Falls.Told.Words() }},
	}
	columnsSettings = []column{{"settings", func(r *variantReport) string {
		all := strings.Fields(r.of.Settings)
		if r.of.Turns != "" {
			all = append(all, "t="+r.of.Turns)
		}
		text := "the preset"
		if len(all) > 0 {
			text = "`" + strings.Join(all, " ") + "`"
		}
		if r.of.Mend != "" {
			text += ", `" + r.of.Mend + "` when it is down"
		}
		return text
	}}}
)

// share is how many of the runs.
func (r *variantReport) share(n int) string { return fmt.Sprintf("%d of %d", n, len(r.Summary.Seeds)) }

// columns are those of this study.
func (s *section) columns() (all []column) {
	if s.of.Population != "" {
		return columnsEvolved
	}
	if s.of.Moments != nil {
		for i, step := range s.of.Moments {
			all = append(all, column{fmt.Sprintf("at %dk", step/1000), func(r *variantReport) string {
				return r.Turned.At[i].Words()
			}})
		}
		return append(append(all, columnsTurned...), columnsSettings...)
	}
	all = append(all, columnsTrained...)
	if s.of.Falls {
		return append(append(all, columnsFalls...), columnsSettings...)
	}
	if s.of.Episodes > 0 {
		all = append(all, columnsEvaluated...)
	}
	for i, head := range s.of.Beside {
		all = append(all, column{head, func(r *variantReport) string { return r.of.Beside[i] }})
	}
	return append(append(all, columnsSolved...), columnsSettings...)
}

// intro is the section down to its command: all of it that no run decides.
func (s *section) intro() string {
	text := fmt.Sprintf("## %s\n\n%s\n\n", s.of.Title, strings.Join(claims(s.of), "\n\n"))
	if s.found != "" {
		text += foundWord + s.found + "\n\n"
	}
	seeds := ""
	if s.seeds != s.of.SeedList() {
		seeds = " --seeds " + s.seeds
	}
	return text + fmt.Sprintf("    impalab reproduce %s%s     # seeds %s, %s steps each\n\n",
		s.of.Name, seeds, s.seeds, spaced(s.of.Budget))
}

// claims are the lines that say what a study is about.
func claims(s *trial.Study) []string {
	return []string{"Paper says: " + s.Says(), "We test: " + s.Claim, "Verdict: " + s.Verdict.String()}
}

func (s *section) head() string {
	text, rule := s.intro()+"| |", "|---|"
	for _, c := range s.columns() {
		text += " " + c.head + " |"
		rule += "---|"
	}
	return text + "\n" + rule + "\n"
}

func (s *section) row(r *variantReport) string {
	text := "| " + r.Variant + " |"
	for _, c := range s.columns() {
		text += " " + c.cell(r) + " |"
	}
	return text + "\n"
}

// foot is what follows the table: of a suite the score of each world, and the curves.
func (s *section) foot() string {
	text := "\n"
	if len(s.rows) > 0 && s.rows[0].Summary != nil && len(s.rows[0].Summary.Tasks) > 0 {
		text += "| score at the end |"
		rule := "|---|"
		for _, r := range s.rows {
			text += " " + r.Variant + " |"
			rule += "---|"
		}
		text += "\n" + rule + "\n"
		for k, task := range s.rows[0].Summary.Tasks {
			text += "| " + task.World + " |"
			for _, r := range s.rows {
				text += " " + r.Summary.Tasks[k].Score.Words() + " |"
			}
			text += "\n"
		}
		text += "\n"
	}
	for _, r := range s.rows {
		if r.of.Plot != "" {
			text += fmt.Sprintf("![%s, %d seeds](%s)\n", r.Variant, len(r.runs), path.Join(plotFolder, r.of.Plot))
		}
	}
	if !strings.HasSuffix(text, "\n\n") && text != "\n" {
		text += "\n"
	}
	return text
}

func (s *section) text() string {
	text := s.head()
	for _, r := range s.rows {
		text += s.row(r)
	}
	return text + s.foot()
}

// draw makes the curves of the variants that have a picture.
func (s *section) draw(folder string) error {
	for _, r := range s.rows {
		if r.of.Plot == "" {
			continue
		}
		curves := make([]trial.Curve, len(r.runs))
		for i := range curves {
			curves[i] = r.runs[i].Curve
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		title := fmt.Sprintf("%s: %s, %d seeds", s.of.Title, r.Variant, len(curves))
		if err := drawCurves(filepath.Join(folder, r.of.Plot), title, curves); err != nil {
			return err
		}
	}
	return nil
}

// updatable refuses a file that is not there to be updated, before anything is trained.
func updatable(file string) error {
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("--update %w; it updates a results page that is there", err)
	}
	return writable("--update", file)
}

// update puts the section in the place of the one with its heading, or in its place among the others, and leaves what
// a person found.
func (s *section) update(file string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(file, []byte(s.into(string(old))), 0o644)
}

// into is the page with this section in it, all sections in the order of the studies.
func (s *section) into(page string) string {
	parts := sections(page)
	texts := map[string]string{}
	for _, part := range parts[1:] {
		title, _, _ := strings.Cut(part, "\n")
		texts[title] = part
	}
	heading := "## " + s.of.Title
	s.found = foundIn(texts[heading])
	texts[heading] = s.text()
	out := strings.TrimRight(parts[0], "\n")
	add := func(heading string) {
		if text := texts[heading]; text != "" {
			out += "\n\n" + strings.TrimRight(text, "\n")
			delete(texts, heading)
		}
	}
	for _, p := range studies() {
		add("## " + p.Title)
	}
	for _, part := range parts[1:] { // those that are no study
		title, _, _ := strings.Cut(part, "\n")
		add(title)
	}
	return out + "\n"
}

// sections takes a page apart at its headings; the first part is what stands before them.
func sections(page string) []string {
	parts := strings.Split("\n"+page, "\n## ")
	parts[0] = strings.TrimPrefix(parts[0], "\n")
	for i := range parts[1:] {
		parts[i+1] = "## " + parts[i+1]
	}
	return parts
}

// foundIn is what a person says in a section.
func foundIn(text string) string {
	for _, paragraph := range strings.Split(text, "\n\n") {
		if found, ok := strings.CutPrefix(paragraph, foundWord); ok {
			return found
		}
	}
	return ""
}

// spaced is a whole number with its thousands apart.
func spaced(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return digits
}
