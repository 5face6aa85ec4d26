package firstpage

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"impalab/web/chart"
	"impalab/web/chart/charttest"
	"impalab/web/wire"
)

func TestTheChartShowsBothCurvesTheTurnAndTheFall(t *testing.T) {
	p := begin(t, "")
	p.learn(60_000, 350, 350)
	for _, lag := range []string{"1", "2", "4", "64"} {
		p.Drag(lag)
		p.learn(p.sides[1].step+1000, 350, 350)
	}
	p.learn(100_000, 300, 20)
	for w, say := range map[float64]string{380: "350 → 20", 1200: "lag 0 → 64"} {
		drawn := p.Chart(w, 220)
		charttest.Elements(t, "story", drawn, func(xml.StartElement) {})
		for _, want := range []string{"line hand pi", "line other", say, "350 → 20", "lake", "no correction", "V-trace"} {
			if !strings.Contains(drawn, want) {
				t.Errorf("%.0f wide, it lacks %q", w, want)
			}
		}
		if strings.Contains(drawn, "lag 1 → 2") || strings.Contains(drawn, "NaN") {
			t.Errorf("%.0f wide: %s", w, drawn)
		}
	}
}

// The cross, the numeral and the numbers of a fall lie behind the turn, also where the curve sank before it.
func TestAFallBeginsNoEarlierThanTheTurn(t *testing.T) {
	p := begin(t, "#second")
	for ten := float32(460); p.sides[1].step < cheetah.dragAt; ten -= 2.6 {
		p.learn(p.sides[1].step+1000, 380, ten)
	}
	turned := p.turned
	for ten := float32(200); ten > 20 && p.fellAt == 0; ten -= 4 {
		p.learn(p.sides[1].step+1000, 250, ten)
	}
	if turned == 0 || p.fellAt == 0 {
		t.Fatalf("turned at %d, fell at %d", turned, p.fellAt)
	}
	half, from, to := p.fall()
	if half <= turned || from > 210 || to >= from {
		t.Errorf("turned at %d, the cross is at %d, from %v to %v", turned, half, from, to)
	}
	if n := p.numerals(); len(n) != 3 || n[0].Step >= n[1].Step || n[1].Step >= n[2].Step {
		t.Errorf("the numerals are not in order: %+v", n)
	}
	if said := p.Steps(64)[2].Text(); !strings.Contains(said, whole(from)+" → ") {
		t.Errorf("the story says %q", said)
	}
}

// A run that is ahead halves the columns of its curve first. The two are one line all the same, until they part.
func TestTwoCurvesAreAlikeAlsoWhereOneIsCoarser(t *testing.T) {
	for ahead := range 7 {
		var a, b chart.Curve
		const parts = 3000
		for step := range uint64(3500) {
			a.Add(step, float32(step))
			if step+uint64(ahead) >= 3500 {
				continue
			}
			if v := float32(step); step < parts {
				b.Add(step, v)
			} else {
				b.Add(step, -v)
			}
		}
		if got := alikeUntil(&a, &b); got >= parts || got < parts-64 {
			t.Fatalf("%d ahead, they are alike until %d, and part at %d", ahead, got, parts)
		}
	}
	for n := uint64(1); n < 3000; n++ {
		var a, b chart.Curve
		for step := range n {
			a.Add(step, float32(step))
			if step+5 < n {
				b.Add(step, float32(step))
			}
		}
		if got := alikeUntil(&a, &b); got != math.MaxUint64 && n > 5 {
			t.Fatalf("of %d points each, they are alike until %d", n, got)
		}
	}
}

// Each step's number stands above the chart at its moment, and a step that is near a later one is left out.
func TestTheNumeralsStandAtTheStepsOfTheStory(t *testing.T) {
	p := begin(t, "")
	p.learn(60_000, 350, 350)
	p.Drag("64")
	p.learn(90_000, 300, 350)
	p.learn(100_000, 300, 20)
	p.Press()
	p.learn(110_000, 300, 100)
	at := map[string]string{}
	charttest.Elements(t, "story", p.Chart(1200, 220), func(e xml.StartElement) {
		if step := charttest.Attribute(e, "data-numeral"); step != "" {
			at[step] = charttest.Attribute(e, "class")
		}
	})
	var want []string
	for _, s := range p.Steps(64) {
		want = append(want, strconv.FormatUint(s.At, 10))
	}
	if len(want) != 4 || len(at) != 3 {
		t.Fatalf("the story has %d steps, the chart %d numerals", len(want), len(at))
	}
	for i, step := range want {
		class := "numeral past"
		switch i {
		case 3:
			class = "numeral now"
		case 2: // at the fourth's step: the later one is drawn
			class = "numeral now"
		}
		if at[step] != class {
			t.Errorf("step %d at %s is drawn as %q, want %q: %v", i+1, step, at[step], class, at)
		}
	}
}

