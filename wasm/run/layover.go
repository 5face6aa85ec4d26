package run

import (
	"errors"
	"strconv"
	"strings"

	"impalab/learner/telemetry"
)

// LayOver draws a stored run in grey behind every chart, in the place of the run before. Its curves are the CSV of the
// API: the step, then a column for each series. Without any, the charts show no other run.
func (m *Run) LayOver(name, world, csv string) error {
	m.CurveRevision++
	m.ghost = ghost{}
	if csv == "" {
		return nil
	}
	stored := &Curves{}
	head, rest, _ := strings.Cut(csv, "\n")
	names := strings.Split(strings.TrimSpace(head), ",")
	for line := range strings.Lines(rest) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		step, err := strconv.ParseUint(cells[0], 10, 64)
		if err != nil || len(cells) != len(names) {
			return errors.New("the curves of the stored run cannot be read")
		}
		for i, cell := range cells {
			if v, err := strconv.ParseFloat(cell, 32); err == nil && i > 0 { // an empty cell has no value
				stored.add(names[i], step, float32(v))
			}
		}
	}
	if len(stored.Return.Columns) == 0 {
		return errors.New("no episode of the stored run has ended, so it has no curve")
	}
	const longest = 40 // letters, of a name beside its curve
	if letters := []rune(name); len(letters) > longest {
		name = string(letters[:longest-1]) + "…"
	}
	m.ghost = ghost{Curves: stored, world: world, before: name, stored: true}
	return nil
}

// add adds a value to the curve of a series, if the Lab shows it.
func (c *Curves) add(series string, step uint64, v float32) {
	switch row := telemetry.LookupMetric(series); {
	case row >= 0:
		c.Histories[row].Add(step, v)
	case series == "return_mean_100":
		c.Return.Add(step, v)
	case series == "return_mean_10":
		c.Recent.Add(step, v)
	case series == "value_error":
		c.Error.Add(step, v)
	}
}
