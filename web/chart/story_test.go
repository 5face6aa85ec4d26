package chart

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"impalab/web/chart/charttest"
)

// told is a story of the first page: both learn equally, the lag changes, the right one falls, and perhaps gets up.
func told(r *rand.Rand) *Story {
	late, down := uint64(40_000+r.IntN(50_000)), uint64(0)
	ten, hundred := [2]*Curve{{}, {}}, [2]*Curve{{}, {}}
	end := late + uint64(10_000+r.IntN(60_000))
	after := uint64(r.IntN(60_000))
	mean, score := [2]float64{20, 20}, [2]float64{20, 20}
	for step := uint64(500); step < end+after; step += 500 {
		for side := range 2 {
			aim := 500 * math.Min(1, float64(step)/80_000)
			switch {
			case side == 1 && step >= end:
				aim = 500 * math.Max(0, float64(step-end)-20_000) / 20_000
			case side == 1 && step > end-4_000:
				aim = 10
			}
			score[side] += 0.35*(aim-score[side]) + 25*r.NormFloat64()
			score[side] = math.Min(500, math.Max(9, score[side]))
			mean[side] += 0.02 * (score[side] - mean[side])
			ten[side].Add(step, float32(score[side]))
			hundred[side].Add(step, float32(mean[side]))
		}
	}
	down = end - 2_500
	names, note := [2]string{"V-trace", "no correction"}, []string{"it fell:", "461 → 28", "in four seconds"}
	if after > 0 {
		names[1] = "V-trace, late"
	}
	return &Story{Steps: max(160_000, end+after+end/25), Until: end + after, High: 500,
		Title: "Steps the pole stays up", Thin: "thin: mean of 100 episodes",
		Learners: []Learner{{ten[0], hundred[0], "left", names[0]}, {ten[1], hundred[1], "right", names[1]}},
		Turns:    []Turn{{late, "lag 0 → 64", "old"}, {end, "V-trace given", "left"}},
		Fall:     &Fall{down, float64(ten[1].At(down)), note}}
}

// The words inside the chart of the first page cover no curve and no other words at every size.
func TestTheWordsOfTheStoryCoverNoCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [...][2]float64{{1200, 210}, {984, 230}, {366, 262}} {
		covered, all := 0, 0
		for i := range 16 {
			inside := DrawStory(told(r), size[0], size[1])
			words, curves := wordsOf(t, inside)
			if n := strings.Count(inside, `"halo note"`); n == 0 || strings.Count(inside, `"halo name `) != 2 {
				t.Fatalf("%v: not all words are there: %s", size, inside)
			}
			for k, one := range words {
				all++
				hit := ""
				for _, curve := range curves {
					for _, p := range curve {
						if p.x > one.from.x && p.x < one.to.x && p.y > one.from.y && p.y < one.to.y {
							hit = "a curve"
						}
					}
				}
				for _, other := range words[:k] {
					if one.from.x < other.to.x && other.from.x < one.to.x && one.from.y < other.to.y && other.from.y < one.to.y {
						hit = other.text
					}
				}
				if one.from.x < 0 || one.to.x > size[0]+4 || hit != "" {
					covered++
					if testing.Verbose() {
						t.Logf("%v, story %d: %q covers %s or leaves the chart", size, i, one.text, hit)
					}
				}
			}
		}
		if covered > all/25 { // some curves fill the chart of a phone
			t.Errorf("%v: %d of %d words cover something", size, covered, all)
		}
	}
}

type word struct {
	text     string
	from, to point
}

// wordsOf are the notes and names of a chart, as small as they are in any font, and its curves, pixel by pixel.
func wordsOf(t *testing.T, inside string) (words []word, curves [][]point) {
	t.Helper()
	charttest.Elements(t, "story", inside, func(e xml.StartElement) {
		class := charttest.Attribute(e, "class")
		switch {
		case e.Name.Local == "text" && strings.HasPrefix(class, "halo n"):
			at := func(name string) float64 {
				v, err := strconv.ParseFloat(charttest.Attribute(e, name), 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			x, y := at("x"), at("y")
			rest := inside[strings.Index(inside, fmt.Sprintf(`class="%s" x="%s" y="%s"`, class, charttest.Attribute(e, "x"),
				charttest.Attribute(e, "y"))):]
			text := rest[strings.Index(rest, ">")+1 : strings.Index(rest, "</text>")]
			words = append(words, word{text, point{x, y - 11}, point{x + wide(text), y + 2}})
		case e.Name.Local == "path" && strings.HasPrefix(class, "line"):
			var curve []point
			var last point
			pen := func(r rune) bool { return r == 'M' || r == 'L' }
			for i, one := range strings.FieldsFunc(charttest.Attribute(e, "d"), pen) {
				var p point
				if _, err := fmt.Sscan(one, &p.x, &p.y); err != nil {
					t.Fatal(err)
				}
				for k := 1.0; i > 0 && k <= 6; k++ {
					curve = append(curve, point{last.x + (p.x-last.x)*k/6, last.y + (p.y-last.y)*k/6})
				}
				last = p
			}
			curves = append(curves, curve)
		}
	})
	return words, curves
}
