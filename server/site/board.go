package site

// The board has a page for each track and for each row. boardexport.go writes all of it as files.

import (
	"net/http"
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
		Page: func(track string) string { return root + track },
		Rows: func(track string) string { return data.Base + "api/v1/board/" + track + "/entries" },
		Row:  func(track, id string) string { return root + track + "/" + id },
		JSON: func(track, id string) string { return data.Base + "api/v1/board/" + track + "/entries/" + id },
		Lab:  data.Base + "lab",
	}}
	at.GET("/board", p.track, limited)
	at.GET("/board/:track", p.track, limited)
	at.GET("/board/:track/:id", p.row, limited)
}

// of returns the standings of the track and season that a request names.
func (p *boardPages) of(c echo.Context) (*board.Standings, error) {
	tracks := p.contest.Tracks()
	t := tracks.All[0]
	if name := c.Param("track"); name != "" {
		var err error
		if t, err = tracks.Find(name); err != nil {
			return nil, echo.ErrNotFound
		}
	}
	season, _ := strconv.ParseInt(c.QueryParam("season"), 10, 64) // anything else is the newest season
	number, _ := strconv.Atoi(c.QueryParam("page"))
	all, err := p.contest.Standings(c.Request().Context(), t, max(0, season), number)
	c.Response().Header().Set("Cache-Control", "no-store")
	if err != nil {
		return nil, pageError(err)
	}
	return all, nil
}

// Drawings of standings that all visitors share.
const (
	drawnPage = iota
	drawnRows
)

// send answers with a drawing of standings, which is made and compressed for their first reader.
func (p *boardPages) send(c echo.Context, all *board.Standings, which int, draw func(*page.Board) component) error {
	return all.Draw(which, func() any { return drawn(draw(p.show(all))) }).(*drawnText).send(c)
}

func (p *boardPages) show(all *board.Standings) *page.Board {
	return boardOf(all, p.contest.Tracks().All, p.links)
}

func (p *boardPages) track(c echo.Context) error {
	all, err := p.of(c)
	if err != nil {
		return err
	}
	switch c.QueryParam("part") {
	case "live":
		return p.send(c, all, drawnRows, func(b *page.Board) component { return page.BoardRows(p.data, *b) })
	case "check":
		return c.JSON(http.StatusOK, check(all.Track, c.QueryParam("settings")))
	case "tries":
		tries, err := p.contest.Own(all.Track, strings.SplitN(c.QueryParam("own"), ",", mostOwn+1), mostTries)
		if err != nil {
			return pageError(err)
		}
		return render(c, page.BoardTries(*p.show(tries)))
	}
	if !c.QueryParams().Has("settings") && !c.QueryParams().Has("run") {
		return p.send(c, all, drawnPage, func(b *page.Board) component {
			return page.BoardPage(p.data, *b)
		})
	}
	b := p.show(all)
	b.Form = formOf(c.QueryParam("settings"))
	if run := c.QueryParam("run"); run != "" && len(run) <= 64 {
		e, err := all.Track.ParseEntry(b.Form.Settings)
		if err == nil {
			err = api.CheckShown(c.Request().Context(), p.runs, p.contest, all.Track, &e, run)
		}
		if b.Form.Run = run; err != nil {
			b.Form.Run, b.Form.Problem = "", sorry(err)
		}
	}
	return render(c, page.BoardPage(p.data, *b))
}

// Limits of a browser's own rows: of the ids that it names, and of the rows that the page shows.
const mostOwn, mostTries = 100, 20

// checked is the answer to settings that a person is still typing: how a track takes them.
type checked struct {
	Refused []string `json:"refused"` // a sentence for each refused setting
	Idle    string   `json:"idle"`    // a sentence about settings without an effect; ""
}

func check(t *board.Track, settings string) (c checked) {
	e, err := t.ParseEntry(settings)
	if err != nil {
		c.Refused = strings.Split(err.Error(), "\n")
	} else if len(e.Idle) > 0 {
		c.Idle = strings.Join(e.Idle, ", ") + " has no effect beside the other settings and is left out"
	}
	return c
}

// formOf fills the form with the settings in an address.
func formOf(settings string) page.BoardForm {
	if len(settings) > 8000 {
		settings = ""
	}
	return page.BoardForm{Settings: settings}
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
	e := entryPage(all, s, p.links)
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
