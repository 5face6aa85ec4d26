package site

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/firewall"
	"impalab/server/session"
	"impalab/server/site/api"
	"impalab/web/hub"
)

// FrontOptions configure the site of a front end, which has no runs. It answers sockets, streams and files, and passes
// all other requests to its host. All options are needed.
type FrontOptions struct {
	Web
	Gate *session.Gate
	Host interface {
		Proxy() http.Handler // passes requests to the host
		Lost() error         // returns why the host cannot be asked, or nil
		Join(ctx context.Context, id, key string) (hub.Run, error)
	}
}

// NewFront returns the site of a front end.
func NewFront(o FrontOptions) *Site {
	s := &Site{Echo: echo.New()}
	s.Use(recoverPanics(o.Log), o.guarded())
	headers := o.securityHeaders()
	own := echo.WrapMiddleware(o.SameOrigin)
	at := s.Group(strings.TrimSuffix(o.Base, "/"))
	files(at, o.Base, headers)
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
			api.StreamEvents(r.Context(), w, run, r.Header.Get("Last-Event-ID"), api.Beat, o.Closing)
		}), slowest).ServeHTTP(c.Response(), r)
		return nil
	}, headers, own)
	s.ready(at, o.Host.Lost, headers)
	pass := echo.WrapHandler(firewall.Downloads(o.Host.Proxy(), slowest))
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
