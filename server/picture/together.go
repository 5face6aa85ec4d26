package picture

import (
	"fmt"
	"slices"
	"strings"

	"impalab/server/store"
	"impalab/web/chart"
)

// MostTogether limits the runs of one chart. The Lab has as many columns.
const MostTogether = 4

// Size of their chart on a wide page, in pixels.
const togetherWide, togetherHigh = 1250, 200

// Together returns one low and wide chart of the returns of at most MostTogether runs. Run k has letter k, from A. The
// first run has the colour of the return, the others are ink.
func Together(runs []Run) Chart {
	var first *chart.Curve
	var others []chart.Line
	var words []string
	var falls []chart.Episode
	steps := uint64(0)
	for k := range runs {
		r, letter := &runs[k], string(rune('A'+k))
		c := r.curve(store.CurveReturn, "")
		steps = max(steps, r.Steps, lastStep(c))
		words = append(words, says("Run "+letter, c))
		points, _ := store.PointsOf(r.Curves)
		fell, _ := r.falls(points, c)
		falls = append(falls, fell...)
		if k == 0 {
			first = c
		} else {
			others = append(others, chart.Line{Curve: c, Class: "line other", Sign: letter})
		}
	}
	draw := func(w, h float64) string {
		return chart.DrawReturn(&chart.Time{Steps: steps}, &chart.Return{Mean: first, Others: others, Sign: "A",
			Falls: falls}, w, h)
	}
	return Chart{Name: "together", Title: "Return: mean of the last 100 episodes", Says: strings.Join(words, " "),
		High: togetherHigh, Drawn: drawings(togetherWide, togetherHigh, draw)}
}

func lastStep(c *chart.Curve) uint64 {
	if last := c.Last(); last != nil {
		return last.Step
	}
	return 0
}

// Spark returns a small curve of the return as an SVG path in a box of 100 by 24, "" without two returns.
func Spark(points []store.Point) string {
	const wide, high, columns = 100.0, 24.0, 60
	points = slices.DeleteFunc(slices.Clone(points), func(p store.Point) bool { return p.Value-p.Value != 0 })
	if len(points) < 2 {
		return ""
	}
	low, top := points[0].Value, points[0].Value
	for _, p := range points {
		low, top = min(low, p.Value), max(top, p.Value)
	}
	if top == low {
		top = low + 1
	}
	first, last := points[0].Step, points[len(points)-1].Step
	var path strings.Builder
	for k, stride := 0, max(1, len(points)/columns); k < len(points); k += stride {
		p, letter := points[k], "L"
		if k == 0 {
			letter = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", letter, wide*float64(p.Step-first)/float64(max(1, last-first)),
			high-1-(high-2)*(p.Value-low)/(top-low))
	}
	return path.String()
}
