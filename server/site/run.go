package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/board"
	"impalab/server/lab"
	"impalab/server/picture"
	"impalab/server/places"
	"impalab/server/site/api"
	"impalab/web/page"
)

// runs serves the pages of runs, made for each request, and their files.
type runs struct {
	lab    *lab.Lab
	data   page.Data
	tracks *board.Tracks
	https  bool
	text   func(name string) string // returns a style sheet
	played *played
	drawn  *places.Made // pages
}

// shown is a run as the store has it, and as its page shows it.
type shown struct {
	page.Run
	told *lab.History
}

// with calls use with the run of a request. Use must not answer the request: the run is in memory until use returns.
func (p *runs) with(ctx context.Context, c echo.Context, use func(r *shown) error) error {
	id := c.Param("id")
	unlisted(c)
	return p.lab.WithHistory(ctx, id, func(told *lab.History) (err error) {
		r := shown{runOf(told), told}
		r.URL = address(c, p.https, p.data.Base+"r/"+id)
		fits, err := p.tracks.OfTape(told.Tape)
		for _, f := range fits {
			r.Board = append(r.Board, page.Fit{Track: trackOf(f.Track), Entry: entryOf(&f.Entry)})
		}
		if err != nil {
			r.NoBoard = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		if misfit, is := err.(*board.Misfit); is {
			r.MayChange = strings.Join(misfit.Open, ", ")
			if len(misfit.Objections) == 0 {
				r.StartOf = misfit.Track.Title
			}
		}
		for _, one := range picture.Charts(picture.Run{Curves: told.Curves, Tape: told.Tape, Steps: told.Steps}) {
			r.Charts = append(r.Charts, page.Chart(one))
		}
		if r.PlayedFrom, r.Played, err = p.lab.FirstSnapshot(ctx, id); err != nil {
			return err
		}
		return use(&r)
	})
}

// runOf returns a run for its page.
func runOf(told *lab.History) page.Run {
	r := page.Run{ID: told.ID, Preset: told.Preset, Build: told.Build, State: string(told.State), Reason: told.Reason,
		Settings: told.Settings, Turns: told.Turns, Tape: told.Tape, Parent: told.Parent, Created: told.Created,
		Steps: told.Steps, Updates: told.Updates, Episodes: told.Episodes, ReturnMean100: float64(told.ReturnMean100),
		ParamsSHA256: told.ParamsSHA256, Arithmetic: told.Arithmetic}
	if told.Device != nil {
		r.Device, r.DeviceWhy = told.Device.Name, told.Device.Why
	}
	return r
}

// draw answers with a page of a run, under these headers. While the run does not change, requests for the same address
// share one page.
func (p *runs) draw(c echo.Context, headers map[string]string, draw func(r *shown) (component, error)) error {
	ctx := c.Request().Context()
	stamp, err := p.lab.Stamp(ctx, c.Param("id"))
	if err != nil {
		return pageError(err)
	}
	first, played, err := p.lab.FirstSnapshot(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	key := fmt.Sprint(stamp, " ", first, played, " ", c.Request().Host, c.Request().URL)
	made, err := p.drawn.Get(ctx, key, func(ctx context.Context) (made []byte, err error) {
		err = p.with(ctx, c, func(r *shown) error {
			drawn, err := draw(r)
			if err == nil {
				made, err = api.Pack(func(to io.Writer) error { return drawn.Render(ctx, to) })
			}
			return err
		})
		return made, err
	})
	if err != nil {
		return pageError(err)
	}
	unlisted(c)
	for name, value := range headers {
		c.Response().Header().Set(name, value)
	}
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	return api.Packed(made).Send(c.Response(), c.Request(), http.StatusOK)
}

// address returns the whole address of a path of this site, as the request names the site.
func address(c echo.Context, https bool, path string) string {
	if https {
		return "https://" + c.Request().Host + path
	}
	return "http://" + c.Request().Host + path
}

// unlisted keeps a page from caches and search engines: it is only for people who have the link.
func unlisted(c echo.Context) {
	c.Response().Header().Set("Cache-Control", "no-store")
	c.Response().Header().Set("X-Robots-Tag", "noindex")
}

func (p *runs) page(c echo.Context) error {
	return p.draw(c, nil, func(r *shown) (component, error) {
		r.Short = p.short(c, r)
		return page.RunPage(p.data, r.Run), nil
	})
}

// embedded is the policy of the only pages that other sites may show in a frame. They run no script.
const embedded = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors *"

func (p *runs) embed(c echo.Context) error {
	theme := c.QueryParam("theme")
	if theme != "light" && theme != "dark" {
		theme = "auto"
	}
	headers := map[string]string{"Content-Security-Policy": embedded, "Cross-Origin-Resource-Policy": "cross-origin"}
	return p.draw(c, headers, func(r *shown) (component, error) { return page.RunEmbedded(p.data, r.Run, theme), nil })
}
