package site

import (
	"github.com/labstack/echo/v4"

	"impalab/server/board"
	"impalab/server/lab"
	"impalab/server/picture"
	"impalab/web"
)

// runs serves the pages of runs, made for each request, and their files.
type runs struct {
	lab    *lab.Lab
	data   web.Data
	tracks *board.Tracks
	https  bool
	text   func(name string) string // returns a style sheet
	played *played
}

// load returns the run of a request, with the data of its page.
func (p *runs) load(c echo.Context) (r web.Run, err error) {
	ctx, id := c.Request().Context(), c.Param("id")
	if r.Told, err = p.lab.Told(ctx, id); err != nil {
		return r, pageError(err)
	}
	r.URL = address(c, p.https, p.data.Base+"r/"+id)
	r.Board, r.NoBoard = p.tracks.OfTape(r.Tape)
	r.Charts = picture.Charts(picture.Run{Curves: r.Curves, Tape: r.Tape, Steps: r.Steps})
	if r.PlayedFrom, r.Played, err = p.lab.FirstSnapshot(ctx, id); err != nil {
		return r, pageError(err)
	}
	unlisted(c)
	return r, nil
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
	r, err := p.load(c)
	if err != nil {
		return err
	}
	r.Short = p.short(c, &r)
	return render(c, web.RunPage(p.data, r))
}

// embedded is the policy of the only pages that other sites may show in a frame. They run no script.
const embedded = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors *"

func (p *runs) embed(c echo.Context) error {
	r, err := p.load(c)
	if err != nil {
		return err
	}
	theme := c.QueryParam("theme")
	if theme != "light" && theme != "dark" {
		theme = "auto"
	}
	h := c.Response().Header()
	h.Set("Content-Security-Policy", embedded)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return render(c, web.RunEmbedded(p.data, r, theme))
}
