package command

// Curves of training, drawn into a file: a thin line for each seed, the interquartile mean over seeds, and its 95 %
// bootstrap interval. Over seeds, never over episodes.

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/web/palette"
)

// plottable refuses a file whose kind the plotter does not know, or whose folder takes none, before anything is
// trained.
func plottable(file string, budget uint64) error {
	switch filepath.Ext(file) {
	case ".svg", ".png", ".pdf":
	default:
		return fmt.Errorf("--plot %q: want a file whose name ends in .svg, .png or .pdf", file)
	}
	if budget == 0 {
		return fmt.Errorf("--plot with steps=0: a curve needs an end; set --steps")
	}
	return writable("--plot", file)
}

// drawCurves writes the curves of runs of one budget into a file.
func drawCurves(file, title string, curves []trial.Curve) error {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = "environment steps", "mean return of the last 100 episodes"
	p.Add(plotter.NewGrid())
	for i := range curves {
		if err := addLine(p, pointsOf(&curves[i]), ink(90), 0.6); err != nil {
			return err
		}
	}
	mean, band := bandOf(trial.Together(curves))
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

// pointsOf are those of one run that have a return.
func pointsOf(c *trial.Curve) (out plotter.XYs) {
	for i, v := range c.At {
		if !math.IsNaN(v) {
			out = append(out, plotter.XY{X: c.Step(i), Y: v})
		}
	}
	return out
}

// bandOf is the mean of several runs, and the outline of its interval: there above it and back below.
func bandOf(points []trial.Point) (mean, band plotter.XYs) {
	for _, p := range points {
		mean, band = append(mean, plotter.XY{X: p.Step, Y: p.Mean}), append(band, plotter.XY{X: p.Step, Y: p.High})
	}
	for _, p := range slices.Backward(points) {
		band = append(band, plotter.XY{X: p.Step, Y: p.Low})
	}
	return mean, band
}

// ink is the blue of what learns, on light paper.
func ink(alpha uint8) color.Color {
	c := palette.Of(palette.Target, false)
	return color.NRGBA{R: c.R, G: c.G, B: c.B, A: alpha}
}
