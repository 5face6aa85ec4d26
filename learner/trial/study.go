package trial

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"impalab/learner/hyper"
)

//go:embed studies.yaml
var studiesFile []byte

// file returns the contents of studies.yaml. A test reads it, so it has no faults.
var file = sync.OnceValue(func() (f struct {
	Studies    []Study
	Searched   []Search
	Quotations map[string]Quotation
}) {
	in := yaml.NewDecoder(bytes.NewReader(studiesFile))
	in.KnownFields(true)
	if err := in.Decode(&f); err != nil {
		panic(err)
	}
	for i := range f.Studies {
		if err := f.Studies[i].expand(); err != nil {
			panic(err)
		}
	}
	return f
})

// expand repeats each variant for each value of each axis, and gives the predictions to their rows.
func (s *Study) expand() error {
	for _, axis := range s.Each {
		var all []Variant
		for _, v := range s.Variants {
			for _, value := range axis.Values {
				one := v
				one.Label += ", " + axis.Key + " " + value
				one.Settings = strings.TrimSpace(v.Settings + " " + axis.Key + "=" + value)
				all = append(all, one)
			}
		}
		s.Variants = all
	}
	for _, p := range s.Predictions {
		v := s.row(p.Of)
		if v == nil {
			return fmt.Errorf("study %s predicts %q, which is no row", s.Name, p.Of)
		}
		v.Predicted = strings.TrimSpace(v.Predicted + " " + p.Says)
		if p.Result != "" {
			v.Predicted += " *" + p.Result + "*"
		}
	}
	return nil
}

// Studies returns every comparison that `impalab reproduce` knows, in the order of RESULTS.md.
func Studies() []Study { return file().Studies }

// Searched returns the later seeds that chose a setting or a rule.
func Searched() []Search { return file().Searched }

// Search is a list of seeds that chose something, so that no table may report them.
type Search struct{ Seeds, Chose string }

// Quotation is a passage of a paper, word for word.
type Quotation struct{ Paper, Place, Text string }

// String returns the passage with its source.
func (q Quotation) String() string { return fmt.Sprintf("“%s” (%s, %s)", q.Text, q.Paper, q.Place) }

// Study tests an effect of a paper at a scale that a laptop reaches: one preset and the settings to compare, among them
// the control that could refute the claim.
type Study struct {
	Name, Title string
	Claim       string       // the tested claim, in our words
	Quotes      []string     // the paper's own words, by name of the quotation; none: the papers do not make the claim
	Verdict     Verdict      // the runs' answer to the paper's words
	Compares    []Comparison `yaml:"compare"`
	Judged      string       // why no comparison of two rows decides, and how a person judged
	InPart      string       `yaml:"in-part"` // why the words appear in part at most
	// OwnConditions says that the rows meet all conditions of the paper's words, so that the opposite contradicts them.
	OwnConditions bool `yaml:"own-conditions"`
	Preset        string
	Budget        string   // environment steps
	Seeds         string   // "": StudySeeds
	Episodes      int      // of the evaluation at the end; 0: there is none
	Population    string   // genes of a population for each seed, as evolve takes them; "": a run for each seed
	Members       int      // of a population; 0: eight
	Grid          bool     // each member of a population has one cell of the grid of the genes' values
	Beside        []string // headings of others' results
	Moments       []uint64 // steps at which the return is recorded; nil: it is not
	Falls         bool     // watch the runs for falls
	Thin          bool     // compare when the effective sample becomes small with when the return falls
	Quantities    []string // names in telemetry's table, recorded over the updates of each run
	Chart         *Chart   // of the rows; nil: none
	EveryRun      bool     `yaml:"every-run"` // a page lists every run with the hash of its parameters
	AtChance      bool     `yaml:"at-chance"` // the table counts the seeds that end at chance
	Border        bool     // its axes are lr and lag: the border between seeds that learn and seeds that end at chance
	Variants      []Variant
	Each          []Axis       // repeat each variant for each value, the first axis outside
	Predictions   []Prediction // of single rows among them
}

// Axis is a setting and its values. A row's label ends with ", key value".
type Axis struct {
	Key    string
	Values []string
}

