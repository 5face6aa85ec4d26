// Package number writes numbers for people. A number that changes keeps its number of digits, so that the text does not
// jump. Start with Short.
package number

import (
	"math"
	"strconv"
	"strings"
)

const (
	None  = "–"      // unknown, or not a number
	Minus = "\u2212" // as wide as a plus
	Thin  = "\u2009" // between thousands, and before a unit
)

// Fixed writes a number with a fixed number of decimals.
func Fixed(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return None
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return Minus + "∞"
	case math.Abs(v) >= 1e6:
		return Short(v)
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		if strings.Trim(digits, "0.") == "" {
			return digits // −0.00 is 0.00
		}
		return Minus + digits
	}
	return s
}

// Score writes a return. Worlds pay in hundreds or in fractions of one.
func Score(v float64) string {
	if math.Abs(v) < 10 {
		return Fixed(v, 2)
	}
	return Fixed(v, 1)
}

// Short writes three digits and a letter for thousands: 0.0312, 1.23, 214, 21.4 k, 2.14 M.
func Short(v float64) string {
	size := math.Abs(v)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Fixed(v, 0)
	}
	for _, unit := range [...]struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if size >= unit.size*0.9995 && size < 1e15 {
			return Figures(v/unit.size) + Thin + unit.name
		}
	}
	return Figures(v)
}

// Figures writes three digits.
func Figures(v float64) string {
	size := math.Abs(v)
	switch {
	case size == 0:
		return "0"
	case size < 0.00095 || size >= 1e4:
		s := strconv.FormatFloat(v, 'e', 1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		n, _ := strconv.Atoi(exponent)
		return strings.Replace(mantissa+"e"+strconv.Itoa(n), "-", Minus, -1)
	}
	decimals := 2 - int(math.Floor(math.Log10(size*1.0005)))
	return Fixed(v, max(0, decimals))
}

// Percent writes a share as a percentage.
func Percent(share float32) string {
	if share-share != 0 { // not finite
		return None
	}
	return Fixed(100*float64(share), 0) + "%"
}

// Count writes a number with its thousands apart: 250 000.
func Count(n uint64) string {
	s := strconv.FormatUint(n, 10)
	if n < 10000 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteString(Thin)
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
