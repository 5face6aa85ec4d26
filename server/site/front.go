package site

// What a front end is: a site without runs of its own, which asks a host for everything but sockets, streams and files.

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/server/firewall"
	"impalab/server/session"
	"impalab/server/site/api"
	"impalab/static"
	"impalab/web/hub"
)

// FrontOptions are what a front end's site is made of; all but HSTS are wanted.
type FrontOptions struct {
	Base   string // begins and ends with a slash
	Assets *static.Assets
	Gate   *session.Gate
	Hosts  *firewall.Hosts
	HTTPS  bool          // browsers see the pages by https
	HSTS   time.Duration // how long they should remember that; 0: no such header

	Host interface {
		Pass() http.Handler // answers as the host does
		Lost() error        // why it cannot be asked; nil when it can
		Join(ctx context.Context, id, key string) (hub.Run, error)
	}
	Closing    context.Context // event streams end with it
	SameOrigin func(http.Handler) http.Handler
	Refused    firewall.Refused
	Log        *slog.Logger
}

// NewFront makes the site of a front end.
func NewFront(o FrontOptions) *Site {
	s := &Site{Echo: echo.New()}
	s.ready.Store(true)
	s.Use(recoverPanics(o.Log), guarded(o.Base, o.Hosts, o.Refused))
	headers := securityHeaders(o.HTTPS, o.HSTS)
	own := echo.WrapMiddleware(o.SameOrigin)
	at := s.Group(strings.TrimSuffix(o.Base, "/"))
	files := http.StripPrefix(o.Base+"static", firewall.Downloads(o.Assets, pieceWithin))
	at.Any("/static/*", echo.WrapHandler(files), headers)
	at.GET("/ws", handler(o.Gate.ServeWS), headers, own)
	at.GET("/api/stream", handler(o.Gate.ServeStream), headers, own)
	at.POST("/api/send", handler(o.Gate.ServePost), headers, own)
	at.GET("/api/v1/runs/:id/events", func(c echo.Context) error {
		r := c.Request()
		run, err := o.Host.Join(r.Context(), c.Param("id"), "")
		if err != nil {
			api.Fail(c.Response(), err)
			return nil
		}
		firewall.Downloads(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			api.Tell(r.Context(), w, run, r.Header.Get("Last-Event-ID"), api.Beat, o.Closing)
		}), pieceWithin).ServeHTTP(c.Response(), r)
		return nil
	}, headers, own)
	at.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }, headers)
	at.GET("/readyz", func(c echo.Context) error {
		if !s.ready.Load() {
			return c.String(http.StatusServiceUnavailable, "stopping\n")
		}
		if err := o.Host.Lost(); err != nil {
			return c.String(http.StatusServiceUnavailable, err.Error()+"\n")
		}
		return c.String(http.StatusOK, "ready\n")
	}, headers)
	pass := echo.WrapHandler(firewall.Downloads(o.Host.Pass(), pieceWithin))
	at.Any("/api/*", pass, own)
	s.Any("/*", pass) // and what the host says where there is nothing
	return s
}

// Away answers a request that the host cannot be asked about. A browser asks again by itself.
func Away(w http.ResponseWriter, r *http.Request, why error) {
	if strings.Contains(r.URL.Path, "/api/") {
		api.Fail(w, why)
		return
	}
	w.Header().Set("Retry-After", "5")
	w.Header().Set("Refresh", "5")
	http.Error(w, why.Error(), http.StatusServiceUnavailable)
}
