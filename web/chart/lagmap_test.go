package chart

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"impalab/web/chart/charttest"
)

// lags is the map that people begin, with one seed at chance right of a product of .016.
func lags() *LagMap {
	m := &LagMap{Chosen: -1}
	for k := range 8 {
		m.Lags = append(m.Lags, float64(int(1)<<k))
		m.LagNames = append(m.LagNames, strconv.Itoa(1<<k))
	}
	for k := range 7 {
		m.Rates = append(m.Rates, 0.000125*float64(int(1)<<k))
		m.RateNames = append(m.RateNames, "r")
	}
	for i := range 56 {
		c := LagSeeds{Number: i, Heights: []float64{1, 0.5, 0.2}, Asked: 3}
		if m.Lags[i%8]*m.Rates[i/8] > 0.016 {
			c = LagSeeds{Number: i, Heights: []float64{1}, Fell: 2, Asked: 3}
		}
		m.Cells = append(m.Cells, c)
	}
	return m
}

// At every row the line is where the lag times the rate is its product, also where lags do not double.
func TestALineIsOneProductAtEveryRow(t *testing.T) {
	m := lags()
	for name, change := range map[string]func(){"doubling": func() {},
		"not": func() { m.Lags[3], m.Rates[2] = 5, 0.0007 }} {
		change()
		p := m.place(880, 430)
		for rate, r := range m.Rates {
			for lag, l := range m.Lags {
				near := math.Inf(1)
				line := p.line(l * r)
				for i := 1; i < len(line); i++ { // the cell's middle is on one of its straight parts
					a, b := line[i-1], line[i]
					if y := p.y(float64(rate)); y <= a.Y && y >= b.Y {
						near = math.Min(near, math.Abs(a.X+(b.X-a.X)*(y-a.Y)/(b.Y-a.Y)-p.x(float64(lag))))
					}
				}
				if near > 1 {
					t.Errorf("%s: at lag %v and rate %v the line is %.1f px away", name, l, r, near)
				}
			}
		}
	}
}

// A line and a band stay inside of the map, and each seed is one pole.
func TestAMapDrawsEachSeedAndNothingOutside(t *testing.T) {
	m := lags()
	m.Borders = []LagBorder{{Name: "none", Tone: "ink", Product: 0.0175, Low: 0.015, High: 0.02,
		Rates: []float64{0.016, 0.017, 0.016, 0.016, math.Inf(-1), math.Inf(-1), math.NaN()}}}
	m.Guess, m.Chosen = 0.06, 20
	for _, size := range [][2]float64{{880, 430}, {340, 392}} {
		p := m.place(size[0], size[1])
		poles, classes := 0, map[string]int{}
		charttest.Elements(t, "lagmap", DrawLagMap(m, size[0], size[1]), func(e xml.StartElement) {
			class := charttest.Attribute(e, "class")
			classes[class]++
			d := charttest.Attribute(e, "d")
			if strings.HasPrefix(class, "poles") {
				poles += strings.Count(d, "M")
			}
			for command := range strings.FieldsFuncSeq(d, func(r rune) bool { return r == 'M' || r == 'L' }) {
				x, y, _ := strings.Cut(command, " ")
				at := func(text string) float64 { v, _ := strconv.ParseFloat(text, 64); return v }
				if at(x) < p.left-0.1 || at(x) > p.right+0.1 || at(y) < p.top-p.gap/2-0.1 || at(y) > p.foot+p.gap/2+0.1 {
					t.Errorf("%q goes to %s", class, command)
				}
			}
		})
		if poles != 3*56 {
			t.Errorf("%d poles of %d seeds", poles, 3*56)
		}
		if classes["frame"] != 1 || classes["line hand ink"] != 1 || classes["line guess ink"] != 1 ||
			classes["ring ink"] != 4 {
			t.Errorf("drawn: %v", classes)
		}
	}
}

// The names of lines never touch.
func TestNamesOfLinesDoNotTouch(t *testing.T) {
	for a := 0.001; a < 0.5; a *= 1.3 {
		for b := a; b < 0.5; b *= 1.3 {
			for _, size := range [][2]float64{{880, 430}, {340, 392}} {
				m := lags()
				p := m.place(size[0], size[1])
				names := lagNames{p: &p}
				var s svg
				for _, product := range []float64{a, b} {
					b := LagBorder{Name: "one-step rho 2", Tone: "ink", Product: product, Low: product, High: product}
					s.lagBorder(&p, &b, &names)
				}
				names.add("you", "label strong", p.line(b)[7*4].X)
				n := 0
				for _, row := range names.taken {
					n += len(row)
					for i := range row {
						for _, other := range row[:i] {
							if row[i][0] < other[1] && row[i][1] > other[0] {
								t.Fatalf("%v wide, products %v and %v: names at %v", size[0], a, b, row)
							}
						}
					}
				}
				if n != 3 {
					t.Fatalf("%d names", n)
				}
			}
		}
	}
}

func TestABorderInWords(t *testing.T) {
	for want, b := range map[string]LagBorder{
		".018 [.015, .02]":                   {Product: 0.0175, Low: 0.015, High: 0.02},
		".043 [.027, above the map]":         {Product: 0.043, Low: 0.027, High: math.Inf(1)},
		"above the map":                      {Product: math.Inf(1), Low: math.Inf(1), High: math.Inf(1)},
		"below the map [below the map, .01]": {Product: math.Inf(-1), Low: math.Inf(-1), High: 0.01},
		"–":                                  {Product: math.NaN()},
	} {
		product, interval := b.Words()
		if got := strings.TrimSpace(product + " " + interval); got != want {
			t.Errorf("%+v is %q, not %q", b, got, want)
		}
	}
}
