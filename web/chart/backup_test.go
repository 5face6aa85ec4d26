package chart

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An episode's end is a wall: it is drawn, and neither the ribbon nor the line of targets goes through it.
func TestAnEpisodesEndIsAWallInTheDiagram(t *testing.T) {
	b := &Backup{RhoBar: 1, CBar: 1, ByRho: true, ByC: true, RatioTop: 2, After: math.NaN()}
	for i := range 6 {
		s := BackupStep{Act: "left", Pi: .5, Mu: .5, Ratio: 1, Rho: 1, C: 1, Reach: 1, Delta: .1, Value: 1, Target: 2,
			Ends: i == 2}
		if i > 2 {
			s.Reach = math.NaN()
		}
		b.Steps = append(b.Steps, s)
	}
	drawn, p := DrawBackup(b, 900, 540), PlanBackup(6, 2, 900, 540)
	if n := strings.Count(drawn, `class="wall"`); n != 1 {
		t.Errorf("%d walls", n)
	}
	from, _ := p.Y(BackupReach)
	_, to := p.Y(BackupValue)
	wall := regexp.MustCompile(`class="wall" x="([0-9.]+)" y="([0-9.]+)" width="4" height="([0-9.]+)"`).FindStringSubmatch(drawn)
	for i, want := range []float64{p.X(2) + p.Each/2 - 2, from, to - from} {
		if got, _ := strconv.ParseFloat(wall[i+1], 64); math.Abs(got-want) > 0.1 {
			t.Errorf("the wall's figure %d is %v, want %v", i, got, want)
		}
	}
	targets := regexp.MustCompile(`class="line corrected" d="([^"]*)"`).FindStringSubmatch(drawn)
	if n := strings.Count(targets[1], "M"); n != 2 {
		t.Errorf("the line of targets has %d parts: %s", n, targets[1])
	}
}
