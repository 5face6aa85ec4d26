package chart

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"impalab/learner/hyper"
)

// On a phone the numbers of the levels stand among the curves: with a halo, and in front of all of them.
func TestNoCurveCrossesTheNumberOfALevel(t *testing.T) {
	c := &Curve{}
	c.Add(0, 0)
	c.Add(1000, 100)
	lines := []Line{{Curve: c, Class: "line hand", Sign: "A"}}
	axis := &Time{Steps: 1040}
	for name, svg := range map[string]string{
		"return": DrawReturn(axis, &Return{Mean: c, Recent: c, Ghost: c, Others: lines,
			Played: []Episode{{Step: 10, Return: 50}}}, 366, 150),
		"figure": DrawFigure(axis, lines, 0, 100, 366, 150),
		"seeds":  DrawSeeds(axis, &Seeds{Lines: []*Curve{c}}, 366, 150),
	} {
		curves, numbers := strings.LastIndex(svg, "<path"), strings.Index(svg, `class="label inside halo"`)
		if curves < 0 || numbers < curves || strings.Count(svg, "label inside") != strings.Count(svg, "label outside") {
			t.Errorf("%s: the last curve is at %d, the first number at %d of %s", name, curves, numbers, svg)
		}
	}
}

// The previous run's curve does not set the range of a chart, and is not drawn outside of it.
func TestAGhostSetsNoRange(t *testing.T) {
	c, far := &Curve{}, &Curve{}
	for step := uint64(0); step <= 1000; step += 10 {
		c.Add(step, float32(step)/1000)
		far.Add(step, float32(step)/10-50)
	}
	axis := &Time{Steps: 1040}
	numbers := regexp.MustCompile(`<text class="label outside"[^>]*>([^<]*)<`)
	alone := numbers.FindAllStringSubmatch(DrawReturn(axis, &Return{Mean: c}, 366, 150), -1)
	beside := numbers.FindAllStringSubmatch(DrawReturn(axis, &Return{Mean: c, Ghost: far, Before: "before"}, 366, 150), -1)
	if fmt.Sprint(alone) != fmt.Sprint(beside) {
		t.Errorf("with a ghost the levels are %v, without %v", beside, alone)
	}
	for name, svg := range map[string]string{
		"return": DrawReturn(axis, &Return{Mean: c, Ghost: far}, 366, 150),
		"lane": DrawLane(axis, []Line{{Curve: far, Class: "line ghost", Behind: true}, {Curve: c, Class: "hand"}},
			0, 1, 366, 150),
		"empty": DrawReturn(axis, &Return{Ghost: far}, 366, 150),
	} {
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: %s", name, svg)
		}
		drawn := regexp.MustCompile(`class="line ghost" d="([^"]*)"`).FindStringSubmatch(svg)
		if drawn == nil {
			continue
		}
		for _, number := range strings.FieldsFunc(drawn[1], func(r rune) bool { return strings.ContainsRune("ML ", r) }) {
			if v, _ := strconv.ParseFloat(number, 64); v < 0 || v > 366 {
				t.Errorf("%s: the ghost is drawn at %s: %s", name, number, drawn[1])
			}
		}
	}
}

func TestNoHairlineOfATurnCrossesTheWordsOfAnother(t *testing.T) {
	axis := &Time{Steps: 1000, Value: func(_ *hyper.Row, text string) string { return text },
		Marks: []Mark{{Step: 400, Key: "lag", From: "0", To: "64"}, {Step: 430, Key: "rho", From: "1", To: "2"}}}
	c := &Curve{}
	c.Add(0, 0)
	c.Add(1000, 100)
	drawn := DrawReturn(axis, &Return{Mean: c}, 366, 150)
	line, words := strings.LastIndex(drawn, `class="tick mark"`), strings.Index(drawn, `class="label halo `)
	if strings.Count(drawn, `class="tick mark"`) != 2 || words < line {
		t.Errorf("the last hairline is at %d, the first words at %d of %s", line, words, drawn)
	}
}

func TestTicksAreRoundAndInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 1e6).Draw(t, "wide")
		at, labels := Ticks(lo, hi, 4)
		if len(at) < 2 || len(at) > 9 {
			t.Fatalf("%d ticks in [%v, %v]", len(at), lo, hi)
		}
		for i, v := range at {
			if v < lo-1e-6*(hi-lo) || v > hi+1e-6*(hi-lo) {
				t.Fatalf("tick %v outside [%v, %v]", v, lo, hi)
			}
			if i > 0 && labels[i] == labels[i-1] && math.Abs(v) < 1e4 {
				t.Fatalf("two ticks read %q", labels[i])
			}
		}
	})
}

func TestACurveOfOnePointIsADot(t *testing.T) {
	c := &Curve{}
	c.Add(160, 14)
	axis := &Time{Steps: 166}
	for name, svg := range map[string]string{
		"return": DrawReturn(axis, &Return{Mean: c, Recent: c}, 366, 150),
		"lane":   DrawLane(axis, []Line{{Curve: c, Class: "line hand pi"}}, 0, 1, 366, 35),
	} {
		dot := regexp.MustCompile(`<circle class="line hand pi" cx="([0-9.]+)" cy="([0-9.]+)" r="2"`).FindStringSubmatch(svg)
		if dot == nil {
			t.Errorf("%s has no dot: %s", name, svg)
			continue
		}
		if x, err := strconv.ParseFloat(dot[1], 64); err != nil || x < 340 || x > 364 {
			t.Errorf("%s: the dot at step 160 of 166 is at %s of 366 pixels", name, dot[1])
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: %s", name, svg)
		}
	}
}
