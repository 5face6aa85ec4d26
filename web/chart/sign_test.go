package chart

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/web/chart/charttest"
)

func TestLettersAtTheEndsOfCurvesNeverMeet(t *testing.T) {
	line := func(last float32, letter string) Line {
		c := &Curve{}
		c.Add(0, 0)
		c.Add(1000, last)
		return Line{Curve: c, Class: "line other", Sign: letter}
	}
	for _, ends := range [][4]float32{{0, 0, 0, 0}, {0, 1, 99, 100}, {100, 100, 100, 0}, {3, 50, 51, 52}} {
		a, b, c, d := line(ends[0], "A"), line(ends[1], "B"), line(ends[2], "C"), line(ends[3], "D")
		svg := DrawReturn(&Time{Steps: 1040}, &Return{Mean: a.Curve, Sign: "A", Others: []Line{b, c, d}}, 500, 150)
		var heights []float64
		charttest.Elements(t, "return", svg, func(e xml.StartElement) {
			if strings.HasPrefix(charttest.Attribute(e, "class"), "sign ") {
				y, err := strconv.ParseFloat(charttest.Attribute(e, "y"), 64)
				if err != nil {
					t.Fatal(err)
				}
				heights = append(heights, y)
			}
		})
		if len(heights) != 4 {
			t.Fatalf("%d letters in %s", len(heights), svg)
		}
		for i := range heights {
			if heights[i] < marginTop+signHigh-0.1 || heights[i] > 150-marginFoot {
				t.Errorf("%v: a letter stands at %v", ends, heights[i])
			}
			for j := range i {
				if math.Abs(heights[i]-heights[j]) < signHigh-0.1 {
					t.Errorf("%v: two letters at %v and %v", ends, heights[j], heights[i])
				}
			}
		}
	}
}

func TestTheNoteOfAFallStandsWhereNoCurveIs(t *testing.T) {
	axis := &Time{Steps: 1000}
	for name, low := range map[string]float32{"a run that stays down": 20, "a run that swings again": 480} {
		c := &Curve{}
		for step := uint64(0); step <= 1000; step += 5 {
			v := float32(500)
			if step > 500 {
				v = 20
			}
			if step > 500 && step%10 == 0 {
				v = low
			}
			c.Add(step, v)
		}
		drawn := DrawReturn(axis, &Return{High: 500, Others: []Line{{Curve: c, Class: "line other"}},
			Falls: []Episode{{Step: 500, Return: 500}}, Note: []string{"it fell"}}, 800, 200)
		var x float64
		charttest.Elements(t, name, drawn, func(e xml.StartElement) {
			if strings.HasSuffix(charttest.Attribute(e, "class"), "note") {
				x, _ = strconv.ParseFloat(charttest.Attribute(e, "x"), 64)
			}
		})
		if right := x > 400; x == 0 || right != (low < 400) {
			t.Errorf("%s: the note of a fall at 400 stands at %v", name, x)
		}
		if !strings.Contains(drawn, ">500<") {
			t.Errorf("the largest return is no level: %s", drawn)
		}
	}
}

func TestTheWordsOfALakeGiveWayToNames(t *testing.T) {
	var over, under Curve
	for step := uint64(1000); step <= 100_000; step += 1000 {
		over.Add(step, 500)
		under.Add(step, 330)
	}
	for high, want := range map[float64]int{160: 0, 400: 2} {
		r := &Return{High: 500, Names: 15, Others: []Line{{Curve: &under, Class: "line other", Sign: "V-trace, late"},
			{Curve: &over, Class: "line hand pi", Sign: "V-trace"}},
			Lake: &Lake{Over: &over, Under: &under, Words: []string{"what V-trace", "is worth: 170"}}}
		drawn := DrawReturn(&Time{Steps: 160_000, Until: 100_000}, r, 900, high)
		if got := strings.Count(drawn, "note worth"); got != want {
			t.Errorf("%v high: %d lines of words between the names, want %d", high, got, want)
		}
	}
}

// The run dipped before it fell, so the note has no room beside the cross. It covers neither a name, nor the lake's
// words, nor the line of the turn.
func TestTheNoteOfAFallCoversNoWords(t *testing.T) {
	var over, under Curve
	for step := uint64(0); step <= 119_000; step += 500 {
		v := float32(500)
		switch {
		case step > 110_000:
			v = 20
		case step > 89_000:
			v = 100 + float32(step-89_000)/50
		}
		over.Add(step, 500)
		under.Add(step, v)
	}
	for w := 340.; w < 1400; w += 30 {
		lines := []Line{{Curve: &under, Class: "line other", Sign: "no correction"},
			{Curve: &over, Class: "line hand pi", Sign: "V-trace"}}
		r := &Return{High: 500, Others: lines, Names: 15, Falls: []Episode{{Step: 110_000, Return: 260}},
			Note: []string{"it fell:", "500 → 20"}, Lake: &Lake{Over: &over, Under: &under, From: 80_000}}
		if w > 600 {
			r.Lake.Words = []string{"what V-trace", "is worth: 480"}
		}
		var notes, others []box
		axis := &Time{Steps: 160_000, Until: 119_000,
			Value: func(_ *hyper.Row, text string) string { return text },
			Marks: []Mark{{Step: 80_000, Key: "lag", From: "0", To: "64"}}}
		drawn := DrawReturn(axis, r, w, 160)
		charttest.Elements(t, "return", drawn, func(e xml.StartElement) {
			class := charttest.Attribute(e, "class")
			x, _ := strconv.ParseFloat(charttest.Attribute(e, "x"), 64)
			y, _ := strconv.ParseFloat(charttest.Attribute(e, "y"), 64)
			switch {
			case class == "halo note":
				notes = append(notes, box{x, y - 14, x + 60, y + 4})
			case strings.HasPrefix(class, "sign"), strings.HasPrefix(class, "note worth"):
				others = append(others, box{x, y - 13, x + 60, y + 3})
			}
		})
		if len(notes) != 2 || len(others) < 2 {
			t.Fatalf("%v wide: %d lines of the note, %d other words", w, len(notes), len(others))
		}
		turned := w * 80_000 / 160_000
		for _, n := range notes {
			if n.left < turned && n.right > turned {
				t.Errorf("%v wide: the note at %v lies on the line of the turn at %v", w, n, turned)
			}
			for _, o := range others {
				if n.left < o.right && o.left < n.right && n.top < o.foot && o.top < n.foot {
					t.Errorf("%v wide: the note at %v and other words at %v overlap", w, n, o)
				}
			}
		}
	}
}

