package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/link"
	"impalab/web/number"
)

// Views of a sweep of one setting, and the names of their files.
const (
	ViewOver   = "over"   // the returns over the setting
	ViewCurves = "curves" // the curves of all values
	ViewSeeds  = "seeds"  // the curves of one cell's seeds
	ViewMap    = "map"    // which seeds ended at chance, over policy lag and learning rate
)

// Figures returns the figures of a sweep, the first for its page. A sweep of two settings has only one for each cell.
func (s *Sweep) Figures() []string {
	if len(s.Keys) == 1 {
		return []string{ViewOver, ViewCurves, ViewSeeds}
	}
	if s.Map != nil {
		return []string{ViewMap, ViewSeeds}
	}
	return []string{ViewSeeds}
}

// Chart returns the chart over the setting of the sweep, which has one.
func (s *Sweep) Chart() *chart.Over {
	o := &chart.Over{Row: s.axes()[0].Row, Chosen: s.Chosen}
	if preset, err := hyper.FromPreset(s.Preset); err == nil {
		o.Preset = preset.Get(o.Row.Key)
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		r := chart.Result{Value: c.Values[0], Asked: len(c.Runs), Ended: c.Over,
			Level: chart.Level{Mean: float64(c.Mean), Low: float64(c.Low), High: float64(c.High)}}
		for _, m := range c.Runs {
			if m.Counts {
				r.Seeds = append(r.Seeds, chart.SeedReturn{Return: m.Return, Diverged: m.State == "diverged"})
			}
		}
		o.At = append(o.At, r)
	}
	return o
}

// figure is the figure of the page.
func (s *Sweep) figure() string {
	if s.View == ViewCurves {
		return s.View
	}
	return s.Figures()[0]
}

// says describes a cell for screen readers.
func (s *Sweep) says(n int) string {
	_, _, says := cellState(&s.Cells[n])
	return s.cellName(n) + ": " + says
}

// sweepFile is the address of a figure of a sweep.
func (d *Data) sweepFile(s Sweep, view, kind string) templ.SafeURL {
	return templ.SafeURL(fmt.Sprintf("%ss/%s/%s.%s?cell=%d", d.Base, s.ID, view, kind, s.Chosen))
}

// ranks is the number of widths in which the lines of ordered values are drawn.
const ranks = 5

// Groups returns the lines of all values of the sweep's setting, from the curves of its cells. The chosen one is ink
// with its interval; the others are the wider the greater their value is.
func (s *Sweep) Groups(middles [][]chart.Middle) []chart.Group {
	groups := make([]chart.Group, len(s.Cells))
	row := s.axes()[0].Row
	tone := row.Tone
	if tone == "" {
		tone = "pi"
	}
	for place, i := range s.Chart().Order() {
		g := chart.Group{Name: s.cellName(i), Tone: tone, Bare: true, Middle: middles[i],
			Class: "rank" + strconv.Itoa(place*ranks/max(1, len(s.Cells)))}
		if i == s.Chosen {
			g.Tone, g.Class, g.Bare = "ink", "hand", false
		}
		groups[i] = g
	}
	return groups
}

// plotTitle is the title of a figure that stands alone.
func (s *Sweep) plotTitle(view string) string {
	switch {
	case view == ViewMap:
		return "How late is too late? " + s.title()
	case view == ViewSeeds && len(s.Keys) > 0:
		return s.presetTitle() + ": " + s.cellName(s.Chosen) + ", " + seedCount(len(s.Seeds))
	case view == ViewSeeds:
		return s.title()
	case view == ViewCurves:
		return s.title() + ", " + strconv.Itoa(len(s.Cells)) + " values"
	}
	return s.presetTitle() + ": return over " + inSentence(s.axes()[0].Words)
}

// PlotTitle is the title of a figure that stands alone, with the settings that differ from the preset.
func (s *Sweep) PlotTitle(view string) string {
	title := s.plotTitle(view)
	for _, one := range s.turned() {
		title += ", " + turnedWords(one.Key, one.Value)
	}
	if len(title) > 90 { // the caption names them
		return s.plotTitle(view)
	}
	return title
}

// Caption says everything that is needed to read a figure of the sweep and to do it again, but its address.
func (s *Sweep) Caption(view string) string {
	seeds, n := SeedWords(s.Seeds), s.counts(view)
	with := s.base(view)
	none := s.divergedWords(view)
	const least = "Mean return of the last 100 episodes"
	steps := number.Count(s.Base.Steps)
	switch {
	case view == ViewMap:
		return s.mapCaption()
	case len(s.Seeds) == 1 && view == ViewOver:
		return fmt.Sprintf("%s after %s steps, over %s; %s. Rings: %s. One seed has neither mean nor interval. %s", least,
			steps, s.axisName(), with, seeds, none)
	case len(s.Seeds) == 1:
		return fmt.Sprintf("%s over %s steps; %s. Line: %s. One seed has neither mean nor interval. %s", least, steps, with,
			seeds, none)
	case view == ViewOver:
		return fmt.Sprintf("%s after %s steps, over %s; %s. Rings: %s. Dots: their interquartile mean. Bars: its 95\u00a0%% "+
			"interval, bootstrap over the %s. %s", least, steps, s.axisName(), with, seeds, n, none)
	case view == ViewCurves:
		return fmt.Sprintf("%s over %s steps, for %d values of %s; %s. Lines: interquartile mean over %s. Band, of %s only: "+
			"its 95\u00a0%% interval, bootstrap over the %s. %s", least, steps, len(s.Cells), s.axisName(), with, seeds,
			s.cellName(s.Chosen), n, none)
	}
	return fmt.Sprintf("%s over %s steps; %s. Thin: %s. Thick: their interquartile mean. Band: its 95\u00a0%% interval, "+
		"bootstrap over the %s, never over episodes. %s", least, steps, with, seeds, n, none)
}