// Before the turn both curves are one line. After it a lake lies where V-trace is higher, and it says its depth.
func TestTheLakeLiesBetweenTheCurvesFromWhereTheyPart(t *testing.T) {
	p := begin(t, "")
	for step := uint64(1000); step <= 60_000; step += 1000 {
		for side := range 2 {
			p.hear(side, &wire.Point{Step: step, Return: 300, Recent: 300})
		}
	}
	if drawn := p.Chart(1200, 220); strings.Contains(drawn, "lake") || !strings.Contains(drawn, "alike so far") {
		t.Error("a lake lies between equal curves")
	}
	p.Drag("64")
	p.learn(90_000, 300, 350)
	p.learn(100_000, 300, 20)
	drawn := p.Chart(1200, 220)
	if lakes := strings.Count(drawn, `class="lake"`); lakes != 1 || !strings.Contains(drawn, "is worth: 380") {
		t.Errorf("%d lakes in %s", lakes, drawn)
	}
	first := drawn[strings.Index(drawn, `class="lake" d="M`)+len(`class="lake" d="M`):]
	x, err := strconv.ParseFloat(first[:strings.IndexByte(first, ' ')], 64)
	if want := 1200 * 60_000 / 160_000.; err != nil || math.Abs(x-want) > 8 {
		t.Errorf("it begins at %v, want %v: %v", x, want, err)
	}
	if strings.Index(drawn, "lake") > strings.Index(drawn, "axis") {
		t.Error("the lake covers the grid")
	}
	if narrow := p.Chart(380, 220); strings.Contains(narrow, "worth:") {
		t.Error("a phone's chart has words about the lake")
	}
}

// While both are held at a fall, its end is one number: in the chart, in the story and on the stage, however far the
// run has gone since.
func TestAFallHasOneNumber(t *testing.T) {
	p := begin(t, "")
	p.learn(80_000, 380, 400)
	p.Drag("64")
	p.learn(90_000, 380, 400)
	p.learn(91_000, 280, 27)
	step := p.sides[1].step
	for side := range 2 { // one more point was on its way
		p.hear(side, &wire.Point{Step: step + 1000, Return: 270, Recent: 22})
	}
	_, from, to := p.fall()
	score, _ := p.Shown(true)
	if p.Phase != Held || score != whole(to) || !strings.Contains(p.Chart(1200, 220), whole(from)+" → "+score) ||
		!strings.Contains(p.Steps(64)[2].Text(), whole(from)+" → "+score) {
		t.Errorf("phase %v, stage %s, fall %v to %v, story %q", p.Phase, score, from, to, p.Steps(64)[2].Text())
	}
}

// "Why?" says what parted the two before anything was turned, and is silent about what the turn did.
func TestWhySaysWhatPartedThemBeforeTheTurn(t *testing.T) {
	for parts, want := range map[uint64]string{40_000: "part at 40 k steps, before anything is turned", 1e9: ""} {
		p := begin(t, "")
		for p.sides[1].step < 60_000 {
			ten := float32(400)
			if p.sides[1].step >= parts {
				ten = 401
			}
			p.learn(p.sides[1].step+1000, 380, ten)
		}
		if told := p.Steps(0)[0].Text(); strings.Contains(told, "only rounding tells them apart") != (want != "") {
			t.Errorf("parted at %d, step 1 says %q", parts, told)
		}
		p.Drag("64")
		p.learn(70_000, 380, 200)
		if got := strings.ReplaceAll(p.Parted(), "\u2009", " "); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("parted at %d, Why? says %q", parts, got)
		}
	}
}
