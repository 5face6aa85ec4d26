package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/cluster"
	"impalab/server/errcode"
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

// serveFlags are the flags of the server. config prints them.
type serveFlags struct {
	webFlags `set:"addr=127.0.0.1:8080"`
	dataFlags
	AdminToken string `name:"admin-token" secret:"whole" help:"Only requests with this token, of 16 characters or more, may make rooms for a class; none: everybody may." placeholder:"TOKEN"`
	Open       bool   `help:"Show the page in your browser."`
	trackFlags
	SeasonDays int `default:"90" range:"1..36500" help:"Days after which a season of the board closes and its secret seeds are published." placeholder:"N"`
	jobFlags
	limitFlags
	clusterFlags
	arithmeticFlags
	deviceFlags
}

// Serve opens the Lab.
type Serve struct{ serveFlags }

func (Serve) Help() string {
	return `Opens the Lab and prints the address of its page. Ctrl-C or SIGTERM says goodbye to every page and ends within
ten seconds.

  impalab serve --addr 127.0.0.1:0 --data /tmp/lab
  impalab serve --addr :8080                     # for others on your network: prints their address and its QR code
  impalab serve --base-url https://example.org/lab/ --trusted-proxy 127.0.0.1     # behind a reverse proxy
  impalab serve --addr :443 --tls-cert cert.pem --tls-key key.pem --allow-host lab.example.org     # without a proxy
  impalab serve --cluster --nats-url nats://127.0.0.1:4222     # with impalab front elsewhere, for many viewers`
}

// AfterApply refuses values that the server could not work with. Serve and Config have it.
func (f *serveFlags) AfterApply() error {
	return cmp.Or(checkToken(f.AdminToken), f.webFlags.check(), f.clusterFlags.check())
}

// checkToken refuses a token that is easy to guess, or that no Authorization header can carry.
func checkToken(token string) error {
	switch {
	case token == "":
		return nil
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("--admin-token has a space or a character outside ASCII: make another with openssl rand -hex 16")
	case len(token) < minSecret:
		return fmt.Errorf("--admin-token has %d characters, and needs %d: make another with openssl rand -hex 16",
			len(token), minSecret)
	}
	return nil
}

func (s *Serve) Run(ctx context.Context, prog *Program) error {
	done, err := s.compute()
	if err != nil {
		return err
	}
	defer done()
	log, build := s.logger(prog), buildName()
	tracks, err := s.tracks(log)
	if err != nil {
		return err
	}
	w, err := s.webFlags.open(log)
	if err != nil {
		return err
	}
	defer w.close()
	soon := w.end.soon
	engine, closeEngine, err := s.engine(ctx)
	if err != nil {
		return err
	}
	defer within(w.end.over, closeEngine)
	if !static.ClientBuilt() {
		log.Warn("the client is not built: run " + page.BuildClient +
			", then start the server again; until then the page has no picture")
	}
	data, err := openData(s.Data, log, time.Now)
	if err != nil {
		return err
	}
	kept, err := store.Open(ctx, store.Options{Dir: s.Data, URL: s.DatabaseURL, Address: w.listener.Addr().String(),
		Visitor: places.Visitor, Others: s.others(), Bytes: s.data(), Log: log})
	if err != nil {
		return err
	}
	defer within(w.end.over, func() { kept.Close() })
	salt, err := readSalt(s.Data)
	if err != nil {
		return err
	}
	queue, err := s.queue(ctx, kept, true, log)
	if err != nil {
		return err
	}
	closeQueue := func() {
		if err := queue.Close(); err != nil {
			log.Warn("the queue did not end in time; its jobs will restart", "error", err)
		}
	}
	defer within(soon, closeQueue)
	database := answers(kept, log)
	storable := func() error { return storable(data, database) }
	limits := api.NewLimits()
	mayStart := func(address string) error {
		if sentence := limits.Starts.Exceeded(address, w.Refused); sentence != "" {
			return errcode.Errorf(errcode.TooFast, "%s", sentence)
		}
		return nil
	}
	options := lab.Options{MayStart: mayStart, Build: build, Store: kept, Elsewhere: sweep.Elsewhere, Log: log,
		Storable: storable, Cores: runtime.GOMAXPROCS(0), Devices: engine.Devices, Salt: salt}
	s.limitFlags.lab(&options)
	defer s.prepare()()
	runs, err := lab.New(options)
	if err != nil {
		return err
	}
	defer within(soon, runs.Close)
	sweeps, err := sweep.New(sweep.Options{Lab: runs, Store: kept, Queue: queue, Log: log})
	if err != nil {
		return err
	}
	defer within(soon, sweeps.Close)
	rooms, err := class.New(class.Options{Store: kept, Queue: queue, Runs: runs, Cores: runs.Cores(), Workers: s.Workers,
		Keep: options.Keep.Age, Memory: int64(roomPart * s.memory()), Salt: salt, Log: log})
	if err != nil {
		return err
	}
	defer within(soon, rooms.Close)
	contest := board.NewContest(board.ContestOptions{Store: kept, Tracks: tracks, Cores: runs.Cores(),
		Queue: queue, Memory: options.RunMemory, Season: time.Duration(s.SeasonDays) * 24 * time.Hour, Salt: salt, Log: log})
	defer within(soon, contest.Close)
	if err := queue.Start(slices.Concat(contest.Kinds(), rooms.Kinds(), sweeps.Kinds())...); err != nil {
		return err
	}
	defer within(soon, closeQueue) // its jobs end before the runs, rooms and board that they use
	sessions := s.sessions(w)
	sessions.Actors = rooms
	gate := session.New(w.Closing, runs, sessions)
	invite := newInvitation(w.listener.Addr(), w.scheme, w.Base, w.Origin)
	pages, err := site.New(site.Options{
		Web: w.Web, Build: build, Gate: gate, Storable: storable,
		Runs: runs, Sweeps: sweeps, Board: contest, Rooms: rooms, Host: s.AdminToken, Keep: options.Keep.Age,
		Invite: invite.best(), Devices: strings.Join(engine.Devices.Open(), ", "), Memory: int64(s.memory()),
		Limits: limits,
	})
	if err != nil {
		return err
	}
	closeCluster, err := s.host(cluster.HostOptions{Runs: runs, Site: pages, Build: build, Base: w.Base, Log: log})
	if err != nil {
		return err
	}
	defer within(soon, closeCluster)
	return s.serve(ctx, w, viewed{pages: pages, gate: gate, hub: runs.Hub(), runs: runs,
		alive: func() { runs.Count() }, begun: func() { s.announce(prog, w, &invite) }})
}

// announce prints the address of the page, and on a terminal how others reach it.
func (s *Serve) announce(prog *Program, w *webServer, invite *invitation) {
	page := w.page()
	fmt.Fprintln(prog.Stdout, page)
	if terminal := isTerminal(prog.Stdout); s.QR == "on" || s.QR == "auto" && terminal {
		invite.print(prog.Stdout, terminal)
	}
	if s.Open {
		if err := openBrowser(page); err != nil {
			w.Log.Warn("the browser could not be opened; click on the address instead", "error", err)
		}
	}
}
