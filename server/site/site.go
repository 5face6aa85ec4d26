// Package site is what a browser is answered with: which path leads where, the pages, what guards them, and the HTTP
// servers they are on. Look at New first.
package site

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/learner/hyper"
	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/firewall"
	"impalab/server/lab"
	"impalab/server/session"
	"impalab/server/site/api"
	"impalab/static"
	"impalab/web"
)

// Options are what a site is made of; all but HSTS are wanted.
type Options struct {
	Base   string // begins and ends with a slash
	Origin string // before it, as other sites see it, like https://example.org; "": not known
	Build  string
	Assets *static.Assets
	Gate   *session.Gate
	Hosts  *firewall.Hosts
	HTTPS  bool          // browsers see the pages by https
	HSTS   time.Duration // how long they should remember that; 0: no such header

	Writable func() error // why the data folder cannot be written, so that the server is not ready; it logs that itself
	Answers  func() error // the same of the database
	Log      *slog.Logger

	Runs    *lab.Lab
	Board   *board.Contest
	Rooms   *class.Rooms
	Host    string                     // who makes rooms must send it; "": everybody may
	Invite  string                     // the address of the pages for others on the network; "": as a browser has it
	Keep    time.Duration              // how long a room is kept; 0: 60 days
	Address func(*http.Request) string // whom a request counts for
	Closing context.Context            // event streams end with it
	Devices string                     // what runs are computed on beside the processor; "": that alone

	SameOrigin func(http.Handler) http.Handler // refuses other sites' pages
	Refused    firewall.Refused
}

const (
	unwritable = "the data folder cannot be written; the server's log has the details\n"
	unanswered = "the database does not answer; the server's log has the details\n"
)

// pieceWithin is how long a browser may take over 64 kB of a file: 4 kB/s is slow for the slowest line.
const pieceWithin = 15 * time.Second

// How often one address may start runs: a sweep of forty begins at once, a loop without end fills no store.
const (
	startsEvery = 20.0 // a second
	startsBurst = 40
)

// How often one address may have a file of a run made: a class takes every chart of a run along at once, a loop without
// end takes no core from the runs. The slowest, an episode, is played by one at a time.
const (
	filesEvery = 2.0 // a second
	filesBurst = 60
)

// How often one address may have the page of a run or a sweep made, with all its curves: a class of sixty behind one
// address opens the same page at once, and a page of a sweep that fills asks again each second.
const (
	pagesEvery = 20.0 // a second
	pagesBurst = 200
)

// Site answers everything a browser asks for.
type Site struct {
	*echo.Echo
	ready atomic.Bool
}

