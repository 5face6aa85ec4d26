package run

import (
	"encoding/xml"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"impalab/learner/telemetry"
	"impalab/web/chart/charttest"
	"impalab/web/wire"
)

// draw is a chart of the table, so wide and tall.
func draw(m *Run, name string, w, h float64) string {
	for _, c := range Charts {
		if c.Name == name {
			return c.Draw(m, w, h)
		}
	}
	panic("no chart is called " + name)
}

var odd = rapid.OneOf(
	rapid.Float32Range(-1000, 1000),
	rapid.SampledFrom([]float32{0, nan32, float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, -math.MaxFloat32,
		1e-40}),
)

func TestChartsAreWellFormedWhateverComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := open("")
		if rapid.Bool().Draw(t, "greeted") {
			greet(m)
		}
		for i := range rapid.IntRange(0, 40).Draw(t, "points") {
			m.Apply(&wire.Point{Event: m.last + 1, Step: uint64(i) * 100, Return: odd.Draw(t, "return"), Low: odd.Draw(t, "low"),
				High: odd.Draw(t, "high"), Ended: rapid.Uint32().Draw(t, "ended"),
				Traces: []wire.Trace{{Name: "gamma", Value: odd.Draw(t, "γ"), Bound: odd.Draw(t, "bound")}, {Name: "of tomorrow"}}})
			if rapid.IntRange(0, 5).Draw(t, "mark") == 0 {
				key := rapid.SampledFrom([]string{"rho", "c", "lag", "correction", "mix"}).Draw(t, "key")
				m.Apply(&wire.Changed{Event: m.last + 1, Step: uint64(i) * 100, Key: key,
					From: rapid.SampledFrom([]string{m.force.Get(key), `<&>"`}).Draw(t, "from"),
					To:   rapid.SampledFrom([]string{"0", "1", "inf", "vtrace", "none"}).Draw(t, "to")})
			}
		}
		if rapid.Bool().Draw(t, "judged") {
			m.Apply(&wire.Judged{Event: m.last + 1, Step: 1000, ValueError: odd.Draw(t, "error"),
				States: rapid.Uint32().Draw(t, "states")})
		}
		if rapid.Bool().Draw(t, "xray") {
			counts := rapid.SliceOfN(rapid.Uint32(), 0, 50)
			m.Apply(&wire.XRay{Figures: append(row("age-max", odd.Draw(t, "age")), 7),
				Ratios: counts.Draw(t, "ratios"), Ages: counts.Draw(t, "ages")})
		}
		if rapid.Bool().Draw(t, "gauge") {
			m.Apply(&wire.Gauge{Behaviour: odd.Draw(t, "μ"), Target: odd.Draw(t, "π"), Implied: odd.Draw(t, "implied"),
				Learned: odd.Draw(t, "v"),
				Worst:   odd.Draw(t, "worst"), Best: odd.Draw(t, "best")})
		}
		w := rapid.Float64Range(240, 1200).Draw(t, "width")
		for _, c := range Charts {
			inside := c.Draw(m, w, 120)
			charttest.Elements(t, c.Name, inside, func(e xml.StartElement) {
				for _, a := range e.Attr {
					if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || a.Name.Local == "style" ||
						a.Name.Local == "fill" {
						t.Fatalf("%s: <%s %s=%q>", c.Name, e.Name.Local, a.Name.Local, a.Value)
					}
				}
			})
		}
	})
}

// One step, one place: on the return, on every lane and on the tape.
func TestAStepStandsAtTheSamePlaceInEveryChart(t *testing.T) {
	m := open("")
	greet(m)
	for i := range uint64(100) {
		m.Apply(&wire.Point{Event: 2*i + 1, Step: i * 1000, Return: float32(i), Low: 0, High: 500, Ended: 8,
			Figures: row("kl", float32(i)), Traces: []wire.Trace{{Name: "gamma", Value: 1, Bound: 2}}})
		m.Apply(&wire.Judged{Event: 2*i + 2, Step: i * 1000, ValueError: 1 / float32(i+1), States: 8})
	}
	m.Apply(&wire.Changed{Event: 300, Step: 40000, Key: "rho", From: "1", To: "4"})
	m.Apply(&wire.Changed{Event: 301, Step: 70000, Key: "lag", From: "0", To: "8"})
	const w = 600.0
	var want []float64
	for _, mark := range m.Marks {
		want = append(want, w*m.Axis().Share(mark.Step))
	}
	for _, name := range []string{"return", "kl", "age-mean", "value-error", "trace-gamma", "tape"} {
		var got []float64
		inside := draw(m, name, w, 180)
		charttest.Elements(t, name, inside, func(e xml.StartElement) {
			class := charttest.Attribute(e, "class")
			x1, x2 := charttest.Attribute(e, "x1"), charttest.Attribute(e, "x2")
			switch {
			case e.Name.Local == "line" && (class == "tick mark" || class == "axis") && x1 == x2:
				x, _ := strconv.ParseFloat(x1, 64)
				got = append(got, x)
			case e.Name.Local == "path" && strings.HasPrefix(class, "mark"):
				x, _ := strconv.ParseFloat(strings.TrimPrefix(strings.Fields(charttest.Attribute(e, "d"))[0], "M"), 64)
				got = append(got, x)
			}
		})
		slices.Sort(got)
		if len(got) != 2 || math.Abs(got[0]-want[0]) > 0.1 || math.Abs(got[1]-want[1]) > 0.1 {
			t.Errorf("%s: changes at %v, want %v", name, got, want)
		}
	}
	inside := draw(m, "return", w, 180)
	if !strings.Contains(inside, `<tspan class="symbol">ρ̄</tspan> 1 → 4</text>`) ||
		!strings.Contains(inside, "policy lag 0 → 8") {
		t.Errorf("a mark does not say what changed: %s", inside)
	}
}

