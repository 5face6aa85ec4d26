package main

// The site: which path leads where. Pages are made once, when the server starts: everything in them is fixed by then.

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/learner/hyper"
	"impalab/server/guard"
	"impalab/server/session"
	"impalab/static"
	"impalab/web"
)

type siteOptions struct {
	base   string // begins and ends with a slash
	build  string
	assets *static.Assets
	gate   *session.Gate
	hosts  *guard.Hosts
	https  bool          // browsers see the pages by https
	hsts   time.Duration // how long they shall remember that; 0: they are not told
	data   *dataFolder
	log    *slog.Logger

	sameOrigin func(http.Handler) http.Handler // refuses other sites' pages
	refused    guard.Refused
}

const unwritable = "the data folder cannot be written; the server's log has the details\n"

// pieceWithin is how long a browser may take over 64 kB of a file: 4 kB/s is slow for the slowest line.
const pieceWithin = 15 * time.Second

// site answers everything a browser asks for.
type site struct {
	*echo.Echo
	ready atomic.Bool
}

func newSite(o siteOptions) (*site, error) {
	s := &site{Echo: echo.New()}
	s.ready.Store(true)
	data := web.Data{
		Base: o.base, Build: o.build, ClientBuilt: o.assets.ClientBuilt(),
		Asset:   func(name string) string { return o.base + "static/" + o.assets.Hashed(name) },
		Presets: hyper.Presets, Table: hyper.Table,
	}
	var pages [3]*page
	for i, c := range []component{web.Lab(data), web.Stage(data), web.NotFound(data)} {
		var err error
		if pages[i], err = newPage(c); err != nil {
			return nil, err
		}
	}
	lab, stage, notFound := pages[0], pages[1], pages[2]
	table, err := tableJSON()
	if err != nil {
		return nil, err
	}

	s.HTTPErrorHandler = errorHandler(notFound, o.log)
	own := echo.WrapMiddleware(o.sameOrigin)
	send := o.base + "api/send"
	s.Use(recoverPanics(o.log), securityHeaders(o.https, o.hsts),
		echo.WrapMiddleware(func(next http.Handler) http.Handler { return o.hosts.Protect(next, o.refused) }),
		echo.WrapMiddleware(func(next http.Handler) http.Handler {
			return guard.Bodies(next, o.refused, func(r *http.Request) bool {
				return r.URL.Path == send && r.Method == http.MethodPost
			})
		}))
	at := s.Group(strings.TrimSuffix(o.base, "/"))
	if o.base != "/" {
		at.GET("", func(c echo.Context) error { return c.Redirect(http.StatusMovedPermanently, o.base) })
	}
	at.GET("/", lab.serve)
	at.HEAD("/", lab.serve)
	at.GET("/stage", stage.serve)
	at.Any("/static/*", echo.WrapHandler(http.StripPrefix(o.base+"static", guard.Downloads(o.assets, pieceWithin))))
	at.GET("/ws", handler(o.gate.ServeWS), own)
	at.GET("/api/stream", handler(o.gate.ServeStream), own)
	at.POST("/api/send", handler(o.gate.ServePost), own)
	at.GET("/api/table", func(c echo.Context) error { return c.JSONBlob(http.StatusOK, table) }, own)
	at.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	at.GET("/readyz", func(c echo.Context) error {
		if !s.ready.Load() {
			return c.String(http.StatusServiceUnavailable, "stopping\n")
		}
		if o.data.check() != nil {
			return c.String(http.StatusServiceUnavailable, unwritable)
		}
		return c.String(http.StatusOK, "ready\n")
	})
	return s, nil
}

func handler(f http.HandlerFunc) echo.HandlerFunc { return echo.WrapHandler(f) }

// component is what web makes pages as.
type component interface {
	Render(ctx context.Context, w io.Writer) error
}

// page is a finished page.
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

func (p *page) serve(c echo.Context) error { return p.write(c, http.StatusOK) }

func (p *page) write(c echo.Context, status int) error {
	h := c.Response().Header()
	h.Set("Cache-Control", "no-cache") // ask each time: the page names the files of one build
	h.Set("Vary", "Accept-Encoding")
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
