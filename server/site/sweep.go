package site

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/server/lab"
	"impalab/server/site/api"
	"impalab/server/store"
	"impalab/server/sweep"
	"impalab/web"
	"impalab/web/chart"
	"impalab/web/number"
)

// sweepPage serves the page of a sweep, /s/ID. While the sweep runs, the page's script asks for the figure again.
func sweepPage(sweeps *sweep.Sweeps, data web.Data) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx := c.Request().Context()
		s, err := sweeps.Find(ctx, c.Param("id"))
		if err != nil {
			return pageError(err)
		}
		chosen, _ := strconv.Atoi(c.QueryParam("cell")) // anything else is the first cell
		info := s.Info()
		if chosen < 0 || chosen >= len(info.Cells) {
			chosen = 0
		}
		curves := s.Curves(ctx, chosen)
		show := describeSweep(&info, &curves, chosen)
		h := c.Response().Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Robots-Tag", "noindex")
		if c.QueryParam("part") == "figure" {
			return render(c, web.SweepFigure(data, show))
		}
		return render(c, web.SweepPage(data, show))
	}
}

// describeSweep returns a sweep as its page shows it, with one cell chosen.
func describeSweep(i *sweep.Info, curves *sweep.Curves, chosen int) web.Sweep {
	base, seeds := &i.Spec.Base, len(i.Spec.Seeds)
	title := base.Config.World
	for _, p := range hyper.Presets {
		if p.Name == base.Preset {
			title = p.Title
		}
	}
	s := web.Sweep{ID: i.ID, State: string(i.State), Going: i.State == store.SweepRunning, Runs: i.Runs, Over: i.Over,
		About: fmt.Sprintf("A sweep over %d seeds, %s steps each", seeds, number.Count(base.Config.Steps))}
	s.Progress = fmt.Sprintf("%d of %d runs · %s steps", i.Over, i.Runs, number.Count(i.Steps))
	if !s.Going {
		s.Progress += " · " + strings.TrimSuffix(string(i.State)+": "+i.Reason, ": ")
	}
	axes := make([]web.SweepAxis, len(i.Spec.Keys))
	for k, a := range i.Spec.Keys {
		axes[k] = axisOf(a)
	}
	switch len(axes) {
	case 0:
		s.Title = fmt.Sprintf("%s over %d seeds", title, seeds)
	case 1:
		s.Title, s.Across = title+": "+inSentence(axes[0].Words), axes[0]
	case 2:
		s.Title, s.Across, s.Up = title+": "+inSentence(axes[1].Words)+" by "+inSentence(axes[0].Words), axes[0], axes[1]
	}
	low, high := rangeOf(i)
	for n := range i.Cells {
		s.Table = append(s.Table, cellOf(i, axes, n, n == chosen, low, high))
	}
	s.Chosen = s.Table[chosen]
	if wide := len(s.Across.Values); wide > 0 {
		up := append([]string{}, s.Up.Values...)
		if len(up) == 0 {
			up = []string{""}
		}
		for k := len(up) - 1; k >= 0; k-- {
			s.Rows = append(s.Rows, web.SweepRow{Value: up[k], Cells: s.Table[k*wide : (k+1)*wide]})
		}
		const tones = 8
		for k := tones; k >= 0; k-- {
			tone := web.SweepTone{Opacity: opacity(float64(k) / tones)}
			switch k {
			case tones:
				tone.Value = number.Score(high)
			case tones / 2:
				tone.Value = number.Score((low + high) / 2)
			case 0:
				tone.Value = number.Score(low)
			}
			s.Legend = append(s.Legend, tone)
		}
	}
	s.Members = s.Chosen.Runs
	cell := &i.Cells[chosen]
	s.Facts = []web.Fact{
		{Name: fmt.Sprintf("Interquartile mean of %d seeds", cell.N), Value: s.Chosen.IQM},
		{Name: "95 % interval over seeds", Value: s.Chosen.Interval},
		{Name: "Diverged", Value: fmt.Sprintf("%d of %d", cell.Diverged, seeds)},
	}
	s.Caption = caption(curves, seeds)
	s.Drawn = []web.Drawing{drawSeeds(curves, "narrow", 320, 214), drawSeeds(curves, "middle", 540, 280),
		drawSeeds(curves, "broad", 792, 350)}
	s.Lab = labLink(base, i.Spec, chosen)
	return s
}

func axisOf(a sweep.Axis) web.SweepAxis {
	axis := web.SweepAxis{Key: a.Key, Words: a.Key}
	if row, err := hyper.Lookup(a.Key); err == nil { // else the lab would have refused the sweep
		axis.Symbol, axis.Words, axis.Unit, axis.Tone = row.Symbol, row.Words, row.Unit, row.Tone
		for _, v := range a.Values {
			axis.Values = append(axis.Values, asRead(row.Name(v)))
		}
	}
	return axis
}

// asRead returns a value as people write it.
func asRead(value string) string {
	if value == "inf" {
		return "∞"
	}
	return value
}

func inSentence(words string) string { return strings.ToLower(words[:1]) + words[1:] }

// rangeOf returns the range of the colours: from a random policy to a solved world, extended to every seed's return.
func rangeOf(i *sweep.Info) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	if spec, tasks, err := envs.Describe(i.Spec.Base.Config.World); err == nil && len(tasks) <= 1 {
		low, high = min(low, float64(spec.Random)), max(high, float64(spec.Solved))
	}
	for c := range i.Cells {
		for _, m := range i.Cells[c].Runs {
			if m.Counts {
				low, high = min(low, m.Return), max(high, m.Return)
			}
		}
	}
	if !(low < high) || math.IsInf(low-high, 0) {
		return 0, 1
	}
	return low, high
}