// Prediction is our prediction of a row, committed before the first run, and how it came out; "": it has not been run.
type Prediction struct{ Of, Says, Result string }

// Chart draws the rows of a study as levels with intervals. A row's label is the name of its line, a comma, and its
// place on the horizontal axis. Of populations the places are the ranks of the members, and each row is a line.
// Without an axis it draws each row's return over environment steps.
type Chart struct {
	File   string // in static/plots
	Axis   string // name of the horizontal axis; "": environment steps
	Apart  bool   // the places have no order: no line joins them
	Run    bool   // draw the return over the run, not at the end
	Scores bool   // draw the scores of the worlds of a suite
}

// StudySeeds were not used to choose any preset's settings.
const StudySeeds = "2001-2008"

// Variant is the preset with some settings changed, and its name.
type Variant struct {
	Label, Settings string
	Beside          []string // others' results, in the order of the study's headings
	Plot            string   // file in static/plots for its curves; "": none
	Alone           bool     // of a population: no member ever copies another
	Turns           string   // planned changes, as links spell them
	Mend            string   // a change as soon as the run is down
	Predicted       string   // our prediction, committed before the first run; "": none
}

// Cut returns the line and the place of a variant in the chart of its study.
func (c *Chart) Cut(label string) (line, place string) {
	at := strings.LastIndex(label, ", ")
	if at < 0 {
		return label, ""
	}
	return label[:at], strings.TrimPrefix(label[at+2:], c.Axis+" ")
}

// Says returns the papers' words about the claim.
func (s *Study) Says() string {
	if len(s.Quotes) == 0 {
		return NotInThePaper.String()
	}
	said := make([]string, len(s.Quotes))
	for i, name := range s.Quotes {
		said[i] = file().Quotations[name].String()
	}
	return strings.Join(said, "; ")
}

// Script returns the moments and the planned changes of a variant's runs; nil: there are none.
func (s *Study) Script(v *Variant) (*Script, error) {
	if v.Turns == "" && s.Moments == nil {
		return nil, nil
	}
	c, err := s.Config(v)
	if err != nil {
		return nil, err
	}
	script := &Script{Moments: s.Moments}
	if script.Turns, err = hyper.ParsePlan(v.Turns); err == nil {
		err = c.CheckPlan(script.Turns, 0)
	}
	if key, value, mends := strings.Cut(v.Mend, "="); mends && err == nil {
		var change hyper.Change
		change, err = hyper.ParseChange(key, value)
		script.Mend = []hyper.Change{change}
	}
	if err != nil {
		return nil, fmt.Errorf("phenomenon %s, %s: %w", s.Name, v.Label, err)
	}
	return script, nil
}

// LookupStudy finds a study by name. The error names the nearest.
func LookupStudy(name string) (*Study, error) {
	var names []string
	for i := range Studies() {
		s := &Studies()[i]
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, hyper.Unknown("phenomenon", name, names, "impalab reproduce lists all")
}

// Config returns the configuration of a variant.
func (s *Study) Config(v *Variant) (hyper.Config, error) {
	preset, changes := s.Changes(v)
	c, _, unknown, err := hyper.FromSettings(append([]hyper.Setting{{Key: "preset", Value: preset},
		{Key: "steps", Value: s.Budget}}, changes...))
	if err == nil && len(unknown) > 0 {
		err = fmt.Errorf("unknown setting %q", unknown[0])
	}
	if err != nil {
		return c, fmt.Errorf("phenomenon %s, %s: %w", s.Name, v.Label, err)
	}
	return c, nil
}

// SeedList returns the seeds of the study.
func (s *Study) SeedList() string {
	if s.Seeds == "" {
		return StudySeeds
	}
	return s.Seeds
}

// Changes returns the preset of a variant and its changes.
func (s *Study) Changes(v *Variant) (preset string, changes []hyper.Setting) {
	preset = s.Preset
	all, err := hyper.ParseText(v.Settings)
	if err != nil {
		panic("trial: " + v.Label + ": " + err.Error()) // a test reads every study
	}
	for _, s := range all {
		if s.Key == "preset" {
			preset = s.Value
			continue
		}
		changes = append(changes, s)
	}
	return preset, changes
}
