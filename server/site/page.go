package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"impalab/server/errcode"
	"impalab/server/firewall"
	"impalab/server/site/api"
	"impalab/static"
)

// component is a page as package web returns it.
type component interface {
	Render(ctx context.Context, w io.Writer) error
}

// page is a finished page, plain and compressed.
type page struct {
	plain, packed []byte
	tag           string
}

func newPage(c component) (*page, error) {
	var plain, packed bytes.Buffer
	if err := c.Render(context.Background(), &plain); err != nil {
		return nil, err
	}
	w := gzip.NewWriter(&packed)
	w.Write(plain.Bytes())
	w.Close()
	sum := sha256.Sum256(plain.Bytes())
	return &page{plain.Bytes(), packed.Bytes(), `"` + hex.EncodeToString(sum[:8]) + `"`}, nil
}

// serve renders a page once, and serves it at a path.
func serve(at *echo.Group, path string, c component) error {
	p, err := newPage(c)
	if err == nil {
		at.Match([]string{http.MethodGet, http.MethodHead}, path, func(c echo.Context) error { return p.write(c, 200) })
	}
	return err
}

func (p *page) write(c echo.Context, status int) error {
	h := c.Response().Header()
	h.Set("Cache-Control", "no-cache") // a page names the files of one build
	h.Add("Vary", "Accept-Encoding")
	if status == http.StatusOK {
		h.Set("ETag", p.tag)
		if c.Request().Header.Get("If-None-Match") == p.tag {
			return c.NoContent(http.StatusNotModified)
		}
	}
	body := p.plain
	if static.Accepts(c.Request().Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = p.packed
	}
	return c.HTMLBlob(status, body)
}

// render answers with a page that was made for this request.
func render(c echo.Context, page component) error {
	c.Response().Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	c.Response().WriteHeader(http.StatusOK)
	return page.Render(c.Request().Context(), c.Response())
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
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if sentence := limit.Exceeded(o.Address(c.Request()), o.Refused); sentence != "" {
				c.Response().Header().Set("Retry-After", "1")
				return echo.NewHTTPError(http.StatusTooManyRequests, sentence)
			}
			return next(c)
		}
	}
}

// ready adds the routes that say whether the server lives and whether it is ready.
func (s *Site) ready(at *echo.Group, lost func() string, headers ...echo.MiddlewareFunc) {
	at.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }, headers...)
	at.GET("/readyz", func(c echo.Context) error {
		why := "stopping"
		if !s.stopping.Load() {
			why = lost()
		}
		if why != "" {
			return c.String(http.StatusServiceUnavailable, why+"\n")
		}
		return c.String(http.StatusOK, "ready\n")
	}, headers...)
}

// files serves the embedded files.
func files(at *echo.Group, base string, assets http.Handler, headers ...echo.MiddlewareFunc) {
	at.Any("/static/*", echo.WrapHandler(http.StripPrefix(base+"static", firewall.Downloads(assets, pieceWithin))),
		headers...)
}

func attach(c echo.Context, name string) {
	c.Response().Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
}
