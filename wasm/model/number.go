package model

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"impalab/learner/hyper"
)

// How numbers read. What moves keeps its number of figures, so that nothing jumps.

const (
	none  = "–"      // not known, or not a number
	minus = "\u2212" // as wide as a plus
	thin  = "\u2009" // between thousands, and before a unit
)

// fixed has always the same number of decimals.
func fixed(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return none
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return minus + "∞"
	case math.Abs(v) >= 1e6:
		return short(v)
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		if strings.Trim(digits, "0.") == "" {
			return digits // −0.00 is 0.00
		}
		return minus + digits
	}
	return s
}

// score is a return: worlds pay in hundreds or in fractions of one.
func score(v float64) string {
	if math.Abs(v) < 10 {
		return fixed(v, 2)
	}
	return fixed(v, 1)
}

// short has three figures and a letter for thousands: 0.0312, 1.23, 214, 21.4 k, 2.14 M.
func short(v float64) string {
	size := math.Abs(v)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fixed(v, 0)
	}
	for _, unit := range [...]struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if size >= unit.size*0.9995 && size < 1e15 {
			return figures(v/unit.size) + thin + unit.name
		}
	}
	return figures(v)
}

// figures writes three of them.
func figures(v float64) string {
	size := math.Abs(v)
	switch {
	case size == 0:
		return "0"
	case size < 0.00095 || size >= 1e4:
		s := strconv.FormatFloat(v, 'e', 1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		n, _ := strconv.Atoi(exponent)
		return strings.Replace(mantissa+"e"+strconv.Itoa(n), "-", minus, -1)
	}
	decimals := 2 - int(math.Floor(math.Log10(size*1.0005)))
	return fixed(v, max(0, decimals))
}

// percent of a share.
func percent(share float32) string {
	if !finite(share) {
		return none
	}
	return fixed(100*float64(share), 0) + "%"
}

// count groups thousands: 250 000.
func count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	if n < 10000 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteString(thin)
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Name is what a person calls a setting: its symbol, or its words.
func Name(row *hyper.Row) string {
	if row.Symbol != "" {
		return row.Symbol
	}
	return row.Words
}

// Pretty is a value as people read it, exact, with its unit: "8 updates", "∞", "same as ρ̄".
func (m *Model) Pretty(row *hyper.Row, text string) string {
	s := m.Figure(row, text)
	unit := row.Unit
	switch {
	case unit == "" || strings.IndexFunc(s, unicode.IsDigit) < 0:
		return s + m.meaning(row, text) // ∞ and words take no unit
	case text != "1":
	case unit == "trajectories":
		unit = "trajectory"
	default:
		unit = strings.TrimSuffix(unit, "s")
	}
	return s + " " + unit + m.meaning(row, text)
}

// InForce is a control's confirmed value as people read it, with what it comes to and without its unit.
func (m *Model) InForce(c *Control) string {
	if c.Force == "" {
		return none
	}
	return m.Figure(c.Row, c.Force) + m.meaning(c.Row, c.Force)
}

// meaning is what a value would come to beside the settings in force, as in ", 7 of 8 old"; "" where it says so itself.
func (m *Model) meaning(row *hyper.Row, text string) string {
	if s := row.Meaning(&m.force, text); s != "" {
		return ", " + s
	}
	return ""
}

// Figure is Pretty without its unit.
func (m *Model) Figure(row *hyper.Row, text string) string {
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
		return count(uint64(v))
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', -1, 64), "-", minus, 1)
}