// axisName names the setting over which the sweep goes.
func (s *Sweep) axisName() string {
	row := s.axes()[0].Row
	return strings.TrimSpace(inSentence(row.Words) + " " + row.Inline())
}

// turned returns the settings of all runs that differ from the preset.
func (s *Sweep) turned() []hyper.Setting {
	cfg := s.Base
	return slices.DeleteFunc(differences(s.Preset, cfg.Settings()), func(one hyper.Setting) bool {
		return slices.ContainsFunc(s.Keys, func(a Axis) bool { return a.Key == one.Key }) ||
			slices.Contains([]string{"steps", "seed", "speed"}, one.Key)
	})
}

// base says from which preset the runs of a figure start, and every setting that differs from it.
func (s *Sweep) base(view string) string {
	differ := s.turned()
	if view == ViewSeeds {
		for k, value := range s.Cells[s.Chosen].Values {
			differ = append(differ, hyper.Setting{Key: s.Keys[k].Key, Value: value})
		}
	}
	return StartWords(s.Preset, differ, s.Turns)
}

// StartWords says which preset runs start from, every setting that differs from it, with the preset's value, and the
// changes on the way.
func StartWords(preset string, differ []hyper.Setting, turns []hyper.PlannedChange) string {
	base, err := hyper.FromPreset(preset)
	title := link.PresetOf(preset).Title
	if err != nil || title == "" {
		title = preset
	}
	var with []string
	for _, one := range differ {
		words := turnedWords(one.Key, one.Value)
		if row, _ := hyper.Lookup(one.Key); row != nil && err == nil && base.Get(one.Key) != one.Value {
			words += " (the preset has " + chart.ValueName(row, base.Get(one.Key)) + ")"
		}
		with = append(with, words)
	}
	words := title
	if len(with) > 0 {
		words += " with " + strings.Join(with, ", ")
	}
	if err == nil {
		words += ", all else as the preset"
	}
	if len(turns) > 0 {
		words += "; on the way " + strings.ReplaceAll(hyper.FormatPlan(turns), ",", ", ")
	}
	return words
}

// turnedWords writes a setting as its key and its value.
func turnedWords(key, value string) string {
	if row, err := hyper.Lookup(key); err == nil {
		value = chart.ValueName(row, value)
	}
	return key + " " + value
}

// SeedWords names seeds: seeds 1 to 8.
func SeedWords(seeds []uint64) string {
	last := len(seeds) - 1
	switch {
	case last == 0:
		return fmt.Sprintf("seed %d", seeds[0])
	case last > 1 && seeds[last]-seeds[0] == uint64(last) && slices.IsSorted(seeds):
		return fmt.Sprintf("seeds %d to %d", seeds[0], seeds[last])
	}
	var words []string
	for _, one := range seeds {
		words = append(words, strconv.FormatUint(one, 10))
	}
	return "seeds " + strings.Join(words, ", ")
}

func seedCount(n int) string {
	if n == 1 {
		return "1 seed"
	}
	return fmt.Sprintf("%d seeds", n)
}

// shown returns the cells that a figure shows.
func (s *Sweep) shown(view string) []Cell {
	if view == ViewSeeds {
		return s.Cells[s.Chosen : s.Chosen+1]
	}
	return s.Cells
}

// counts says how many seeds a figure's estimates have.
func (s *Sweep) counts(view string) string {
	cells := s.shown(view)
	low, high := cells[0].N, cells[0].N
	for i := range cells {
		low, high = min(low, cells[i].N), max(high, cells[i].N)
	}
	switch {
	case low < high:
		return fmt.Sprintf("n = %d to %d of %s", low, high, seedCount(len(s.Seeds)))
	case low < len(s.Seeds):
		return fmt.Sprintf("n = %d of %s", low, seedCount(len(s.Seeds)))
	}
	return fmt.Sprintf("n = %s", seedCount(low))
}

// divergedWords says how many runs of a figure diverged, and how many are missing.
func (s *Sweep) divergedWords(view string) string {
	runs, diverged, over := 0, 0, 0
	for _, c := range s.shown(view) {
		runs, diverged, over = runs+len(c.Runs), diverged+c.Diverged, over+c.Over
	}
	words := fmt.Sprintf("None of %d runs diverged.", runs)
	if diverged > 0 {
		words = fmt.Sprintf("%d of %d runs diverged (crosses) and count with their last return.", diverged, runs)
		if view == ViewSeeds {
			words = strings.Replace(words, " (crosses)", "", 1)
		}
	}
	if over < runs {
		words += fmt.Sprintf(" %d of %d runs have ended.", over, runs)
	}
	return words
}
