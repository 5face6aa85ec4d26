package chart

import (
	"math"
	"regexp"
	"strings"
	"testing"
)

// On a logarithmic scale equal factors have equal distances.
func TestALogarithmicScaleShowsFactors(t *testing.T) {
	c := &Curve{}
	for i, v := range []float32{-5, 1, 10, 100} {
		c.Add(uint64(i+1)*100, v)
	}
	r := &Return{Mean: c, Recent: c, Log: true}
	axis := &Time{Steps: 400}
	y := func(v float64) float64 { return ReturnPoint(axis, r, 400, 200, Episode{Step: 100, Return: v}).Y }
	if low, high := y(1)-y(10), y(10)-y(100); low < 30 || math.Abs(low-high) > 1e-9 {
		t.Errorf("from 1 to 10 there are %v pixels, from 10 to 100 %v", low, high)
	}
	if y(-5) != y(1e-9) || y(-5) < y(1) {
		t.Errorf("-5 is at %v, 1 at %v", y(-5), y(1))
	}
	svg := DrawReturn(axis, r, 400, 200)
	for _, label := range []string{">1<", ">10<", ">100<"} {
		if !strings.Contains(svg, label) {
			t.Errorf("no level is labelled %s", label)
		}
	}
	losses := &Curve{}
	losses.Add(100, -5)
	losses.Add(200, -1)
	if svg := DrawReturn(axis, &Return{Mean: losses, Recent: losses, Log: true}, 400, 200); strings.Contains(svg, "NaN") {
		t.Error("returns below 0 have no logarithm")
	}
}

// A part of the axis is drawn over the whole width, and nothing outside of it.
func TestAPartOfTheAxisFillsTheChart(t *testing.T) {
	c := &Curve{}
	for step := uint64(0); step <= 1000; step += 10 {
		c.Add(step, float32(step))
	}
	axis := &Time{From: 400, Steps: 600, Marks: Marks{{Step: 100, Key: "lag", From: "0", To: "8"}}}
	if axis.Share(500) != 0.5 || axis.Step(0.25) != 450 || axis.Share(100) != 0 || axis.Share(900) != 1 {
		t.Errorf("500 is at %v, a quarter is step %d", axis.Share(500), axis.Step(0.25))
	}
	svg := DrawReturn(axis, &Return{Mean: c, Recent: c, Falls: []Episode{{Step: 100, Return: 50}}}, 400, 200)
	for _, x := range regexp.MustCompile(`[ML](-?[0-9.]+) `).FindAllStringSubmatch(svg, -1) {
		if strings.HasPrefix(x[1], "-") {
			t.Errorf("the curve reaches x = %s", x[1])
		}
	}
	if strings.Contains(svg, "cross") || strings.Contains(svg, "policy lag") {
		t.Error("an event before the part is drawn")
	}
	if low := ReturnPoint(axis, &Return{Mean: c, Recent: c}, 400, 200, Episode{Step: 400, Return: 400}); low.X != 0 ||
		low.Y < 170 {
		t.Errorf("its least value is at %v", low)
	}
}
