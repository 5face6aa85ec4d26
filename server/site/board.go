package site

// The board has a page for each track and for each row. boardexport.go writes all of it as files.

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/board"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/site/api"
	"impalab/web/page"
)

// boardPages serves the board's pages, made for each request.
type boardPages struct {
	contest *board.Contest
	runs    *lab.Lab
	data    page.Data
	links   page.BoardLinks
}

// boardRoutes adds the board's pages. /board is the page of the first track.
func boardRoutes(at counting, data page.Data, contest *board.Contest, runs *lab.Lab, limited echo.MiddlewareFunc) {
	root := data.Base + "board/"
	p := &boardPages{contest: contest, runs: runs, data: data, links: page.BoardLinks{
		Page: func(t *board.Track) string { return root + t.Name },
		Rows: func(t *board.Track) string { return data.Base + "api/v1/board/" + t.Name + "/entries" },
		Row:  func(t *board.Track, id string) string { return root + t.Name + "/" + id },
		JSON: func(t *board.Track, id string) string { return data.Base + "api/v1/board/" + t.Name + "/entries/" + id },
		Lab:  data.Base + "lab",
	}}
	at.GET("/board", p.track, limited)
	at.GET("/board/:track", p.track, limited)
	at.GET("/board/:track/:id", p.row, limited)
}

// of returns the rows of the track and season that a request names.
func (p *boardPages) of(c echo.Context) (b page.Board, err error) {
	tracks := p.contest.Tracks()
	t := tracks.All[0]
	if name := c.Param("track"); name != "" {
		if t, err = tracks.Find(name); err != nil {
			return b, echo.ErrNotFound
		}
	}
	season, _ := strconv.ParseInt(c.QueryParam("season"), 10, 64) // anything else is the newest season
	number, _ := strconv.Atoi(c.QueryParam("page"))
	all, err := p.contest.Standings(c.Request().Context(), t, max(0, season), number)
	c.Response().Header().Set("Cache-Control", "no-store")
	if err != nil {
		return b, pageError(err)
	}
	return page.Board{Standings: all, Tracks: tracks.All, Links: p.links}, nil
}

// Drawings of standings that all visitors share.
const (
	drawnPage = iota
	drawnRows
)

// send answers with a drawing of the standings, which is made and compressed for their first reader.
func send(c echo.Context, b *page.Board, which int, page component) error {
	return b.Draw(which, func() any { return drawn(page) }).(*drawnText).send(c)
}

func (p *boardPages) track(c echo.Context) error {
	b, err := p.of(c)
	if err != nil {
		return err
	}
	if c.QueryParam("part") == "live" {
		return send(c, &b, drawnRows, page.BoardRows(p.data, b))
	}
	if !c.QueryParams().Has("settings") && !c.QueryParams().Has("run") {
		b.Form = formOf(b.Track, "")
		return send(c, &b, drawnPage, page.BoardPage(p.data, b))
	}
	b.Form = formOf(b.Track, c.QueryParam("settings"))
	if run := c.QueryParam("run"); run != "" && len(run) <= 64 {
		e, err := b.Track.ParseEntry(b.Form.Settings)
		if err == nil {
			err = api.CheckShown(c.Request().Context(), p.runs, p.contest, b.Track, &e, run)
		}
		if b.Form.Run = run; err != nil {
			b.Form.Run, b.Form.Problem = "", strings.TrimSpace(b.Form.Problem+" "+sorry(err))
		}
	}
	return render(c, page.BoardPage(p.data, b))
}

// formOf fills the form with the settings in an address, and says why the track refuses them.
func formOf(t *board.Track, settings string) page.BoardForm {
	f := page.BoardForm{Settings: settings}
	if len(settings) > 8000 {
		f.Settings = ""
	}
	e, err := t.ParseEntry(f.Settings)
	if err != nil {
		f.Problem = api.OneLine(err)
	} else if len(e.Idle) > 0 {
		f.Problem = strings.Join(e.Idle, ", ") + " has no effect beside the other settings and is left out"
	}
	return f
}

// row serves the page of one row: its settings, its result and the command that trains it again.
func (p *boardPages) row(c echo.Context) error {
	ctx := c.Request().Context()
	t, err := p.contest.Tracks().Find(c.Param("track"))
	if err != nil {
		return echo.ErrNotFound
	}
	all, err := p.contest.Row(ctx, t, c.Param("id"))
	if err != nil {
		return pageError(err)
	}
	s := &all.Rows[0]
	e := page.BoardEntry{Board: &page.Board{Standings: all, Links: p.links}, Row: s}
	if s.Run != "" {
		info, err := p.runs.Info(ctx, s.Run)
		if err != nil && errcode.Of(err) == "" {
			return err
		}
		if err == nil { // else the run was deleted
			e.Run = p.data.Base + "r/" + s.Run
			if _, played, err := p.runs.FirstSnapshot(ctx, s.Run); err == nil && played {
				e.Episode = e.Run + "/episode.gif?update=" + strconv.FormatUint(info.Updates, 10)
			}
		}
	}
	if c.Response().Header().Set("Cache-Control", "no-store"); c.QueryParam("part") == "live" {
		return render(c, page.BoardEntryPart(p.data, e))
	}
	return render(c, page.BoardEntryPage(p.data, e))
}
