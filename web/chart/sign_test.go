package chart

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

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
