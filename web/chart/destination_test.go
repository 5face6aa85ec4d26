package chart

import (
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"impalab/web/chart/charttest"
)

func destination() *Destination {
	return &Destination{Behaviour: .127, Implied: .277, Target: .485, Learned: .2, Low: 0, High: .6, Rho: "1",
		Was:   []float64{.1, .15},
		Leads: []Lead{{"0", .127}, {".25", .13}, {"1", .277}, {"∞", .485}}}
}

func TestTheRulerWritesItsValuesAndARing(t *testing.T) {
	drawn := DrawDestination(destination(), 800, 300)
	for _, want := range []string{">.127<", ">.277<", ">.485<", ">now .200<", "ρ̄ = 1 leads here", `data-part="ring"`,
		">with ρ̄ =<", `class="was"`} {
		if !strings.Contains(drawn, want) {
			t.Errorf("it lacks %s", want)
		}
	}
	if strings.Contains(drawn, ">.25<") { // it would touch the end beside it
		t.Error("two labels of the scale touch")
	}
	unsolved := destination()
	unsolved.Leads = nil
	if drawn := DrawDestination(unsolved, 800, 300); strings.Contains(drawn, "ring") {
		t.Error("a ring without exact destinations")
	}
	if drawn := DrawDestination(destination(), 360, 300); strings.Contains(drawn, "leads here") {
		t.Error("a narrow ruler has words")
	}
}

func TestAPlaceOfTheRulerIsTheValueDrawnThere(t *testing.T) {
	d := destination()
	x := d.scale(700)
	if v := d.Value(x.at(.3), 700); math.Abs(v-.3) > 1e-9 {
		t.Errorf("the place of .3 has the value %v", v)
	}
}

// Flags keep clear of each other, and their words stay inside, wherever the values are.
func TestFlagsOfTheRulerDoNotTouch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(0, .6)
		d := &Destination{Behaviour: v.Draw(t, "μ"), Implied: v.Draw(t, "ρ̄"), Target: v.Draw(t, "π"), High: .6, Rho: "1"}
		w := rapid.Float64Range(700, 1400).Draw(t, "width")
		edge := 0.
		for _, f := range d.flags(d.scale(w), w, true) {
			half := letters(f.words) / 2
			if f.x-half < edge-1e-9 || f.x+half > w {
				t.Fatalf("%q at %v of %v, after %v", f.words, f.x, w, edge)
			}
			edge = f.x + half
		}
	})
}

func TestTheRulerIsWellFormed(t *testing.T) {
	charttest.Elements(t, "destination", DrawDestination(destination(), 500, 236), func(xml.StartElement) {})
}
