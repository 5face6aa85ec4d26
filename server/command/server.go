package command

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"impalab/learner"
	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/cluster"
	"impalab/server/errcode"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/places"
	"impalab/server/session"
	"impalab/server/site"
	"impalab/server/site/api"
	"impalab/server/store"
	"impalab/server/sweep"
	"impalab/static"
	"impalab/web/page"
)

// Defaults returns serve with the default of each flag.
func Defaults() *Serve {
	s := new(Serve)
	if err := kong.ApplyDefaults(s, Vars); err != nil {
		panic("command: the grammar is wrong: " + err.Error())
	}
	return s
}

// Server is the Lab with all that it has opened. Open opens it, Run answers browsers, and Close closes all of it: the
// last first, so that jobs end before the runs, rooms and board that they use, and these before the store.
type Server struct {
	*Serve
	log    *slog.Logger
	build  string
	closes []func()

	web      *webServer
	boards   *board.Tracks
	engine   learner.Engine
	salt     []byte
	kept     *store.Store
	queue    *job.Queue
	storable func() error // returns why nothing can be stored now
	limits   *api.Limits
	options  lab.Options
	runs     *lab.Lab
	sweeps   *sweep.Sweeps
	rooms    *class.Rooms
	contest  *board.Contest
	gate     *session.Gate
	pages    *site.Site
	invite   invitation
}

// Open opens the server of these flags, which listens from then on. After an error nothing is open.
func (s *Serve) Open(ctx context.Context, log *slog.Logger) (*Server, error) {
	if s.Compiled != "" {
		if err := static.Embedded().ReadCompiled(os.DirFS(s.Compiled)); err != nil {
			return nil, UsageError{fmt.Errorf("--compiled %s: %w", s.Compiled, err)}
		}
	}
	o := &Server{Serve: s, log: log, build: buildName(), limits: api.NewLimits()}
	if err := s.AfterApply(); err != nil {
		return nil, UsageError{err}
	}
	for _, open := range []func(context.Context) error{o.openWeb, o.openStore, o.openRuns, o.openJobs, o.openPages} {
		if err := open(ctx); err != nil {
			o.Close()
			return nil, err
		}
	}
	return o, nil
}

// Run calls begun, and answers browsers until ctx ends or pages can no longer be answered. It returns the reason of the
// latter.
func (o *Server) Run(ctx context.Context, begun func()) error {
	return o.serve(ctx, o.web, viewed{pages: o.pages, gate: o.gate, hub: o.runs.Hub(), runs: o.runs,
		alive: func() { o.runs.Count() }, begun: begun})
}

// URL returns the address of the pages.
func (o *Server) URL() string { return o.web.page() }

// Close closes all that is open. Each part has the time that the server's end leaves it.
func (o *Server) Close() {
	for _, closes := range slices.Backward(o.closes) {
		closes()
	}
}

func (o *Server) atClose(f func()) { o.closes = append(o.closes, f) }

// soon closes a part that has the time of jobs and runs.
func (o *Server) soon(f func()) { o.atClose(func() { within(o.web.end.soon, f) }) }

// openWeb reads the tracks of the board, listens, and opens the device that computes.
func (o *Server) openWeb(ctx context.Context) error {
	done, err := o.compute()
	if err != nil {
		return err
	}
	o.atClose(done)
	if o.boards, err = o.tracks(o.log); err != nil {
		return err
	}
	if o.web, err = o.webFlags.open(o.log); err != nil {
		return err
	}
	o.atClose(o.web.close)
	engine, closeEngine, err := o.Serve.engine(ctx)
	if err != nil {
		return err
	}
	o.engine = engine
	o.atClose(func() { within(o.web.end.over, closeEngine) })
	if !static.ClientBuilt() {
		o.log.Warn("the client is not built: run " + page.BuildClient +
			", then start the server again; until then the page has no picture")
	}
	return nil
}

