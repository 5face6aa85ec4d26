package chart

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The parts have the sizes of DrawPole's picture: one unit is LayPole's, and the rods are as long.
func TestPolePartsAreTheDrawnPolesSizes(t *testing.T) {
	const w, h = 300, 210
	p := LayPole(w, h)
	parts := PoleParts([]float32{.2, .4, 1, lying})
	box := regexp.MustCompile(`viewBox="\S+ \S+ (\S+) (\S+)"`).FindStringSubmatch(parts)
	wide, _ := strconv.ParseFloat(box[1], 64)
	high, _ := strconv.ParseFloat(box[2], 64)
	if unit := min(w/wide, .74*h/high); unit < .999*p.Unit || unit > 1.001*p.Unit { // pole.css: 12 % above, 14 % below
		t.Errorf("a unit is %.3f pixels, in DrawPole's picture %.3f", unit, p.Unit)
	}
	for _, size := range []float64{24, 48, 16, 5, 2.6} { // half and whole cart, wheel, hinge
		if !strings.Contains(parts, `"`+strconv.FormatFloat(size, 'f', -1, 64)+`"`) &&
			!strings.Contains(parts, `"-`+strconv.FormatFloat(size, 'f', -1, 64)+`"`) {
			t.Errorf("no part has the size %v", size)
		}
	}
}