// opacity returns the opacity of a share of the range. It is never 0 and never 1.
func opacity(share float64) string {
	return strconv.FormatFloat(0.04+0.92*min(1, max(0, share)), 'f', 3, 64)
}

func cellOf(i *sweep.Info, axes []web.SweepAxis, n int, chosen bool, low, high float64) web.SweepCell {
	cell := &i.Cells[n]
	c := web.SweepCell{Number: n, N: cell.N, Chosen: chosen, IQM: "–", Interval: "–", State: "filling"}
	wide := 1
	var names []string
	for k, a := range axes {
		value := a.Values[n/wide%len(a.Values)]
		wide *= len(a.Values)
		c.Values = append(c.Values, value)
		name := a.Symbol
		if name == "" {
			name = inSentence(a.Words)
		}
		if names = append(names, name+" "+value); k == 0 && name != "" {
			names[0] = strings.ToUpper(name[:1]) + names[0][1:]
		}
	}
	c.Name = strings.Join(names, ", ")
	if cell.N > 0 {
		c.IQM = number.Score(float64(cell.Return.Mean))
		c.Interval = number.Score(float64(cell.Return.Low)) + " to " + number.Score(float64(cell.Return.High))
	}
	var values []float64
	for _, m := range cell.Runs {
		one := web.SweepMember{ID: m.Run, Seed: strconv.FormatUint(m.Seed, 10), State: api.StateOfMember(&m), Return: "–"}
		if m.Return-m.Return == 0 {
			one.Return = number.Score(m.Return)
		}
		if m.Outcome != "" && m.Outcome != sweep.Finished {
			one.Return = one.State
		}
		if m.Counts {
			values = append(values, m.Return)
		}
		c.Runs = append(c.Runs, one)
	}
	slices.Sort(values)
	slices.Reverse(values) // the best seed is on the left
	for k, v := range values {
		c.Slices = append(c.Slices, web.SweepSlice{At: strconv.Itoa(k), Opacity: opacity((v - low) / (high - low))})
	}
	switch {
	case cell.Over == len(cell.Runs):
		c.State, c.Short = "done", c.IQM
		c.Says = fmt.Sprintf("%s, 95 %% interval %s over %d seeds", c.IQM, c.Interval, cell.N)
	case cell.Over == 0 && cell.Runs[0].Run == "":
		c.State, c.Says = "waiting", "waiting"
	default:
		c.Short = fmt.Sprintf("%d/%d", cell.Over, len(cell.Runs))
		c.Says = fmt.Sprintf("%d of %d seeds have ended", cell.Over, len(cell.Runs))
	}
	return c
}

// caption explains the chart: its band is over seeds, never over episodes.
func caption(c *sweep.Curves, seeds int) string {
	if len(c.Band) == 0 {
		return fmt.Sprintf("Mean return of the last 100 episodes over environment steps: %d of %d seeds so far.",
			len(c.Lines), seeds)
	}
	low, high := c.Band[0].N, c.Band[0].N
	for _, p := range c.Band {
		low, high = min(low, p.N), max(high, p.N)
	}
	n := strconv.Itoa(high)
	if low < high {
		n = fmt.Sprintf("%d to %d", low, high)
	}
	if low < seeds {
		n += fmt.Sprintf(" of %d", seeds)
	}
	return fmt.Sprintf("Mean return of the last 100 episodes over environment steps: a thin line for each seed, their "+
		"interquartile mean, and its 95 %% interval over %s seeds, never over episodes.", n)
}

func drawSeeds(c *sweep.Curves, class string, w, h int) web.Drawing {
	var s chart.Seeds
	for _, l := range c.Lines {
		line := &chart.Curve{}
		for i, v := range l.At {
			line.Add(c.Step(i), float32(v))
		}
		s.Lines = append(s.Lines, line)
	}
	for _, p := range c.Band {
		s.Middle = append(s.Middle, chart.Middle{Step: p.Step, Mean: float64(p.Return.Mean), Low: float64(p.Return.Low),
			High: float64(p.Return.High)})
	}
	return drawing(&s, c.Steps, class, w, h)
}

func drawing(s *chart.Seeds, steps uint64, class string, w, h int) web.Drawing {
	return web.Drawing{Class: class, Box: fmt.Sprintf("0 0 %d %d", w, h),
		Inside: chart.DrawSeeds(&chart.Time{Steps: steps}, s, float64(w), float64(h))}
}

// labLink returns the link that opens the first seed of a cell in the Lab.
func labLink(base *lab.Spec, spec *sweep.Spec, cell int) string {
	cfg := base.Config
	for k, value := range spec.Values(cell) {
		cfg.Set(spec.Keys[k].Key, value) // valid: the lab checked the sweep
	}
	cfg.Seed = spec.Seeds[0]
	link := "#v=1&p=" + base.Preset
	for _, s := range differences(base.Preset, cfg.Settings()) {
		if s.Key != "speed" && s.Key != "steps" {
			link += "&" + s.Key + "=" + escape.Replace(s.Value)
		}
	}
	if len(base.Turns) > 0 {
		link += "&t=" + escape.Replace(hyper.FormatTurns(base.Turns))
	}
	return link
}

var escape = strings.NewReplacer("%", "%25", "&", "%26", "#", "%23", "+", "%2B", " ", "%20")
