package page

// The words and links of an entry of the board.

import (
	"fmt"

	"impalab/learner/hyper"
)

// Difference is a setting of an entry and its value at the start, for people to read.
type Difference struct {
	*hyper.Row
	From, To string
}

// Differences returns the differences from the start, in the order of the table of settings.
func Differences(t *Track, e *Entry) (list []Difference) {
	values := hyper.ByKey(e.Settings)
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if value, differs := values[row.Key]; differs {
			list = append(list, Difference{row, row.Name(t.Start.Get(row.Key)), row.Name(value)})
		}
	}
	return list
}

// EntryLink returns the link that opens an entry in the Lab, with the first public seed.
func EntryLink(t *Track, e *Entry) string {
	cfg := e.Config
	cfg.Seed = t.Public[0]
	return labLink(t.Preset, differences(t.Preset, cfg.Settings()), nil)
}

// EntryCommand returns the command that trains an entry on the public seeds.
func EntryCommand(t *Track, e *Entry) string {
	command := "impalab board try " + t.Name
	for _, s := range e.Settings {
		command += " --set " + quote(s.Key+"="+s.Value)
	}
	return command
}

// rankWords returns the rank, with a question mark while it is provisional.
func rankWords(s *Standing) string {
	if s.Provisional && s.Rank != "" {
		return s.Rank + "?"
	}
	return s.Rank
}

// waiting says why public seeds still rank the rows; "" if secret seeds do, or without a season.
func waiting(b *Board) string {
	all := b.Track.Baselines
	switch {
	case b.Season.Number == 0 || b.BySecret:
		return ""
	case !b.Begun:
		return fmt.Sprintf("Nothing has been submitted on this track this season. Its baselines are trained on the "+
			"season's secret seeds when something is; until then their %d public seeds rank them.", len(b.Track.Public))
	}
	return fmt.Sprintf("The baselines are being trained on this season's secret seeds: %d of %d are ready. Until then "+
		"the %d public seeds rank all rows.", b.Ready, all, len(b.Track.Public))
}
