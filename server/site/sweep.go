package site

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/picture"
	"impalab/server/sweep"
	"impalab/web/chart"
	"impalab/web/page"
)

// sweeps serves the pages of sweeps, made for each request, and their files.
type sweeps struct {
	all   *sweep.Sweeps
	data  page.Data
	https bool
}

// shown is the sweep of a request, with the cell that it asks for. A cell that does not exist is the first one.
func (p *sweeps) shown(c echo.Context) (*sweep.Sweep, page.Sweep, error) {
	s, err := p.all.Find(c.Request().Context(), c.Param("id"))
	if err != nil {
		return nil, page.Sweep{}, pageError(err)
	}
	show := sweepOf(s)
	show.URL = address(c, p.https, p.data.Base+"s/"+s.ID)
	show.CSV = address(c, p.https, p.data.Base+"api/v1/sweeps/"+s.ID+"/runs.csv")
	if g, err := strconv.ParseFloat(c.QueryParam("guess"), 64); err == nil && g > 0 && g < 1e6 && show.Map != nil {
		show.Guess = g
	}
	if n, err := strconv.Atoi(c.QueryParam("cell")); err == nil && n >= 0 && n < len(show.Cells) {
		show.Chosen = n
	}
	return s, show, nil
}

// page serves the page of a sweep, /s/ID. While the sweep runs, the page's script asks for the figure again.
func (p *sweeps) page(c echo.Context) error {
	ctx := c.Request().Context()
	s, show, err := p.shown(c)
	if err != nil {
		return err
	}
	show.Curves = curvesOf(s.Curves(ctx, show.Chosen))
	if show.View = page.ViewOver; c.QueryParam("view") == page.ViewCurves && len(show.Keys) == 1 {
		show.View, show.Lines = page.ViewCurves, show.Groups(middles(ctx, s))
	}
	if id := c.QueryParam("beside"); id != "" {
		other, err := p.all.Find(ctx, id)
		if err != nil {
			return pageError(err)
		}
		beside := sweepOf(other)
		beside.Curves, beside.Guest = curvesOf(other.Curves(ctx, 0)), true
		show.Beside = &beside
	}
	unlisted(c)
	if c.QueryParam("part") == "figure" {
		return render(c, page.SweepFigure(p.data, show))
	}
	data := p.data
	data.Card = fmt.Sprintf("%s/%s.png?cell=%d", show.URL, show.Figures()[0], show.Chosen)
	return render(c, page.SweepPage(data, show))
}

// middles returns the mean curves of all cells.
func middles(ctx context.Context, s *sweep.Sweep) (all [][]chart.Middle) {
	for n := range s.Info().Cells {
		all = append(all, curvesOf(s.Curves(ctx, n)).Middle)
	}
	return all
}

// file serves the figures of a sweep: map.svg, over.svg, curves.svg and, with ?cell=N, seeds.svg; each as png and csv
// too.
func (p *sweeps) file(c echo.Context) error {
	s, show, err := p.shown(c)
	if err != nil {
		return err
	}
	unlisted(c)
	view, kind, _ := strings.Cut(c.Param("file"), ".")
	if !slices.Contains(show.Figures(), view) || !slices.Contains([]string{"svg", "png", "csv"}, kind) {
		return echo.NewHTTPError(http.StatusNotFound, fmt.Sprintf("%.40s: this sweep has the figures %s, as .svg, .png or "+
			".csv; ?cell=N chooses a cell from 0", c.Param("file"), strings.Join(show.Figures(), ", ")))
	}
	ctx := c.Request().Context()
	attach(c, fmt.Sprintf("%.8s-%s.%s", s.ID, view, kind))
	if kind == "csv" {
		rows := figureRows(ctx, s, &show, view)
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
			return err
		}
		return c.Blob(http.StatusOK, "text/csv; charset=utf-8", b.Bytes())
	}
	sheet := picture.Sheet{Chart: figure(ctx, s, &show, view), Caption: show.Caption(view),
		From: "impalab " + p.data.Build + " · " + show.URL, Dark: c.QueryParam("theme") == "dark"}
	encode := sheet.SVG
	if kind == "png" {
		encode = sheet.PNG
	}
	drawn, err := encode()
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, map[string]string{"png": "image/png", "svg": "image/svg+xml"}[kind], drawn)
}

