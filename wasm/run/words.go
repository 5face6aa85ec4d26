package run

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"impalab/learner/hyper"
	"impalab/web/number"

	"impalab/web/link"
)

// Name returns a setting's name for people: its symbol, or its words.
func Name(row *hyper.Row) string {
	if row.Symbol != "" {
		return row.Symbol
	}
	return row.Words
}

// ShortName returns the setting's name as it is written inside a sentence: words begin with a small letter.
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
	case row.Key == "world":
		return link.WorldTitle(text)
	case !row.Numeric():
		return row.Name(text)
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

// Speech is the notices of a page about all its runs.
type Speech struct {
	Notices       []string        // to read: unknown keys, refused links, reasons of an end
	Announcements []string        // for a screen reader to speak
	Correction    link.Correction // beside the notices of a misspelled link
}

// Announce adds an announcement. It drops the oldest of too many: late speech is noise.
func (s *Speech) Announce(text string) {
	const most = 8
	s.Announcements = append(s.Announcements, text)
	s.Announcements = s.Announcements[max(0, len(s.Announcements)-most):]
}

// Spoken joins announcements, with a full stop between two.
func Spoken(announcements []string) string {
	said := slices.Clone(announcements)
	for i := range len(said) - 1 {
		said[i] = strings.TrimSuffix(said[i], ".") + "."
	}
	return strings.Join(said, " ")
}

// Notice adds a notice as a sentence, unless the page shows it already.
func (s *Speech) Notice(text string) {
	if text = Sentence(text); !slices.Contains(s.Notices, text) {
		s.Notices = append(s.Notices, text)
	}
}

// Withdraw removes a notice that is no longer true.
func (s *Speech) Withdraw(notice *string) {
	s.Notices = slices.DeleteFunc(s.Notices, func(have string) bool { return have == Sentence(*notice) })
	*notice = ""
}

// Sentence returns words that begin with a capital and end with a full stop or a question mark. A setting at the
// beginning, like rho=2, stays.
func Sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if first, _, _ := strings.Cut(s, " "); r < utf8.RuneSelf && !strings.Contains(first, "=") {
		s = strings.ToUpper(s[:n]) + s[n:]
	}
	if s != "" && !strings.ContainsAny(s[len(s)-1:], ".?!") {
		s += "."
	}
	return s
}