// New makes the pages once: everything in them is fixed when the server starts.
func New(o Options) (*Site, error) {
	s := &Site{Echo: echo.New()}
	s.ready.Store(true)
	data := web.Data{
		Base: o.Base, Origin: o.Origin, Build: o.Build, ClientBuilt: o.Assets.ClientBuilt(),
		Asset:   func(name string) string { return o.Base + "static/" + o.Assets.Hashed(name) },
		Presets: hyper.Presets, Table: hyper.Table, Devices: o.Devices,
	}
	if asset := data.Asset; o.Assets.Has(static.Worker) {
		data.Browser = &web.Browser{Worker: asset("worker.js"), Exec: asset("wasm_exec.js"), Program: asset(static.Worker),
			Makes: o.Base + "api/programs"}
	}
	var pages [9]*page
	for i, c := range []component{web.Lab(data), web.Stage(data), web.NotFound(data), web.First(data),
		web.NoLink(data), web.Microscope(data), web.TwoStates(data), web.Buttons(data), web.Gallery(data)} {
		var err error
		if pages[i], err = newPage(c); err != nil {
			return nil, err
		}
	}
	lab, stage, notFound, first, noLink := pages[0], pages[1], pages[2], pages[3], pages[4]
	table, err := json.Marshal(api.AllTables())
	if err != nil {
		return nil, err
	}

	s.HTTPErrorHandler = errorHandler(notFound, o.Base, o.Log)
	own := echo.WrapMiddleware(o.SameOrigin)
	v1 := o.Base + "api/v1"
	s.Use(recoverPanics(o.Log), securityHeaders(o.HTTPS, o.HSTS), guarded(o.Base, o.Hosts, o.Refused))
	at := s.Group(strings.TrimSuffix(o.Base, "/"))
	if o.Base != "/" {
		at.GET("", moved(o.Base))
	}
	for _, path := range []string{"", "lab"} { // the pages in German are gone
		at.GET("/de/"+path, moved(o.Base+path))
	}
	at.GET("/", first.serve) // a link of the Lab that names the root goes on from there: static/first.js
	at.HEAD("/", first.serve)
	at.GET("/lab", lab.serve)
	at.HEAD("/lab", lab.serve)
	at.GET("/stage", stage.serve)
	at.GET("/microscope", pages[5].serve)
	at.GET("/microscope/two-states", pages[6].serve)
	at.GET("/microscope/proposition-2", pages[7].serve)
	at.GET("/gallery", pages[8].serve)
	at.Any("/static/*", echo.WrapHandler(http.StripPrefix(o.Base+"static", firewall.Downloads(o.Assets, pieceWithin))))
	at.GET("/ws", handler(o.Gate.ServeWS), own)
	at.GET("/api/actor", handler(o.Gate.ServeActor), own)
	at.GET("/api/stream", handler(o.Gate.ServeStream), own)
	at.POST("/api/send", handler(o.Gate.ServePost), own)
	shown := &runs{lab: o.Runs, data: data, tracks: o.Board.Tracks(), https: o.HTTPS, text: o.Assets.Text,
		slow: make(chan struct{}, 1), address: o.Address, refused: o.Refused}
	at.GET("/api/programs", makePrograms(make(chan struct{}, 1)), own,
		shown.atARate(firewall.NewRate(filesEvery, filesBurst), "programs", firewall.FilesTooFast))
	at.GET("/api/table", func(c echo.Context) error { return c.JSONBlob(http.StatusOK, table) }, own)
	asked := firewall.NewRate(api.LinksEvery, api.LinksBurst)
	programs := firewall.Downloads(api.New(api.Options{
		Runs: o.Runs, Rooms: o.Rooms, Board: o.Board, Host: o.Host, Base: v1, Build: o.Build, Address: o.Address,
		Starts:  firewall.NewRate(startsEvery, startsBurst),
		Links:   asked,
		Refused: o.Refused, Closing: o.Closing, Log: o.Log,
		Storable: func() error { return cmp.Or(o.Writable(), o.Answers()) },
	}), pieceWithin)
	at.Any("/api/v1", echo.WrapHandler(programs), own)
	at.Any("/api/v1/*", echo.WrapHandler(programs), own)
	pagesAtARate := shown.atARate(firewall.NewRate(pagesEvery, pagesBurst), "pages", firewall.RunPagesTooFast)
	short := &links{runs: shown, asked: asked, address: o.Address, refused: o.Refused, unknown: noLink}
	at.GET("/l/:code", short.follow)
	at.POST("/r/:id/link", short.make, own)
	at.GET("/r/:id", shown.page, pagesAtARate)
	at.GET("/r/:id/:file", shown.file,
		shown.atARate(firewall.NewRate(filesEvery, filesBurst), "files", firewall.FilesTooFast))
	at.GET("/embed/:id", shown.embed, pagesAtARate)
	at.GET("/s/:id", sweepPage(o.Runs, data), pagesAtARate)
	if err := learn(at, data, o.Runs); err != nil {
		return nil, err
	}
	if err := classPages(at, data, o.Host != "", o.HTTPS, o.Keep, o.Invite); err != nil {
		return nil, err
	}
	boardRoutes(at, data, o.Board, o.Runs)
	at.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok\n") })
	at.GET("/readyz", func(c echo.Context) error {
		if !s.ready.Load() {
			return c.String(http.StatusServiceUnavailable, "stopping\n")
		}
		if o.Writable() != nil {
			return c.String(http.StatusServiceUnavailable, unwritable)
		}
		if o.Answers() != nil {
			return c.String(http.StatusServiceUnavailable, unanswered)
		}
		return c.String(http.StatusOK, "ready\n")
	})
	return s, nil
}

// guarded lets through what is for one of our names, and bodies where they are read.
func guarded(base string, hosts *firewall.Hosts, refused firewall.Refused) echo.MiddlewareFunc {
	send, v1 := base+"api/send", base+"api/v1/"
	return echo.WrapMiddleware(func(next http.Handler) http.Handler {
		return hosts.Protect(firewall.Bodies(next, refused, func(r *http.Request) bool {
			return r.URL.Path == send && r.Method == http.MethodPost || strings.HasPrefix(r.URL.Path, v1) && api.Reads(r)
		}), refused)
	})
}

// Stopping has the site say that it is not ready.
func (s *Site) Stopping() { s.ready.Store(false) }

func handler(f http.HandlerFunc) echo.HandlerFunc { return echo.WrapHandler(f) }
