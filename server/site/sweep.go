package site

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"impalab/server/sweep"
	"impalab/web/chart"
	"impalab/web/page"
)

// sweepPage serves the page of a sweep, /s/ID. While the sweep runs, the page's script asks for the figure again.
func sweepPage(sweeps *sweep.Sweeps, data page.Data, https bool) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx := c.Request().Context()
		s, err := sweeps.Find(ctx, c.Param("id"))
		if err != nil {
			return pageError(err)
		}
		show := sweepOf(s)
		show.CSV = address(c, https, data.Base+"api/v1/sweeps/"+s.ID+"/runs.csv")
		if n, err := strconv.Atoi(c.QueryParam("cell")); err == nil && n >= 0 && n < len(show.Cells) {
			show.Chosen = n // anything else is the first cell
		}
		show.Curves = curvesOf(s.Curves(ctx, show.Chosen))
		if id := c.QueryParam("beside"); id != "" {
			other, err := sweeps.Find(ctx, id)
			if err != nil {
				return pageError(err)
			}
			beside := sweepOf(other)
			beside.Curves, beside.Guest = curvesOf(other.Curves(ctx, 0)), true
			show.Beside = &beside
		}
		unlisted(c)
		if c.QueryParam("part") == "figure" {
			return render(c, page.SweepFigure(data, show))
		}
		return render(c, page.SweepPage(data, show))
	}
}

// sweepOf returns a sweep for its page.
func sweepOf(s *sweep.Sweep) page.Sweep {
	i, base := s.Info(), &s.Spec.Base
	show := page.Sweep{ID: i.ID, Preset: base.Preset, State: string(i.State), Reason: i.Reason, Base: base.Config,
		Turns: base.Turns, Seeds: i.Seeds, Runs: i.Runs, Over: i.Over, Taken: i.Taken}
	for _, a := range i.Keys {
		show.Keys = append(show.Keys, page.Axis(a))
	}
	for k := range i.Cells {
		of := &i.Cells[k]
		cell := page.Cell{Values: of.Values, Estimate: of.Estimate, N: of.N, Diverged: of.Diverged, Over: of.Over}
		for _, m := range of.Runs {
			one := page.Member{Seed: m.Seed, State: string(m.State), Return: float64(m.Return), Counts: m.Counts,
				Failed: m.State == sweep.Diverged || m.State == sweep.Cut || m.State == sweep.Lost}
			if m.ID != nil {
				one.ID = *m.ID
			}
			cell.Runs = append(cell.Runs, one)
		}
		show.Cells = append(show.Cells, cell)
	}
	return show
}

// curvesOf returns the curves of a cell for its chart.
func curvesOf(all sweep.Curves) (seeds chart.Seeds) {
	for _, l := range all.Lines {
		line := &chart.Curve{}
		for i, v := range l.At {
			line.Add(l.Steps[i], float32(v))
		}
		seeds.Lines = append(seeds.Lines, line)
	}
	for _, p := range all.Band {
		seeds.Middle = append(seeds.Middle, middleOf(p.Step, p.Estimate, p.N))
	}
	return seeds
}