// figure draws a figure for a sheet.
func figure(ctx context.Context, s *sweep.Sweep, show *page.Sweep, view string) picture.Chart {
	title, steps := show.PlotTitle(view), show.Base.Steps
	switch view {
	case page.ViewMap:
		return picture.LagMap(title, show.LagMap())
	case page.ViewOver:
		o := show.Chart()
		o.Chosen = -1
		return picture.Over(title, o)
	case page.ViewCurves:
		return picture.GroupsOf(title, steps, show.Groups(middles(ctx, s)))
	}
	seeds := curvesOf(s.Curves(ctx, show.Chosen))
	return picture.SeedsOf(title, steps, &seeds)
}

// figureRows returns the numbers of a figure as a table.
func figureRows(ctx context.Context, s *sweep.Sweep, show *page.Sweep, view string) [][]string {
	digits := func(v float64) string {
		if v-v != 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	whole := func(v uint64) string { return strconv.FormatUint(v, 10) }
	estimate := []string{"interquartile_mean", "low_95", "high_95", "n"}
	switch view {
	case page.ViewMap:
		rows := [][]string{{"lag", "lr", "lag_times_lr", "fell", "n"}}
		for i, n := range show.Map.Cells {
			lag, rate := show.Map.Lags[i%len(show.Map.Lags)], show.Map.Rates[i/len(show.Map.Lags)]
			fell, ended := show.Fallen(n)
			rows = append(rows, []string{digits(lag), digits(rate), digits(lag * rate), strconv.Itoa(fell), strconv.Itoa(ended)})
		}
		return rows
	case page.ViewOver:
		rows := [][]string{append(append([]string{show.Keys[0].Key}, estimate...), "diverged")}
		for _, seed := range show.Seeds {
			rows[0] = append(rows[0], "seed_"+whole(seed))
		}
		for i := range show.Cells {
			cell := &show.Cells[i]
			row := []string{cell.Values[0], digits(float64(cell.Mean)), digits(float64(cell.Low)), digits(float64(cell.High)),
				strconv.Itoa(cell.N), strconv.Itoa(cell.Diverged)}
			for _, m := range cell.Runs {
				if !m.Counts {
					m.Return = math.NaN()
				}
				row = append(row, digits(m.Return))
			}
			rows = append(rows, row)
		}
		return rows
	case page.ViewCurves:
		rows := [][]string{append([]string{show.Keys[0].Key, "step"}, estimate...)}
		for i, line := range middles(ctx, s) {
			for _, m := range line {
				rows = append(rows, []string{show.Cells[i].Values[0], whole(m.Step), digits(m.Mean), digits(m.Low), digits(m.High),
					strconv.Itoa(m.N)})
			}
		}
		return rows
	}
	rows := [][]string{{"seed", "step", "return_mean_100"}}
	for _, line := range s.Curves(ctx, show.Chosen).Lines {
		for i, v := range line.At {
			rows = append(rows, []string{whole(line.Seed), whole(line.Steps[i]), digits(float64(v))})
		}
	}
	return rows
}

// sweepOf returns a sweep for its page.
func sweepOf(s *sweep.Sweep) page.Sweep {
	i, base := s.Info(), &s.Spec.Base
	show := page.Sweep{ID: i.ID, Preset: base.Preset, State: string(i.State), Reason: i.Reason, Base: base.Config,
		Turns: base.Turns, Seeds: i.Seeds, Runs: i.Runs, Over: i.Over, Taken: i.Taken}
	for _, a := range i.Keys {
		show.Keys = append(show.Keys, page.Axis(a))
	}
	show.Map = (*page.LagMap)(s.LagMap())
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
