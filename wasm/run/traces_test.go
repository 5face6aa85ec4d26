package run

import (
	"encoding/xml"
	"math"
	"strings"
	"testing"

	"impalab/web/chart/charttest"
	"impalab/web/number"
	"impalab/web/wire"
)

// vmpo is a page that has seen KL(π_T‖π) break its bound once and end upon it.
func vmpo() *Run {
	m := open("p=vmpo")
	greet(m)
	inf := float32(math.Inf(1))
	for i, kl := range []float32{0.001, 0.003, 0.0015, 0.002} {
		m.Apply(&wire.Point{Event: m.last + 1, Step: uint64(i) * 10_000, Return: 20,
			Traces: []wire.Trace{{Name: "kl-weight", Value: 5 - float32(i), Bound: inf},
				{Name: "kl-policy", Value: kl, Bound: 0.002}}})
	}
	return m
}

func TestATraceIsDrawnBesideItsBoundAndSaidInWords(t *testing.T) {
	m := vmpo()
	for name, want := range map[string]string{
		"trace-kl-policy": "0.00200", "bound-trace-kl-policy": "of 0.00200", "trace-kl-weight": "2.00",
		"bound-trace-kl-weight": "",
		"trace-gamma":           number.None,
		"story-trace-kl-policy": "From 0.00100 to 0.00200 in 30\u2009000 steps; least 0.00100, greatest 0.00300. Its " +
			"bound is 0.00200, and it was within it 75% of the time.",
		"story-trace-kl-weight": "From 5.00 to 2.00 in 30\u2009000 steps; least 2.00, greatest 5.00.",
	} {
		if got := read(m, name); got != want {
			t.Errorf("%s reads %q, want %q", name, got, want)
		}
	}
	drawn := func(name string) (classes []string) {
		charttest.Elements(t, name, draw(m, "trace-"+name, 260, 42), func(e xml.StartElement) {
			if class := charttest.Attribute(e, "class"); strings.HasPrefix(class, "line") {
				classes = append(classes, class)
			}
		})
		return classes
	}
	if got := strings.Join(drawn("kl-policy"), ", "); got != "line ink, line truth" {
		t.Errorf("KL and its bound are drawn as %s", got)
	}
	if got := strings.Join(drawn("kl-weight"), ", "); got != "line meta" {
		t.Errorf("a multiplier is drawn as %s", got)
	}
	if draw(m, "trace-gamma", 260, 42) != "" {
		t.Error("V-MPO has no γ of its own")
	}
}

func TestTracesEndWithTheirRun(t *testing.T) {
	m := vmpo()
	greet(m)
	if len(m.Traces) != 0 {
		t.Errorf("%d traces of the old run", len(m.Traces))
	}
}
