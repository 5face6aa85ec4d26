package site

// The page of one row of the board: how it differs, how it came out, and how anybody trains it again.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/board"
	"impalab/server/errcode"
	"impalab/web"
	"impalab/web/number"
)

func (p *boardPages) row(c echo.Context) error {
	ctx := c.Request().Context()
	t, err := p.contest.Tracks().Find(c.Param("track"))
	if err != nil {
		return echo.ErrNotFound
	}
	s, err := p.contest.Standing(ctx, t, c.Param("id"))
	if err != nil {
		return boardError(err)
	}
	all, err := p.contest.Standings(ctx, t, s.Season)
	if err != nil {
		return boardError(err)
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
		default: // forgotten by now, or not to be had at the moment
		}
	}
	if s.Secret != nil && all.Season.Seeds != nil {
		results, err := p.contest.Results(ctx, s.ID)
		if err != nil {
			return boardError(err)
		}
		e.Seeds = append(e.Seeds, toldSeeds(all.Season.Seeds, results)...)
	}
	if c.Response().Header().Set("Cache-Control", "no-store"); c.QueryParam("part") == "live" {
		return render(c, web.BoardEntryPart(p.data, e))
	}
	return render(c, web.BoardEntryPage(p.data, e))
}

// toldSeeds are the secret seeds of a season that is over, and what they came to.
func toldSeeds(seeds []uint64, results []board.SeedResult) (told []web.BoardSeed) {
	for i, r := range results {
		if i < len(seeds) {
			told = append(told, web.BoardSeed{Seed: strconv.FormatUint(seeds[i], 10),
				Score: number.Short(float64(r.Score)), Params: r.Params})
		}
	}
	return told
}

// describeRow puts a row into words.
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
		add("Handed in", s.Created.Format("2 January 2006 15:04 UTC"))
		times := "times"
		if s.Tried == 1 {
			times = "time"
		}
		add("Tried", fmt.Sprintf("%d %s", s.Tried, times))
	}
	if s.Baseline != "" {
		add("It is", "a baseline of the track")
		add("Handed in by", s.Nickname)
	}
	for _, d := range t.Differences(&s.Entry) {
		words := d.Words
		if d.Symbol != "" {
			words = d.Symbol + ", " + inSentence(words)
		}
		e.Settings = append(e.Settings, web.BoardKey{Key: d.Key, Words: words, Start: infinite(d.From),
			Takes: infinite(d.To)})
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
		e.Charts = append(e.Charts, chartOfRow(t, row.of, row.which, scale))
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
		"A machine of the same arithmetic comes to the same bytes:"})
	switch {
	case season.Seeds != nil && s.Season > 0:
		e.Again = append(e.Again, web.BoardCommand{Command: command + " --json --seeds " + joined(season.Seeds),
			Says: "On the seeds that were secret until the season was over:"})
	case s.Season > 0:
		e.Hidden = "Of the secret seeds, what they say together is told, and each by itself when the season is over. " +
			"Expect the top of the board to lose a little on them: the public seeds can be tried until they suit."
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

// chartOfRow is a curve large enough to be read.
func chartOfRow(t *board.Track, row *board.Row, which string, scale boardScale) web.BoardCurve {
	c := web.BoardCurve{Title: fmt.Sprintf("Return over the run, %d %s seeds: interquartile mean and 95 %% interval",
		len(row.Seeds), which), End: number.Count(t.Start.Steps) + " steps"}
	c.Line, c.Band = scale.curve(row.Curve, float64(t.Start.Steps))
	for _, tick := range scale.ticks() {
		share, _ := strconv.ParseFloat(strings.TrimSuffix(tick.At, "%"), 64) // it was written by at
		tick.At = strconv.FormatFloat(boxHigh-boxHigh/100*share, 'f', 1, 64)
		c.Ticks = append(c.Ticks, tick)
	}
	c.Says = c.Title
	if n := len(row.Curve); n > 0 {
		c.Says = fmt.Sprintf("%s: from %s after %s steps to %s at the end", c.Title,
			number.Short(float64(row.Curve[0].Mean)), number.Count(uint64(row.Curve[0].Step)),
			number.Short(float64(row.Curve[n-1].Mean)))
	}
	return c
}