// openStore opens the data folder, the database and its queue of jobs.
func (o *Server) openStore(ctx context.Context) error {
	folder, err := openData(o.Data, o.log, time.Now)
	if err != nil {
		return err
	}
	o.kept, err = store.Open(ctx, store.Options{Dir: o.Data, URL: o.DatabaseURL, Address: o.web.listener.Addr().String(),
		Visitor: places.Visitor, Others: o.others(), Bytes: o.data(), Log: o.log})
	if err != nil {
		return err
	}
	o.atClose(func() { within(o.web.end.over, func() { o.kept.Close() }) })
	database := answers(o.kept, o.log)
	o.storable = func() error { return storable(folder, database) }
	if o.salt, err = readSalt(o.Data); err != nil {
		return err
	}
	if o.queue, err = o.Serve.queue(ctx, o.kept, true, o.log); err != nil {
		return err
	}
	o.soon(o.closeQueue)
	return nil
}

func (o *Server) closeQueue() {
	if err := o.queue.Close(); err != nil {
		o.log.Warn("the queue did not end in time; its jobs will restart", "error", err)
	}
}

func (o *Server) mayStart(address string) error {
	if sentence := o.limits.Starts.Exceeded(address, o.web.Refused); sentence != "" {
		return errcode.Errorf(errcode.TooFast, "%s", sentence)
	}
	return nil
}

// openRuns opens the lab.
func (o *Server) openRuns(context.Context) (err error) {
	o.options = lab.Options{MayStart: o.mayStart, Build: o.build, Store: o.kept, Elsewhere: sweep.Elsewhere, Log: o.log,
		Storable: o.storable, Cores: runtime.GOMAXPROCS(0), Devices: o.engine.Devices, Salt: o.salt}
	o.limitFlags.lab(&o.options)
	o.atClose(o.prepare())
	if o.runs, err = lab.New(o.options); err == nil {
		o.soon(o.runs.Close)
	}
	return err
}

// openJobs opens the sweeps, the rooms and the board, and begins their jobs.
func (o *Server) openJobs(context.Context) (err error) {
	o.sweeps, err = sweep.New(sweep.Options{Lab: o.runs, Store: o.kept, Queue: o.queue, Log: o.log})
	if err != nil {
		return err
	}
	o.soon(o.sweeps.Close)
	o.rooms, err = class.New(class.Options{Store: o.kept, Queue: o.queue, Runs: o.runs, Cores: o.runs.Cores(),
		Workers: o.Workers, Keep: o.options.Keep.Age, Memory: int64(roomPart * o.memory()), Salt: o.salt, Log: o.log})
	if err != nil {
		return err
	}
	o.soon(o.rooms.Close)
	o.contest = board.NewContest(board.ContestOptions{Store: o.kept, Tracks: o.boards, Cores: o.runs.Cores(),
		Queue: o.queue, Memory: o.options.RunMemory, Season: time.Duration(o.SeasonDays) * 24 * time.Hour, Salt: o.salt,
		Log: o.log})
	o.soon(o.contest.Close)
	kinds := slices.Concat(o.contest.Kinds(), o.rooms.Kinds(), o.sweeps.Kinds())
	if err := o.queue.Start(kinds...); err != nil {
		return err
	}
	o.soon(o.closeQueue)
	return nil
}

// openPages makes the pages, and lets front ends show the runs.
func (o *Server) openPages(context.Context) (err error) {
	w := o.web
	sessions := o.sessions(w)
	sessions.Actors = o.rooms
	o.gate = session.New(w.Closing, o.runs, sessions)
	o.invite = newInvitation(w.listener.Addr(), w.scheme, w.Base, w.Origin)
	admit, closeCluster, err := o.host(cluster.HostOptions{Runs: o.runs, Build: o.build, Base: w.Base, Log: o.log})
	if err != nil {
		return err
	}
	o.soon(closeCluster)
	o.pages = site.New(site.Options{
		Web: w.Web, Admit: admit, Build: o.build, Gate: o.gate, Storable: o.storable,
		Runs: o.runs, Sweeps: o.sweeps, Board: o.contest, Rooms: o.rooms, Host: o.AdminToken, Keep: o.options.Keep.Age,
		Invite: o.invite.best(), Devices: strings.Join(o.engine.Devices.Open(), ", "), Memory: int64(o.memory()),
		Limits: o.limits,
	})
	return nil
}
