package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestLevelsStandOverTheirPlaces(t *testing.T) {
	lines := []LevelLine{
		{Name: "V-trace", Tone: "corrected", At: []Level{{490, 480, 500}, {480, 460, 495}}},
		{Name: "none", Tone: "cut", At: []Level{{495, 490, 500}, {Mean: math.NaN()}}},
	}
	drawn := DrawLevels(&Levels{Axis: "lag", Places: []string{"0", "8"}, Lines: lines}, 720, 320)
	for _, want := range []string{">V-trace<", ">none<", ">0<", ">8<", ">lag<"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("no %s", want)
		}
	}
	dots, bars := strings.Count(drawn, "<circle"), strings.Count(drawn, `class="line recent`)
	if dots != 2+3 || bars != 3 || strings.Contains(drawn, "NaN") {
		t.Errorf("%d dots and %d intervals for two names and three levels: %s", dots, bars, drawn)
	}
}

func TestADashedLineHasHollowDots(t *testing.T) {
	for i, holes := range map[int]int{0: 0, 6: 0, 7: 2, 8: 2} {
		l := Levels{Places: []string{"Breakout"}, Lines: []LevelLine{{Tone: LevelTone(i), At: []Level{{1, 0, 2}}}}}
		if n := strings.Count(DrawLevels(&l, 720, 320), `class="hole"`); n != holes {
			t.Errorf("line %d has %d hollow dots, of the name and of one level", i, n)
		}
	}
}

func TestNoLineJoinsPlacesWithoutOrder(t *testing.T) {
	l := Levels{Places: []string{"Breakout", "Freeway"}, Lines: []LevelLine{{At: []Level{{1, 0, 2}, {3, 2, 4}}}}}
	if drawn := DrawLevels(&l, 720, 320); !strings.Contains(drawn, "<path") {
		t.Error("no line joins ordered places")
	}
	l.Apart = true
	if drawn := DrawLevels(&l, 720, 320); strings.Contains(drawn, "<path") {
		t.Error("a line joins places that have no order")
	}
}

func TestNoTwoLinesHaveOneTone(t *testing.T) {
	seen := map[string]bool{}
	for i := range 2 * len(levelTones) {
		seen[LevelTone(i)] = true
	}
	if len(seen) != 2*len(levelTones) {
		t.Errorf("%d lines have %d tones", 2*len(levelTones), len(seen))
	}
}

func TestNamesOfLevelsBreakIntoRows(t *testing.T) {
	const w = 720.0
	l := Levels{Axis: "game", Places: []string{"one"}}
	for i := range 9 {
		at := []Level{{Mean: 1, High: 2}}
		l.Lines = append(l.Lines, LevelLine{Name: "IMPALA, without PopArt", Tone: LevelTone(i), At: at})
	}
	rows := map[string]float64{}
	name := regexp.MustCompile(`x="([\d.]+)" y="([\d.]+)"[^>]*>IMPALA`)
	for _, m := range name.FindAllStringSubmatch(DrawLevels(&l, w, 300), -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		if x+wide(l.Lines[0].Name) > w {
			t.Errorf("a name at %v ends outside %v", x, w)
		}
		if last, ok := rows[m[2]]; ok && x < last+wide(l.Lines[0].Name) {
			t.Errorf("the names at %v and %v of one row cover each other", last, x)
		}
		rows[m[2]] = x
	}
	if len(rows) < 2 {
		t.Errorf("rows %v, want more than one", rows)
	}
}
