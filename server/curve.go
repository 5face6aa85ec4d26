package main

// Curves of training, drawn into a file: a thin line for each seed, the interquartile mean over seeds, and its 95 %
// bootstrap interval. Over seeds, never over episodes.

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"impalab/learner"
	"impalab/server/atomicfile"
	"impalab/web/palette"
)

// curvePoints is how many points a curve has: as many as an eye tells apart.
const curvePoints = 200

// curve is a run's mean return of the last hundred episodes, at equal distances of its budget; NaN before the first.
type curve struct {
	budget uint64
	at     []float64
}

// record takes a point each time the run has come so far; hooks are the run's own.
func (c *curve) record(hooks learner.Hooks) learner.Hooks {
	before := hooks.Between
	hooks.Between = func(l *learner.Learner) error {
		c.reach(l)
		if before != nil {
			return before(l)
		}
		return nil
	}
	return hooks
}

// reach fills the points up to where the run is.
func (c *curve) reach(l *learner.Learner) {
	for len(c.at) < curvePoints && l.Steps() >= c.budget*uint64(len(c.at)+1)/curvePoints {
		c.at = append(c.at, l.Return100())
	}
}

// plottable refuses a file whose kind the plotter does not know, or whose folder takes none, before anything is trained.
func plottable(file string, budget uint64) error {
	switch filepath.Ext(file) {
	case ".svg", ".png", ".pdf":
	default:
		return fmt.Errorf("--plot %q: want a file whose name ends in .svg, .png or .pdf", file)
	}
	if budget == 0 {
		return fmt.Errorf("--plot with steps=0: a curve needs an end; set --steps")
	}
	if err := atomicfile.Check(filepath.Dir(file)); err != nil {
		return fmt.Errorf("--plot %q cannot be written: %w", file, err)
	}
	return nil
}

// drawCurves writes the curves of runs of one budget into a file.
func drawCurves(file, title string, curves []curve) error {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = "environment steps", "mean return of the last 100 episodes"
	p.Add(plotter.NewGrid())
	for i := range curves {
		if err := addLine(p, curves[i].points(), ink(90), 0.6); err != nil {
			return err
		}
	}
	mean, band := together(curves)
	if len(curves) > 1 && len(band) > 2 {
		area, err := plotter.NewPolygon(band)
		if err != nil {
			return fmt.Errorf("plot: %w", err)
		}
		area.Color, area.LineStyle.Width = ink(40), 0
		p.Add(area)
	}
	if err := addLine(p, mean, ink(255), 2); err != nil {
		return err
	}
	picture, err := p.WriterTo(18*vg.Centimeter, 9*vg.Centimeter, strings.TrimPrefix(filepath.Ext(file), "."))
	if err == nil {
		err = atomicfile.Write(file, 0o644, func(w io.Writer) error {
			_, err := picture.WriteTo(w)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}

func addLine(p *plot.Plot, points plotter.XYs, of color.Color, width float64) error {
	if len(points) == 0 {
		return nil
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	line.Color, line.Width = of, vg.Points(width)
	p.Add(line)
	return nil
}

// points are those of one run that have a return.
func (c *curve) points() (out plotter.XYs) {
	for i, v := range c.at {
		if !math.IsNaN(v) {
			out = append(out, plotter.XY{X: c.step(i), Y: v})
		}
	}
	return out
}

func (c *curve) step(i int) float64 { return float64(c.budget) * float64(i+1) / curvePoints }

// together is the interquartile mean over the runs where all have a return, and the outline of its interval.
func together(curves []curve) (mean, band plotter.XYs) {
	var low plotter.XYs
	for i := range curvePoints {
		var values []float64
		for _, c := range curves {
			if i < len(c.at) && !math.IsNaN(c.at[i]) {
				values = append(values, c.at[i])
			}
		}
		if len(values) < len(curves) {
			continue
		}
		m, lo, hi := interval(values, interquartileMean)
		x := curves[0].step(i)
		mean, band, low = append(mean, plotter.XY{X: x, Y: m}), append(band, plotter.XY{X: x, Y: hi}), append(low, plotter.XY{X: x, Y: lo})
	}
	for i := len(low) - 1; i >= 0; i-- {
		band = append(band, low[i])
	}
	return mean, band
}

// ink is the blue of what learns, on light paper.
func ink(alpha uint8) color.Color {
	c := palette.Of(palette.Target, false)
	return color.NRGBA{R: c.R, G: c.G, B: c.B, A: alpha}
}
