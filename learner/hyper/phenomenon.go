package hyper

import (
	"fmt"
	"strings"
)

// Phenomenon is an effect of a paper at a scale that a laptop reaches: one preset and the settings to hold against each
// other, among them the control that could overturn what is said of it.
type Phenomenon struct {
	Name, Title string
	Claim       string // what the paper says, or a claim of our own
	Paper       string
	Preset      string
	Budget      string   // environment steps
	Seeds       string   // "": StudySeeds
	Episodes    int      // that the policy at the end is evaluated by; 0: it is not
	Population  string   // genes of a population for each seed, as evolve takes them; "": a run for each seed
	Beside      []string // headings of what others report
	Variants    []Variant
}

// StudySeeds have chosen no setting of any preset.
const StudySeeds = "2001-2008"

// Variant is the preset with some settings changed, and what to call it.
type Variant struct {
	Label, Settings string
	Beside          []string // what others report, in the order of the phenomenon's headings
	Plot            string   // file in docs/plots that its curves are drawn into; "": none
	Alone           bool     // of a population: no member ever copies another
}

// LookupPhenomenon finds one by name; its error names the nearest.
func LookupPhenomenon(name string) (*Phenomenon, error) {
	names := make([]string, len(Phenomena))
	for i := range Phenomena {
		if Phenomena[i].Name == name {
			return &Phenomena[i], nil
		}
		names[i] = Phenomena[i].Name
	}
	return nil, fmt.Errorf("no phenomenon is called %q%s", name, DidYouMean(name, names,
		"; known are "+strings.Join(names, ", ")))
}

// Config is the preset of the phenomenon, or the variant's own, with the settings of that variant.
func (p *Phenomenon) Config(v *Variant) (Config, error) {
	preset, changes := p.parts(v)
	c, _, unknown, err := FromSettings(append([]Setting{{"preset", preset}, {"steps", p.Budget}}, changes...))
	if err == nil && len(unknown) > 0 {
		err = fmt.Errorf("unknown setting %q", unknown[0])
	}
	if err != nil {
		return c, fmt.Errorf("phenomenon %s, %s: %w", p.Name, v.Label, err)
	}
	return c, nil
}

// Command is what to type to train one variant alone.
func (p *Phenomenon) Command(v *Variant) string {
	preset, changes := p.parts(v)
	command := "impalab train"
	switch {
	case p.Population != "":
		command = "impalab evolve"
	case p.Episodes > 0:
		command = "impalab eval"
	}
	command += " --preset " + preset + " --steps " + p.Budget
	for _, s := range changes {
		command += " --set " + s.Key + "=" + s.Value
	}
	for _, gene := range strings.Fields(p.Population) {
		command += " --gene " + gene
	}
	if v.Alone {
		command += " --burn-in " + p.Budget
	}
	return command
}

// SeedList is the seeds of its table.
func (p *Phenomenon) SeedList() string {
	if p.Seeds == "" {
		return StudySeeds
	}
	return p.Seeds
}

// parts is the preset of a variant and what it changes.
func (p *Phenomenon) parts(v *Variant) (preset string, changes []Setting) {
	preset = p.Preset
	for _, pair := range strings.Fields(v.Settings) {
		key, value, _ := strings.Cut(pair, "=")
		if key == "preset" {
			preset = value
			continue
		}
		changes = append(changes, Setting{key, value})
	}
	return preset, changes
}
