package run

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"impalab/learner/hyper"
	"impalab/web/number"
)

// Name returns a setting's name for people: its symbol, or its words.
func Name(row *hyper.Row) string {
	if row.Symbol != "" {
		return row.Symbol
	}
	return row.Words
}

// ShortName returns Name within a sentence.
func ShortName(row *hyper.Row) string {
	if row.Symbol != "" {
		return row.Symbol
	}
	return strings.ToLower(row.Words[:1]) + row.Words[1:]
}

// Pretty returns an exact value for people, with its unit: "8 updates", "∞", "same as ρ̄".
func (m *Run) Pretty(row *hyper.Row, text string) string {
	s := m.Figure(row, text)
	unit := row.Unit
	switch {
	case unit == "" || strings.IndexFunc(s, unicode.IsDigit) < 0:
		return s + m.meaning(row, text) // ∞ and words take no unit
	case text != "1":
	case unit == "trajectories":
		unit = "trajectory"
	case unit == "steps/s":
		unit = "step/s"
	default:
		unit = strings.TrimSuffix(unit, "s")
	}
	return s + " " + unit + m.meaning(row, text)
}

// InForce returns a control's value in force for people, with its meaning and without its unit.
func (m *Run) InForce(c *Control) string {
	if c.Force == "" {
		return number.None
	}
	return m.Figure(c.Row, c.Force) + m.meaning(c.Row, c.Force)
}

// meaning returns the meaning of a value beside the settings in force, as in ", 7 of 8 old", or "".
func (m *Run) meaning(row *hyper.Row, text string) string {
	if s := row.Meaning(&m.force, text); s != "" {
		return ", " + s
	}
	return ""
}

// Figure returns Pretty without its unit.
func (m *Run) Figure(row *hyper.Row, text string) string {
	switch {
	case !row.Numeric() && m.Words != nil:
		return m.Words(row.Key, text)
	case !row.Numeric():
		return text
	case text == "inf" && row.Key == "speed":
		return "full speed"
	case text == "inf":
		return "∞"
	case text == "0" && row.Key == "steps":
		return "until stopped"
	case text == "same":
		if other, err := hyper.Lookup(row.Same); err == nil {
			return "same as " + Name(other)
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if v == math.Trunc(v) && v >= 0 && v < 1e15 {
		return number.Count(uint64(v))
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', -1, 64), "-", number.Minus, 1)
}

// Matches reports whether a search finds a setting: its name, key or sentence contains every word of the query.
func Matches(row *hyper.Row, query string) bool {
	text := strings.ToLower(strings.Join([]string{row.Words, row.Symbol, row.Key, row.Sentence}, " "))
	for _, word := range strings.Fields(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
