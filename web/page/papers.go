package page

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/lesson"
	"impalab/web/link"
)

// papersPath is the path of the page of the papers below the base.
const papersPath = "papers"

// paperURL returns the address of an algorithm's paper on that page, or of the page: A2C is of no paper there.
func (d *Data) paperURL(algo hyper.Algo) string {
	if p := trial.PaperOf(algo); p != nil {
		return d.Base + papersPath + "#" + p.ID()
	}
	return d.Base + papersPath
}

// printedBy says who printed a paper, and where.
func printedBy(p *trial.Paper) string {
	for _, a := range hyper.Algorithms {
		if len(p.Algos) > 0 && a.Name == p.Algos[0] {
			return a.Paper + ", " + p.Venue
		}
	}
	return ""
}

// presetsOf returns the presets that train an algorithm of a paper here.
func (d *Data) presetsOf(p *trial.Paper) (all []hyper.Preset) {
	for _, preset := range hyper.Presets {
		if cfg := preset.Config(); slices.Contains(p.Algos, cfg.Algo) && d.trains(&preset) {
			all = append(all, preset)
		}
	}
	return all
}

// lessonsOf returns the lessons that teach a paper. A test knows all their names.
func lessonsOf(p *trial.Paper) (all []*lesson.Lesson) {
	for _, name := range p.Lessons {
		if l, err := lesson.Find(name); err == nil {
			all = append(all, l)
		}
	}
	return all
}

// printedForm is a correction under the name that a paper gives it.
type printedForm struct {
	*form
	name
}

// year is the year of the source's number at arXiv.
func (p *printedForm) year() string { return "20" + arxiv.FindStringSubmatch(p.source)[2] }

// formsOf returns the corrections of a paper, in the order of their page. The fifth entry stands for all other papers
// that have a number at arXiv.
func formsOf(p *trial.Paper) (all []printedForm) {
	for i := range forms {
		of, _, _ := strings.Cut(correct.Corrections[forms[i].method].Paper, " ")
		for _, n := range forms[i].names {
			four := slices.ContainsFunc(trial.Papers(), func(q trial.Paper) bool {
				id := arxiv.FindString(printedBy(&q))
				return id != "" && strings.Contains(n.source, id) || strings.HasPrefix(n.source, q.Paper)
			})
			switch later := p.Paper == trial.Later; {
			case later && !four && arxiv.MatchString(n.source), !later && four && of == p.Paper:
				all = append(all, printedForm{&forms[i], n})
			}
		}
	}
	return all
}

// arxiv matches a paper's number at arXiv, which begins with its year and month.
var arxiv = regexp.MustCompile(`arXiv:((\d\d)\d\d\.\d{5})`)

// piece is a part of a text: a number at arXiv with its address, or words.
type piece struct{ words, link string }

// pieces splits a text at numbers of arXiv.
func pieces(text string) (all []piece) {
	last := 0
	for _, at := range arxiv.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, piece{words: text[last:at[0]]},
			piece{text[at[0]:at[1]], "https://arxiv.org/abs/" + text[at[2]:at[3]]})
		last = at[1]
	}
	return append(all, piece{words: text[last:]})
}

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
