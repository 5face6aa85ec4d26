package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"

	"impalab/server/errcode"
	"impalab/server/firewall"
	"impalab/server/site/api"
	"impalab/static"
)

// component is a page as package page returns it.
type component interface {
	Render(ctx context.Context, w io.Writer) error
}

// serve serves a page at a path. The first request for the page renders it, once.
func serve(at *echo.Group, path string, page component) {
	rendered := sync.OnceValues(func() (*static.File, error) {
		var b bytes.Buffer
		err := page.Render(context.Background(), &b)
		return static.NewFile("page.html", b.Bytes()), err
	})
	at.Match([]string{http.MethodGet, http.MethodHead}, path, func(c echo.Context) error {
		file, err := rendered()
		if err != nil {
			return err
		}
		file.Serve(c.Response(), c.Request(), "no-cache") // a page names the files of one build
		return nil
	})
}

// render answers with a page that was made for this request.
func render(c echo.Context, page component) error { return renderAs(c, http.StatusOK, page) }

// drawnText is a page that many readers share.
type drawnText struct {
	plain, zipped []byte
	err           error
}

// drawn draws a page and compresses it.
func drawn(page component) *drawnText {
	var plain, zipped bytes.Buffer
	err := page.Render(context.Background(), &plain)
	to := gzip.NewWriter(&zipped)
	to.Write(plain.Bytes()) // a buffer takes all
	to.Close()
	return &drawnText{plain.Bytes(), zipped.Bytes(), err}
}

func (d *drawnText) send(c echo.Context) error {
	if d.err != nil {
		return d.err
	}
	header := c.Response().Header()
	header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if !static.Accepts(c.Request().Header.Get(echo.HeaderAcceptEncoding), "gzip") {
		return c.HTMLBlob(http.StatusOK, d.plain)
	}
	header.Set(echo.HeaderContentEncoding, "gzip")
	return c.HTMLBlob(http.StatusOK, d.zipped)
}

// missing answers a request for an unknown page.
func missing(c echo.Context, page component) error {
	c.Response().Header().Set("Cache-Control", "no-cache")
	return renderAs(c, http.StatusNotFound, page)
}

// renderAs answers with a page, compressed if the browser accepts that.
func renderAs(c echo.Context, status int, page component) error {
	made, err := api.Pack(func(to io.Writer) error { return page.Render(c.Request().Context(), to) })
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	return made.Send(c.Response(), c.Request(), status)
}

// moved redirects to the present address of a page.
func moved(to string) echo.HandlerFunc {
	return func(c echo.Context) error { return c.Redirect(http.StatusMovedPermanently, to) }
}

// pageError returns the answer to a page's request that failed with err.
func pageError(err error) error {
	switch errcode.Of(err) {
	case errcode.NotFound:
		return echo.ErrNotFound
	case errcode.Conflict:
		return echo.NewHTTPError(http.StatusConflict, err.Error())
	case errcode.Full:
		return echo.NewHTTPError(http.StatusServiceUnavailable, err.Error())
	}
	return err
}

// limited returns a middleware that refuses the requests of an address above a limit.
func (o *Options) limited(limit *api.Limit) echo.MiddlewareFunc {
	return o.limitedBy(func(*http.Request) *api.Limit { return limit })
}

// limitedBy is limited with a limit for each request.
func (o *Options) limitedBy(limit func(*http.Request) *api.Limit) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if sentence := limit(c.Request()).Exceeded(o.Address(c.Request()), o.Refused); sentence != "" {
				c.Response().Header().Set("Retry-After", "1")
				return echo.NewHTTPError(http.StatusTooManyRequests, sentence)
			}
			return next(c)
		}
	}
}

// ready adds the routes that say whether the server lives and whether it is ready.
func (s *Site) ready(at *echo.Group, lost func() error, headers ...echo.MiddlewareFunc) {
	at.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }, headers...)
	at.GET("/readyz", func(c echo.Context) error {
		if s.stopping.Load() {
			return c.String(http.StatusServiceUnavailable, "stopping\n")
		}
		if err := lost(); err != nil {
			return c.String(http.StatusServiceUnavailable, err.Error()+"\n")
		}
		return c.String(http.StatusOK, "ready\n")
	}, headers...)
}

// files serves the embedded files.
func files(at *echo.Group, base string, headers ...echo.MiddlewareFunc) {
	assets := firewall.Downloads(static.Embedded(), slowest)
	at.Any("/static/*", echo.WrapHandler(http.StripPrefix(base+"static", assets)), headers...)
}

func attach(c echo.Context, name string) {
	c.Response().Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
}