// A fall soon after the turn has its note off the turn's line.
func TestTheNoteOfAFallStandsOffTheLineOfTheTurn(t *testing.T) {
	var over, under Curve
	for step := uint64(0); step <= 165_000; step += 1000 {
		v := float32(280)
		if over.Add(step, v); step > 150_000 {
			v = 20
		}
		under.Add(step, v)
	}
	for w := 340.; w < 1400; w += 30 {
		lines := []Line{{Curve: &under, Class: "line other", Sign: "no correction"},
			{Curve: &over, Class: "line hand pi", Sign: "V-trace"}}
		r := &Return{High: 500, Others: lines, Names: 15, Falls: []Episode{{Step: 152_000, Return: 150}},
			Note: []string{"it fell:", "280 → 20"}, Lake: &Lake{Over: &over, Under: &under, From: 113_000}}
		axis := &Time{Steps: 500_000, Until: 165_000, Marks: []Mark{{Step: 113_000, Key: "lag", From: "0", To: "64"}},
			Value: func(_ *hyper.Row, text string) string { return text }}
		turned := w * 113 / 500
		charttest.Elements(t, "return", DrawReturn(axis, r, w, 160), func(e xml.StartElement) {
			x, _ := strconv.ParseFloat(charttest.Attribute(e, "x"), 64)
			if charttest.Attribute(e, "class") == "halo note" && x < turned && x+1.1*wide("280 → 20") > turned {
				t.Errorf("%v wide: the note at %v lies on the line of the turn at %v", w, x, turned)
			}
		})
	}
}

// A fall whose left side has the line of a change keeps its note near: left of that line.
func TestTheNoteOfAFallStaysNearItsCross(t *testing.T) {
	var over, under Curve
	for step := uint64(0); step <= 253_000; step += 1000 {
		v := float32(500)
		if over.Add(step, v); step > 240_000 {
			v = 20
		}
		under.Add(step, v)
	}
	lines := []Line{{Curve: &under, Class: "line other", Sign: "no correction"},
		{Curve: &over, Class: "line hand pi", Sign: "V-trace"}}
	r := &Return{High: 500, Others: lines, Names: 15, Falls: []Episode{{Step: 240_000, Return: 260}},
		Note: []string{"it fell:", "500 → 24"},
		Lake: &Lake{Over: &over, Under: &under, From: 55_000, Words: []string{"what V-trace", "is worth: 491"}}}
	axis := &Time{Steps: 294_000, Until: 253_000, Value: func(_ *hyper.Row, text string) string { return text },
		Marks: []Mark{{Step: 55_000, Key: "lag", From: "0", To: "16"}, {Step: 225_000, Key: "lag", From: "0", To: "64"}}}
	charttest.Elements(t, "return", DrawReturn(axis, r, 930, 160), func(e xml.StartElement) {
		x, _ := strconv.ParseFloat(charttest.Attribute(e, "x"), 64)
		if cross := 930. * 240 / 294; charttest.Attribute(e, "class") == "halo note" && math.Abs(cross-x) > 160 {
			t.Errorf("the note at %v is far from its cross at %v", x, cross)
		}
	})
}

// Where curves are everywhere, a fall has its cross and no note: the words would lie on them.
func TestTheNoteOfAFallIsLeftOutWhereCurvesAreEverywhere(t *testing.T) {
	for name, most := range map[string]float32{"everywhere": 500, "above the foot": 260} {
		c := &Curve{}
		for step := uint64(0); step <= 1000; step += 5 {
			v := float32(500)
			if step%10 == 0 {
				v -= most
			}
			c.Add(step, v)
		}
		drawn := DrawReturn(&Time{Steps: 1000}, &Return{High: 500, Others: []Line{{Curve: c, Class: "line other"}},
			Falls: []Episode{{Step: 500, Return: 250}}, Note: []string{"it fell"}}, 400, 160)
		if noted := strings.Contains(drawn, "halo note"); noted != (most < 300) || !strings.Contains(drawn, "cross") {
			t.Errorf("%s: a note %v", name, noted)
		}
	}
}
