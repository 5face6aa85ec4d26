package trial

// Figures as tables show them.

import (
	"fmt"
	"math"
)

// Words is "mean [low, high]", or a dash.
func (e Estimate) Words() string {
	if math.IsNaN(float64(e.Mean)) {
		return "–"
	}
	return fmt.Sprintf("%s [%s, %s]", short(e.Mean), short(e.Low), short(e.High))
}

// Words is "median [low, high]", or a dash for never.
func (m Middle) Words() string {
	if math.IsInf(float64(m.Median), 1) {
		return "–"
	}
	return fmt.Sprintf("%s [%s, %s]", short(m.Median), short(m.Low), short(m.High))
}

// Words is a number, or a dash for None.
func (n Number) Words() string {
	if !n.known() {
		return "–"
	}
	return short(n)
}

// BiasWords is the value bias of the seeds with a known bias, and their number; with too few seeds it has no interval.
func (s *Summary) BiasWords() string {
	switch {
	case s.Biased == 0:
		return "–"
	case s.Biased < 4:
		return fmt.Sprintf("%s (n %d)", short(s.Bias.Mean), s.Biased)
	case s.Biased < len(s.Seeds):
		return fmt.Sprintf("%s (n %d)", s.Bias.Words(), s.Biased)
	}
	return s.Bias.Words()
}

// short has three digits, thousands as k, millions as M.
func short(n Number) string {
	v := float64(n)
	switch size := math.Abs(v); {
	case math.IsInf(v, 1):
		return "never"
	case size >= 1e6:
		return fmt.Sprintf("%.2fM", v/1e6)
	case size >= 1e5:
		return fmt.Sprintf("%.0fk", v/1e3)
	case size >= 1e4:
		return fmt.Sprintf("%.1fk", v/1e3)
	case size >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case size >= 9.995:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
