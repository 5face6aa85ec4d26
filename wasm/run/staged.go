package run

import (
	"slices"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/learner/collapse"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/link"
)

// Staged returns the words on a run's stage: the first setting in which it differs from another column, its score and
// what the score counts. While the agent lies on the floor, that is the length of the episode that fell. Weak: the run
// fell and has not recovered.
func (m *Run) Staged() (name, score, unit string, weak bool) {
	weak = m.down() && !m.Cursor.Held
	if m.Tumble.Lies() && m.framed() == nil {
		if score, unit, ok := m.Answered(); ok {
			return m.stageName(), score, unit, true
		}
		return m.stageName(), strconv.Itoa(int(m.Tumble.Length)), "steps, then it fell", true
	}
	v := float64(m.Recent.At(m.Now()))
	if v != v {
		return m.stageName(), "", "", false
	}
	return m.stageName(), chart.Rough(v), "last 10", weak
}

// Answered returns how many symbols of the newest answer are right, as "6/8", and what that counts, or that a whole
// answer has one symbol alone. ok is false where the agent writes none.
func (m *Run) Answered() (score, unit string, ok bool) {
	a, ok := m.written(m.Frame)
	if !ok {
		return "", "", false
	}
	if unit = "right"; len(a.Written) == a.Length {
		unit = only(a)
	}
	return strconv.Itoa(a.Right) + "/" + strconv.Itoa(a.Length), unit, true
}

// only says that an answer has one symbol alone, else what its score counts.
func only(a envs.Answer) string {
	if one := slices.Compact(slices.Clone(a.Written)); len(one) == 1 {
		return "always “" + one[0] + "”"
	}
	return "right"
}

// down reports whether the run has fallen and not recovered, by its curve.
func (m *Run) down() bool { return m.falls.State == collapse.Fallen }

// says returns the preset's sentence while its settings are in force. Of another lag or correction it says how they
// act; of other settings, their values.
func (m *Run) says() string {
	p := link.PresetOf(m.Preset)
	c := &correct.Corrections[m.force.Correction]
	if p.Name == "" {
		return p.Sentence
	}
	as := p.Config()
	if !m.Control("correction").Row.InForce(&m.force) ||
		as.Lag == m.force.Lag && as.Correction == m.force.Correction {
		return m.turned(p)
	}
	name, lag := c.Title, ""
	if m.force.Correction == correct.MethodNone {
		name = "no correction"
	}
	if m.force.Lag > 0 {
		lag = m.Pretty(m.Control("lag").Row, m.force.Get("lag")) + " behind. "
	}
	said, title := Sentence(c.Words), strings.TrimSuffix(Sentence(name), ".")
	if strings.HasPrefix(said, title) {
		return lag + said
	}
	return lag + title + ": " + said
}

// turned returns the preset's sentence or, if other settings are in force, its title with the first of them.
func (m *Run) turned(p hyper.Preset) string {
	const most = 3
	var words []string
	for _, one := range m.Apart().Preset {
		row := one.Row
		name := row.Inline()
		if name == "" {
			name = strings.ToLower(row.Words[:1]) + row.Words[1:]
		}
		words = append(words, name+" "+one.Here)
	}
	switch more := len(words) - most; {
	case len(words) == 0:
		return p.Sentence
	case more > 0:
		return p.Title + " with " + strings.Join(words[:most], ", ") + " and " + strconv.Itoa(more) + " more."
	}
	return p.Title + " with " + strings.Join(words, ", ") + "."
}

// CountsWhole reports whether the correction counts every step whole.
func (m *Run) CountsWhole() bool {
	c := m.force
	c.Set("correction", m.Control("correction").Shown()) // Set has checked it
	return !correct.Corrections[c.Correction].Weights()
}

func (m *Run) stageName() string {
	for _, other := range m.Page() {
		if other == m {
			continue
		}
		if differ := m.force.Diff(&other.force); len(differ) > 0 {
			return m.nameBy(differ[0].Key)
		}
		return m.nameBy("correction")
	}
	return m.choice("algo")
}

// nameBy names the run by the value of one setting.
func (m *Run) nameBy(key string) string {
	row := m.Control(key).Row
	switch {
	case key == "correction" && !row.InForce(&m.force):
		return m.choice("algo")
	case key == "correction" && m.force.Correction == correct.MethodNone:
		return "no correction"
	case key == "world" || len(row.Choices) > 0:
		return m.choice(key)
	}
	return short(row) + " " + m.choice(key)
}

// short is a setting's symbol, or its key.
func short(row *hyper.Row) string {
	if row.Symbol != "" {
		return row.Symbol
	}
	return row.Key
}
