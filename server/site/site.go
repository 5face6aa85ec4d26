// Package site is the web site: its routes, its pages, its HTTP servers and their guards. Start with New.
package site

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/firewall"
	"impalab/server/lab"
	"impalab/server/places"
	"impalab/server/session"
	"impalab/server/site/api"
	"impalab/server/sweep"
	"impalab/static"
	"impalab/web/page"
)

// Web says how browsers reach a site. All but Origin and HSTS are needed.
type Web struct {
	Base       string        // path of the pages; begins and ends with a slash
	Origin     string        // scheme and host, for other sites, like https://example.org; "": unknown
	HTTPS      bool          // browsers use https
	HSTS       time.Duration // of the header Strict-Transport-Security; 0: no header
	Hosts      firewall.Hosts
	SameOrigin func(http.Handler) http.Handler // refuses pages of other sites
	Refused    firewall.Refused
	Address    func(*http.Request) string // returns the address that a request counts for
	Closing    context.Context            // ends event streams
	Log        *slog.Logger
}

// Options configure a site. All are needed, unless a comment gives a default.
type Options struct {
	Web
	Build    string
	Gate     *session.Gate
	Storable func() error // returns why nothing can be stored now, for everybody to read
	// Admit reads who the visitor is of a request that a front end passes on; nil: there are no front ends.
	Admit func(http.Handler) http.Handler

	Runs    *lab.Lab
	Sweeps  *sweep.Sweeps
	Board   *board.Contest
	Rooms   *class.Rooms
	Host    string        // token that opening a room needs; "": none
	Invite  string        // address of the pages for others on the network; "": as a browser has it
	Keep    time.Duration // how long a room is stored; 0: 60 days
	Devices string        // devices that compute runs beside the CPU; "": none
	Limits  *api.Limits   // of each address; nil: new ones
	Memory  int64         // bytes that the whole server may take; 0: 4 GB
}

// Clients must take the server's own files at 4 kB/s at least, which is slow even for a slow connection. An answer that
// was made for a request takes memory meanwhile: 17 kB/s.
var (
	slowest = firewall.Pace{Bytes: 64 << 10, Within: 15 * time.Second}
	slow    = firewall.Pace{Bytes: 256 << 10, Within: 15 * time.Second}
)

// answersPart of the server's memory is for answers that clients have not taken yet.
const answersPart = 1. / 16

// Site answers all requests of browsers.
type Site struct {
	*echo.Echo
	stopping atomic.Bool
}

// Stopping makes the site report that it is not ready.
func (s *Site) Stopping() { s.stopping.Store(true) }

// New returns the site.
func New(o Options) *Site {
	o.Memory = cmp.Or(o.Memory, 4e9)
	s, assets := &Site{Echo: echo.New()}, static.Embedded()
	data := page.Data{
		Base: o.Base, Origin: o.Origin, Build: o.Build, ClientBuilt: assets.ClientBuilt(),
		Asset:   func(name string) string { return o.Base + "static/" + assets.Hashed(name) },
		Devices: o.Devices,
	}
	if asset := data.Asset; assets.Has(static.Worker) {
		data.Browser = &page.Browser{Worker: asset("worker.js"), Exec: asset("wasm_exec.js"),
			Kernels: asset("kernels.js"), Program: asset(static.Worker), Makes: o.Base + "api/programs"}
	}
	if o.Admit != nil {
		s.Pre(echo.WrapMiddleware(o.Admit))
	}
	s.HTTPErrorHandler = errorHandler(data, o.Log)
	s.Use(recoverPanics(o.Log), o.securityHeaders(), o.guarded(), withoutSlash(o.Base))
	at := s.Group(strings.TrimSuffix(o.Base, "/"))
	if o.Base != "/" {
		at.GET("", moved(o.Base))
	}
	for path, of := range page.Pages() {
		serve(at, "/"+path, of(data))
	}
	files(at, o.Base)
	o.dynamic(at, data)
	s.ready(at, o.Storable)
	return s
}