func TestADragIsOneLineAndSaysWhereItWentFromAndTo(t *testing.T) {
	m := open("")
	greet(m)
	m.Apply(&wire.Point{Event: 1, Step: 100000, Return: 1})
	for i, to := range []string{"2", "3", "4"} {
		m.Apply(&wire.Changed{Event: uint64(i + 2), Step: 50000 + uint64(i)*1000, Key: "rho", From: m.force.Get("rho"),
			To: to})
	}
	lines, inside := 0, draw(m, "return", 600, 180)
	charttest.Elements(t, "return", inside, func(e xml.StartElement) {
		if charttest.Attribute(e, "class") == "tick mark" {
			lines++
		}
	})
	if len(m.Marks) != 3 || lines != 1 || !strings.Contains(inside, "</tspan> 1 → 4</text>") {
		t.Errorf("%d marks, %d lines: %s", len(m.Marks), lines, inside)
	}
}

// Red is the weight that ρ̄ takes away, as much as the learner says, and nothing of ratios that only share a bucket
// with it.
func TestTheRedOfTheBarsIsTheWeightTheyLose(t *testing.T) {
	for _, c := range []struct {
		link   string
		ratios []float64 // as many steps each
		cut    float32   // share of their weight
		red    []float64 // of each bar
	}{
		{"#rho=1", []float64{1}, 0, []float64{0}},         // on-policy, in the bucket just above 1
		{"#rho=1", []float64{1.0001}, 1e-4, []float64{0}}, // next to nothing
		{"#rho=1", []float64{2}, 0.5, []float64{0.5}},     // min(1, 2) leaves half
		{"#rho=1", []float64{0.5, 2}, 0.4, []float64{0, 0.5}},
		{"#rho=0", []float64{0.25, 1}, 1, []float64{1, 1}},
		{"#rho=inf", []float64{16}, 0, []float64{0}},
		{"#correction=leaky&alpha=0.5", []float64{2}, 0.25, []float64{0.25}},
		{"#correction=none", []float64{16}, nan32, []float64{0}},
	} {
		counts := make([]uint32, telemetry.RatioBins)
		for _, w := range c.ratios {
			counts[int(math.Floor((math.Log2(w)-telemetry.RatioLogLo)*4))] = 100
		}
		m := open(c.link)
		greet(m)
		m.Apply(&wire.XRay{Ratios: counts, Figures: row("cut-rho", c.cut)})
		green, red := map[string]float64{}, map[string]float64{}
		var places []string
		charttest.Elements(t, c.link, draw(m, "ratios", 320, 120), func(e xml.StartElement) {
			tall, _ := strconv.ParseFloat(charttest.Attribute(e, "height"), 64)
			x := charttest.Attribute(e, "x")
			switch charttest.Attribute(e, "class") {
			case "bar corrected":
				green[x] += tall
			case "bar cut":
				red[x] += tall
			default:
				return
			}
			if len(places) == 0 || places[len(places)-1] != x {
				places = append(places, x)
			}
		})
		if len(places) != len(c.red) {
			t.Fatalf("%s: %d bars", c.link, len(places))
		}
		for i, x := range places {
			if got := red[x] / (red[x] + green[x]); math.Abs(got-c.red[i]) > 0.02 {
				t.Errorf("%s, ratio %v: %.3f of the bar is red, want %v", c.link, c.ratios[i], got, c.red[i])
			}
		}
	}
}

func BenchmarkReturnChart(b *testing.B) {
	m := open("")
	greet(m)
	for i := range uint64(5000) {
		m.Apply(&wire.Point{Event: i + 1, Step: i * 1000, Return: float32(i % 97), Low: 0, High: 100, Ended: 8})
	}
	for b.Loop() {
		draw(m, "return", 600, 180)
	}
}
