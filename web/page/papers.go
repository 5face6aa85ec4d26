package page

import (
	"net/url"
	"slices"
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/link"
)

// papersPath is the path of the page of the four papers below the base.
const papersPath = "papers"

// stateCount is a state of parts and how many parts of a paper are in it.
type stateCount struct {
	state trial.State
	n     int
}

// countsOf returns the states that a paper's parts are in.
func countsOf(p *trial.Paper) (all []stateCount) {
	n := p.Count()
	for _, s := range trial.States {
		if n[s] > 0 {
			all = append(all, stateCount{s, n[s]})
		}
	}
	return all
}

// sortedParts returns a paper's parts by state, parts with a verdict first.
func sortedParts(p *trial.Paper) []trial.Part {
	return slices.SortedStableFunc(slices.Values(p.Parts), func(a, b trial.Part) int {
		return slices.Index(trial.States, a.State) - slices.Index(trial.States, b.State)
	})
}

// pictured splits parts into those whose preset no part before shows, which are drawn, and the others.
func (d *Data) pictured(parts []trial.Part) (shown, rest []trial.Part) {
	seen := map[string]bool{}
	for i := range parts {
		if p := d.presetOf(&parts[i]); p != nil && !seen[p.Name] {
			seen[p.Name] = true
			shown = append(shown, parts[i])
		} else {
			rest = append(rest, parts[i])
		}
	}
	return shown, rest
}

// stateClass is the class of a state in papers.css.
func stateClass(s trial.State) string { return strings.ReplaceAll(string(s), " ", "-") }

// presetOf returns the preset that shows a part here, or nil.
func (d *Data) presetOf(p *trial.Part) *hyper.Preset {
	if preset := link.PresetOf(p.Preset); preset.Name != "" && d.trains(&preset) {
		return &preset
	}
	return nil
}

// studiesOf returns the studies that measure a part. A test of trial knows all their names.
func studiesOf(p *trial.Part) (all []*trial.Study) {
	for _, name := range p.Studies {
		if s, err := trial.LookupStudy(name); err == nil {
			all = append(all, s)
		}
	}
	return all
}

// plotsOf returns the drawn charts of a study, as files of the folder static.
func plotsOf(s *trial.Study) (files []string) {
	if s.Chart != nil {
		files = append(files, "plots/"+s.Chart.File)
	}
	for _, v := range s.Variants {
		if v.Plot != "" {
			files = append(files, "plots/"+v.Plot)
		}
	}
	return files
}

// labOf returns the part of a Lab link that trains a row of a study; "" if the Lab cannot train it here. A population
// has no such link.
func (d *Data) labOf(s *trial.Study, v *trial.Variant) string {
	name, changes := s.Changes(v)
	cfg, err := s.Config(v)
	if key, unknown := cfg.NetworkKey(); err != nil || unknown != nil || s.Population != "" ||
		d.Alone != nil && !slices.Contains(strings.Fields(d.Alone.Networks), key) {
		return ""
	}
	link := "#v=1&p=" + name
	for _, c := range append(changes, hyper.Setting{Key: hyper.PlanKey, Value: v.Turns}) {
		if c.Value != "" {
			link += "&" + c.Key + "=" + url.QueryEscape(c.Value)
		}
	}
	return link
}
