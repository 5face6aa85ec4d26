package main

import (
	"path/filepath"

	"impalab/learner/trial"
	"impalab/server/command"
)

// draw writes the chart of a study below the top folder of the source. Without a chart it does nothing.
func draw(t *trial.StudyTable, source string) error {
	if t.Study.Chart == nil {
		return nil
	}
	return command.DrawStudy(filepath.Join(source, trial.PlotFolder, t.Study.Chart.File), t)
}