// counting adds routes whose answers are counted until their clients have taken them. Group.Use would add routes too,
// which answer 404 in place of 405.
type counting struct {
	group *echo.Group
	send  echo.MiddlewareFunc
}

func (a counting) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
	a.group.GET(path, h, append([]echo.MiddlewareFunc{a.send}, m...)...)
}

func (a counting) POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
	a.group.POST(path, h, append([]echo.MiddlewareFunc{a.send}, m...)...)
}

// dynamic adds the routes whose answers are made for each request.
func (o *Options) dynamic(at *echo.Group, data page.Data) {
	own := echo.WrapMiddleware(o.SameOrigin)
	limits := cmp.Or(o.Limits, api.NewLimits())
	at.GET("/ws", handler(o.Gate.ServeWS), own)
	at.GET("/api/actor", handler(o.Gate.ServeActor), own)
	at.GET("/api/stream", handler(o.Gate.ServeStream), own)
	at.POST("/api/send", handler(o.Gate.ServePost), own)
	answers := firewall.NewAnswers(int(answersPart*float64(o.Memory)), o.Refused)
	programs := echo.WrapHandler(answers.Send(api.New(api.Options{
		Runs: o.Runs, Sweeps: o.Sweeps, Rooms: o.Rooms, Board: o.Board, Host: o.Host, Base: o.Base + "api/v1", Build: o.Build,
		Address: o.Address, Limits: limits, Refused: o.Refused, Closing: o.Closing, Log: o.Log,
		Storable: o.Storable, Keep: int(keptPart * float64(o.Memory)),
	}), slow, o.Address))
	at.Any("/api/v1", programs, own)
	at.Any("/api/v1/*", programs, own)

	shown := &runs{lab: o.Runs, data: data, tracks: o.Board.Tracks(), https: o.HTTPS, text: static.Embedded().Text,
		played: newPlayed(o.Memory), drawn: places.NewMade(int(keptPart * float64(o.Memory)))}
	counted := counting{at, echo.WrapMiddleware(func(next http.Handler) http.Handler {
		return answers.Send(next, slow, o.Address)
	})}
	counted.GET("/api/programs", makePrograms(), own, o.limited(limits.Programs))
	pages := o.limited(limits.Pages)
	counted.GET("/l/:code", shown.follow)
	counted.POST("/r/:id/link", shown.makeLink, own, o.limited(limits.Links))
	counted.GET("/r/:id", shown.page, pages)
	counted.GET("/runs/sparks", shown.sparks, pages)
	counted.GET("/runs/together", shown.together, pages)
	counted.GET("/r/:id/:file", shown.file, o.limited(limits.Files))
	counted.GET("/embed/:id", shown.embed, pages)
	swept := &sweeps{o.Sweeps, data, o.HTTPS}
	counted.GET("/"+page.StalenessPath, func(c echo.Context) error { return render(c, page.Staleness(data)) }, pages)
	counted.GET("/s/:id", swept.page, pages)
	counted.GET("/s/:id/:file", swept.file, o.limited(limits.Files))
	counted.GET("/"+page.Vectors, vectors())
	counted.GET("/corrections/weights", weigh, own, o.limited(limits.Requests))
	learn(counted, data, o.Runs)
	boardRoutes(counted, data, o.Board, o.Runs, o.limitedBy(limits.OfBoard))
	o.classPages(counted, data)
}

// guarded lets through requests for one of the server's names, and notes their visitors. It discards bodies that no
// handler reads.
func (w *Web) guarded() echo.MiddlewareFunc {
	send, v1 := w.Base+"api/send", w.Base+"api/v1/"
	return echo.WrapMiddleware(func(next http.Handler) http.Handler {
		counted := http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(to, r.WithContext(places.By(r.Context(), w.Address(r))))
		})
		return w.Hosts.Protect(firewall.Bodies(counted, w.Refused, func(r *http.Request) bool {
			return r.URL.Path == send && r.Method == http.MethodPost || strings.HasPrefix(r.URL.Path, v1) && api.Reads(r)
		}), w.Refused)
	})
}

func handler(f http.HandlerFunc) echo.HandlerFunc { return echo.WrapHandler(f) }
