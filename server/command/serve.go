package command

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/cluster"
	"impalab/server/lab"
	"impalab/server/session"
	"impalab/server/site"
	"impalab/server/store"
	"impalab/server/sweep"
	"impalab/static"
	"impalab/web"
)

// serveFlags are the flags of the server. config prints them.
type serveFlags struct {
	webFlags `set:"addr=127.0.0.1:8080"`
	dataFlags
	AdminToken string `name:"admin-token" secret:"whole" help:"Only requests with this token may make rooms for a class; none: everybody may." placeholder:"TOKEN"`
	Open       bool   `help:"Show the page in your browser."`
	trackFlags
	SeasonDays int `default:"90" help:"Days after which a season of the board closes and its secret seeds are published." placeholder:"N"`
	jobFlags
	limitFlags
	clusterFlags
	arithmeticFlags
	deviceFlags
}

// Serve opens the Lab.
type Serve struct{ serveFlags }

// Help is printed under serve --help.
func (Serve) Help() string {
	return `Opens the Lab and prints the address of its page. Ctrl-C or SIGTERM says goodbye to every page and ends within
ten seconds.

  impalab serve --addr 127.0.0.1:0 --data /tmp/lab
  impalab serve --addr :8080                     # for others on your network: prints their address and its QR code
  impalab serve --base-url https://example.org/lab/ --trusted-proxy 127.0.0.1     # behind a reverse proxy
  impalab serve --addr :443 --tls-cert cert.pem --tls-key key.pem --allow-host lab.example.org     # without a proxy
  impalab serve --cluster --nats-url nats://127.0.0.1:4222     # with impalab front elsewhere, for many viewers`
}

// check refuses values that the server could not work with.
func (f *serveFlags) check() error {
	err := f.webFlags.check()
	switch {
	case err != nil:
	case f.Data == "":
		return usagef("--data is empty: name a folder")
	case f.SeasonDays < 0 || f.SeasonDays > 36500:
		return usagef("--season-days %d: must be a whole number from 1 to 36500", f.SeasonDays)
	}
	for _, check := range []func() error{f.limitFlags.check, f.jobFlags.check, f.clusterFlags.check} {
		err = cmp.Or(err, check())
	}
	if err != nil {
		return UsageError{err}
	}
	return nil
}

