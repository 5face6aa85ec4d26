package trial

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"impalab/learner/hyper"
)

//go:embed papers.yaml
var papersFile []byte

// Paper is one of the four papers, with all that it proposes and shows. The fifth has the parts of later papers, whose
// places begin with the paper.
type Paper struct {
	Paper        string
	Title, Venue string       // as printed; of the fifth ""
	Algos        []hyper.Algo // the algorithms that it proposes
	Lessons      []string     // names of the lessons that teach it
	Parts        []Part
}

// ID is the name of a paper in addresses.
func (p *Paper) ID() string { return strings.ReplaceAll(strings.ToLower(p.Paper), " ", "-") }

// PaperOf returns the paper that proposes an algorithm, or nil.
func PaperOf(algo hyper.Algo) *Paper {
	for i := range Papers() {
		if p := &Papers()[i]; slices.Contains(p.Algos, algo) {
			return p
		}
	}
	return nil
}

// Later is the heading of the parts of later papers.
const Later = "Since then"

// Part is a method, an ablation, a figure or a table of a paper.
type Part struct {
	Part, At string   // its name, and its place in the paper
	Code     []string // files and folders of this repository, from its top
	Settings []string // keys of settings
	Preset   string   // a preset that shows it; "": none
	Studies  []string // names of studies that measure it
	State    State
	Why      string // the reason of NotTried
}

// State is a verdict, or says why a part has none.
type State = Verdict

const (
	Built    State = "built"     // code and tests exist; the paper makes no claim that a study could test
	NotTried State = "not tried" // the part is missing, or no study measures it
)

// Papers returns the four papers, and the parts of later ones.
var Papers = sync.OnceValue(func() (papers []Paper) {
	in := yaml.NewDecoder(bytes.NewReader(papersFile))
	in.KnownFields(true)
	if err := in.Decode(&papers); err != nil { // a test reads the file
		panic(err)
	}
	return papers
})

// States lists the states in the order of a summary.
var States = []State{Appears, AppearsInPart, DoesNotAppear, Contradicts, Open, Built, NotTried}

// Count returns the number of parts in each state.
func (p *Paper) Count() map[State]int {
	n := map[State]int{}
	for i := range p.Parts {
		n[p.Parts[i].State]++
	}
	return n
}

const papersHead = `# The papers, part by part

Each row is a method, an ablation, a figure or a table of one of the four papers, or, since then, of a later one on
policy lag in the training of language models. The columns say where it is here and whether the paper's claim appears at
the scale of a laptop. [Corrections since 2025](corrections.md) says what we read of the later papers.

| state | meaning |
|---|---|
| appears, appears in part, does not appear, contradicts, open | the verdict of a study, in [RESULTS](../RESULTS.md) |
| built | code and tests exist, and the paper makes no claim for a study to test |
| not tried | the part is missing, or no study measures it; the row says why |

`

// PapersMarkdown returns docs/papers.md.
func PapersMarkdown() string {
	var b strings.Builder
	b.WriteString("<!-- Written by go -C tools run ./results papers from learner/trial/papers.yaml. -->\n\n" + papersHead)
	b.WriteString("| paper |")
	for _, s := range States {
		fmt.Fprintf(&b, " %s |", s)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(States)) + "\n")
	for i := range Papers() {
		p := &Papers()[i]
		n := p.Count()
		fmt.Fprintf(&b, "| [%s](#%s) |", p.Paper, p.ID())
		for _, s := range States {
			fmt.Fprintf(&b, " %d |", n[s])
		}
		b.WriteByte('\n')
	}
	for i := range Papers() {
		p := &Papers()[i]
		fmt.Fprintf(&b, "\n## %s\n\n| part | in the paper | here | preset | study | state |\n", p.Paper)
		b.WriteString("|---|---|---|---|---|---|\n")
		for j := range p.Parts {
			b.WriteString(p.Parts[j].row())
		}
	}
	return b.String()
}

func (p *Part) row() string {
	var here, studies []string
	for _, file := range p.Code {
		here = append(here, fmt.Sprintf("[%s](../%s)", file, file))
	}
	for _, key := range p.Settings {
		here = append(here, "`"+key+"`")
	}
	for _, name := range p.Studies {
		studies = append(studies, "`"+name+"`")
	}
	preset, state := p.Preset, string(p.State)
	if preset != "" {
		preset = "`" + preset + "`"
	}
	if p.Why != "" {
		state += ". " + p.Why
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", p.Part, p.At, strings.Join(here, ", "), preset,
		strings.Join(studies, ", "), state)
}
