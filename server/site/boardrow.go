package site

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/board"
	"impalab/server/errcode"
	"impalab/web"
	"impalab/web/chart"
	"impalab/web/number"
)

// row serves the page of one row: its settings, its result and the command that trains it again.
func (p *boardPages) row(c echo.Context) error {
	ctx := c.Request().Context()
	t, err := p.contest.Tracks().Find(c.Param("track"))
	if err != nil {
		return echo.ErrNotFound
	}
	s, err := p.contest.Standing(ctx, t, c.Param("id"))
	if err != nil {
		return pageError(err)
	}
	all, err := p.contest.Standings(ctx, t, s.Season)
	if err != nil {
		return pageError(err)
	}
	e := describeRow(t, &s, &all.Season, p.urls)
	if s.Run != "" {
		switch info, err := p.runs.Info(ctx, s.Run); errcode.Of(err) {
		case "":
			if err != nil {
				return err
			}
			e.Run = p.data.Base + "r/" + s.Run
			if _, played, err := p.runs.FirstSnapshot(ctx, s.Run); err == nil && played {
				e.Episode = e.Run + "/episode.gif?update=" + strconv.FormatUint(info.Updates, 10)
			}
		}
	}
	if s.Secret != nil && all.Season.Seeds != nil {
		results, err := p.contest.Results(ctx, s.ID)
		if err != nil {
			return pageError(err)
		}
		e.Seeds = append(e.Seeds, toldSeeds(all.Season.Seeds, results)...)
	}
	if c.Response().Header().Set("Cache-Control", "no-store"); c.QueryParam("part") == "live" {
		return render(c, web.BoardEntryPart(p.data, e))
	}
	return render(c, web.BoardEntryPage(p.data, e))
}

// toldSeeds returns the secret seeds of a season that has ended, with their results.
func toldSeeds(seeds []uint64, results []board.SeedResult) (told []web.BoardSeed) {
	for i, r := range results {
		if i < len(seeds) {
			told = append(told, web.BoardSeed{Seed: strconv.FormatUint(seeds[i], 10),
				Score: number.Short(float64(r.Score)), Params: r.Params})
		}
	}
	return told
}

// describeRow returns a row as its page shows it.
func describeRow(t *board.Track, s *board.Standing, season *board.SeasonInfo, urls boardURLs) web.BoardEntry {
	scale := boardScale{t.Low, t.High}
	e := web.BoardEntry{BoardRow: rowOf(t, s, scale), Track: web.Choice{Title: t.Title, URL: urls.page(t)},
		JSON: urls.json(t, s.ID), Copy: urls.copy}
	if urls.lab != "" {
		e.Lab = urls.lab + t.Link(&s.Entry)
	}
	add := func(name, value string) {
		if value != "" {
			e.Facts = append(e.Facts, web.Fact{Name: name, Value: value})
		}
	}
	add("Rank", e.Rank)
	if s.Season > 0 {
		add("Season", strconv.FormatInt(s.Season, 10))
	}
	if s.Tried > 0 {
		add("Submitted", s.Created.Format("2 January 2006 15:04 UTC"))
		times := "times"
		if s.Tried == 1 {
			times = "time"
		}
		add("Tried", fmt.Sprintf("%d %s", s.Tried, times))
	}
	if s.Baseline != "" {
		add("It is", "a baseline of the track")
		add("Submitted by", s.Nickname)
	}
	for _, d := range t.Differences(&s.Entry) {
		words := d.Words
		if d.Symbol != "" {
			words = d.Symbol + ", " + inSentence(words)
		}
		e.Settings = append(e.Settings, web.BoardKey{Key: d.Key, Words: words, Start: asRead(d.From),
			Takes: asRead(d.To)})
	}
	for _, row := range []struct {
		of    *board.Row
		which string
	}{{s.Secret, "secret"}, {s.Public, "public"}} {
		if row.of == nil {
			continue
		}
		score := fmt.Sprintf("%s over the run, %s at the end", row.of.Score.Words(), row.of.End.Words())
		add(fmt.Sprintf("%d %s seeds", len(row.of.Seeds), row.which), score)
		if row.of.AnyDiverged() {
			add("Diverged", row.of.DivergedWords()+" "+row.which+" seeds")
		}
		e.Charts = append(e.Charts, chartOfRow(t, row.of, row.which))
	}
	if row := s.Counts(); row != nil {
		add("Arithmetic", row.Made)
	}
	if s.Public != nil {
		for i, seed := range s.Public.Seeds {
			if i < len(s.Public.Each) && i < len(s.Public.Params) {
				e.Seeds = append(e.Seeds, web.BoardSeed{Seed: seed, Score: number.Short(float64(s.Public.Each[i])),
					Params: s.Public.Params[i]})
			}
		}
	}
	command := t.Command(&s.Entry)
	e.Again = append(e.Again, web.BoardCommand{Command: command + " --json", Says: "On the public seeds, at any time. " +
		"A machine with the same arithmetic gives the same bytes:"})
	switch {
	case season.Seeds != nil && s.Season > 0:
		e.Again = append(e.Again, web.BoardCommand{Command: command + " --json --seeds " + joined(season.Seeds),
			Says: "On the seeds that were secret until the season ended:"})
	case s.Season > 0:
		e.Hidden = "The page shows the joint result of the secret seeds now, and each seed when the season has ended. " +
			"Expect the top rows to score a little less on them: settings can be tuned to the public seeds."
	}
	return e
}

func joined(seeds []uint64) string {
	words := make([]string, len(seeds))
	for i, s := range seeds {
		words[i] = strconv.FormatUint(s, 10)
	}
	return strings.Join(words, ",")
}

// chartOfRow draws the return of a row over the run.
func chartOfRow(t *board.Track, row *board.Row, which string) web.BoardCurve {
	c := web.BoardCurve{Title: fmt.Sprintf("Return over the run, %d %s seeds: interquartile mean and 95 %% interval",
		len(row.Seeds), which)}
	seeds := chart.Seeds{}
	for _, p := range row.Curve {
		seeds.Middle = append(seeds.Middle, chart.Middle{Step: uint64(p.Step), Mean: float64(p.Mean), Low: float64(p.Low),
			High: float64(p.High)})
	}
	c.Drawn = []web.Drawing{drawing(&seeds, t.Start.Steps, "narrow", 320, 180),
		drawing(&seeds, t.Start.Steps, "middle", 540, 220)}
	c.Says = c.Title
	if n := len(row.Curve); n > 0 {
		c.Says = fmt.Sprintf("%s: from %s after %s steps to %s at the end", c.Title,
			number.Short(float64(row.Curve[0].Mean)), number.Count(uint64(row.Curve[0].Step)),
			number.Short(float64(row.Curve[n-1].Mean)))
	}
	return c
}