// Run serves until ctx ends.
func (s *Serve) Run(ctx context.Context, prog *Program) error {
	if err := s.check(); err != nil {
		return err
	}
	done, err := s.compute()
	if err != nil {
		return err
	}
	defer done()
	ending := newEnding()
	engine, closeEngine, err := s.engine(ctx)
	if err != nil {
		return err
	}
	defer ending.close(closeEngine)
	log := s.logger(prog)
	tracks, err := s.load(func(fault error) {
		log.Warn("a file of the board has a mistake and is left out", "error", fault)
	})
	if err != nil {
		return err
	}
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	w, err := s.webFlags.open(prog)
	if err != nil {
		return err
	}
	defer w.close()
	build := buildName(assets)
	if !assets.ClientBuilt() {
		log.Warn("the client is not built: run " + web.BuildClient +
			", then start the server again; until then the page has no picture")
	}
	data, err := openData(s.Data, log, time.Now)
	if err != nil {
		return err
	}
	kept, err := store.Open(ctx, store.Options{Dir: s.Data, URL: s.DatabaseURL, Address: w.listener.Addr().String(),
		Others: s.others(), Log: log})
	if err != nil {
		return err
	}
	defer ending.close(func() { kept.Close() })
	salt, err := readSalt(s.Data)
	if err != nil {
		return err
	}
	queue, err := s.queue(ctx, kept, true, log)
	if err != nil {
		return err
	}
	defer ending.close(func() { queue.Close() })
	database := answers(kept, log)
	options := lab.Options{Build: build, Store: kept, Elsewhere: sweep.Elsewhere, Log: log,
		Storable: func() error { return cmp.Or(data.result(), database.result()) }, Cores: runtime.GOMAXPROCS(0),
		Devices: engine.Devices, Salt: salt}
	s.limitFlags.lab(&options)
	defer s.prepare()()
	runs, err := lab.New(options)
	if err != nil {
		return err
	}
	defer ending.close(runs.Close)
	sweeps, err := sweep.New(sweep.Options{Lab: runs, Store: kept, Queue: queue, Log: log})
	if err != nil {
		return err
	}
	defer ending.close(sweeps.Close)
	rooms, err := class.New(class.Options{Store: kept, Queue: queue, Runs: runs, Cores: runs.Cores(), Workers: s.Workers,
		Keep: options.Keep.Age, Memory: int64(roomPart * s.memory()), Log: log})
	if err != nil {
		return err
	}
	defer ending.close(rooms.Close)
	contest, err := board.NewContest(board.ContestOptions{Store: kept, Tracks: tracks, Cores: runs.Cores(),
		Queue: queue, Memory: options.RunMemory, Season: time.Duration(s.SeasonDays) * 24 * time.Hour, Salt: salt, Log: log})
	if err != nil {
		return err
	}
	defer ending.close(contest.Close)
	if err := queue.Start(slices.Concat(contest.Kinds(), rooms.Kinds(), sweeps.Kinds())...); err != nil {
		return err
	}
	sessions := s.sessions(w)
	sessions.Actors = rooms
	gate := session.New(w.goodbye, runs, sessions)
	invite := newInvitation(w.listener.Addr(), w.scheme, w.base, w.origin)
	pages, err := site.New(site.Options{
		Base: w.base, Origin: w.origin, Build: build, Assets: assets, Gate: gate,
		Writable: data.result, Answers: database.result,
		Hosts: w.hosts, SameOrigin: w.sameOrigin, HTTPS: w.https, HSTS: s.HSTS,
		Refused: w.refused.Add, Log: log, Runs: runs, Sweeps: sweeps, Board: contest, Rooms: rooms, Host: s.AdminToken,
		Keep: options.Keep.Age, Invite: invite.best(),
		Address: w.visitor, Closing: w.goodbye, Devices: strings.Join(engine.Devices.Open(), ", "),
	})
	if err != nil {
		return err
	}
	closeCluster, err := s.host(cluster.HostOptions{Runs: runs, Site: pages, Build: build, Base: w.base, Log: log})
	if err != nil {
		return err
	}
	defer ending.close(closeCluster)
	err = w.answer(pages, func(open func() int) http.Handler {
		return site.Metrics(build, gate, runs.Hub(), runs, open, w.refused)
	})
	if err != nil {
		return err
	}
	s.announce(prog, w.page(), &invite, log)
	failed := w.wait(ctx, func() { runs.Count() })

	pages.Stopping()
	limit, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	ending.in(farewell + lastRest)
	w.sayGoodbye()
	within(limit.Done(), closeCluster)
	within(limit.Done(), gate.Wait)
	w.stop(limit)
	within(limit.Done(), func() {
		if err := queue.Close(); err != nil {
			log.Warn("the queue did not end in time; its jobs will restart", "error", err)
		}
	})
	within(limit.Done(), contest.Close)
	within(limit.Done(), rooms.Close)
	within(limit.Done(), sweeps.Close)
	within(limit.Done(), runs.Close)
	return failed
}

// announce prints the address of the page, and on a terminal how others reach it.
func (s *Serve) announce(prog *Program, page string, invite *invitation, log *slog.Logger) {
	fmt.Fprintln(prog.Stdout, page)
	if terminal := isTerminal(prog.Stdout); s.QR == "on" || s.QR == "auto" && terminal {
		invite.print(prog.Stdout, terminal)
	}
	if s.Open {
		if err := openBrowser(page); err != nil {
			log.Warn("the browser could not be opened; click on the address instead", "error", err)
		}
	}
	if prog.Opened != nil {
		prog.Opened(page)
	}
}
