package command

import (
	"fmt"
	"path/filepath"

	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/server/picture"
)

// plottable returns an error if the file's ending is unknown, its folder cannot be written, or the runs have no end.
func plottable(file string, budget uint64) error {
	if ext := filepath.Ext(file); ext != ".svg" && ext != ".png" {
		return fmt.Errorf("--plot %q: must be a file whose name ends in .svg or .png", file)
	}
	if budget == 0 {
		return fmt.Errorf("--plot with steps=0: a curve needs an end; set --steps")
	}
	return writable("--plot", file)
}

// DrawCurves writes the curves of runs of one budget into a file.
func DrawCurves(file, title string, curves []trial.Curve) error {
	sheet := picture.Sheet{Chart: picture.Seeds(title, curves), From: "Mean return of the last 100 episodes over " +
		"environment steps: each seed, their interquartile mean, its 95 % interval."}
	draw := sheet.SVG
	if filepath.Ext(file) == ".png" {
		draw = sheet.PNG
	}
	drawn, err := draw()
	if err == nil {
		err = atomicfile.WriteFile(file, drawn, 0o644)
	}
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	return nil
}
