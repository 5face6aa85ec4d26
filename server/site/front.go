package site

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

// FrontOptions configure the site of a front end, which has no runs. It answers sockets, streams and files, and passes
// all other requests to its host. All options but HSTS are needed.
type FrontOptions struct {
	Base   string // begins and ends with a slash
	Assets *static.Assets
	Gate   *session.Gate
	Hosts  *firewall.Hosts
	HTTPS  bool          // browsers use https
	HSTS   time.Duration // of the header Strict-Transport-Security; 0: no header

	Host interface {
		Pass() http.Handler // passes requests to the host
		Lost() error        // returns why the host cannot be asked, or nil
		Join(ctx context.Context, id, key string) (hub.Run, error)
	}
	Closing    context.Context // ends event streams
	SameOrigin func(http.Handler) http.Handler
	Refused    firewall.Refused
	Log        *slog.Logger
}

// NewFront returns the site of a front end.
func NewFront(o FrontOptions) *Site {
	s := &Site{Echo: echo.New()}
	s.Use(recoverPanics(o.Log), guarded(o.Base, o.Hosts, o.Refused))
	headers := securityHeaders(o.HTTPS, o.HSTS)
	own := echo.WrapMiddleware(o.SameOrigin)
	at := s.Group(strings.TrimSuffix(o.Base, "/"))
	files(at, o.Base, o.Assets, headers)
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
	s.ready(at, func() string {
		if err := o.Host.Lost(); err != nil {
			return err.Error()
		}
		return ""
	}, headers)
	pass := echo.WrapHandler(firewall.Downloads(o.Host.Pass(), pieceWithin))
	at.Any("/api/*", pass, own)
	s.Any("/*", pass) // the host also answers unknown paths
	return s
}

// Away answers a request while the host cannot be asked. A browser asks again by itself.
func Away(w http.ResponseWriter, r *http.Request, why error) {
	if strings.Contains(r.URL.Path, "/api/") {
		api.Fail(w, why)
		return
	}
	w.Header().Set("Retry-After", "5")
	w.Header().Set("Refresh", "5")
	http.Error(w, why.Error(), http.StatusServiceUnavailable)
}
