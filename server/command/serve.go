package command

// serve opens the Lab: it listens, prints one line to click on, and ends cleanly when it is told to.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/cluster"
	"impalab/server/firewall"
	"impalab/server/lab"
	"impalab/server/session"
	"impalab/server/site"
	"impalab/server/store"
	"impalab/static"
	"impalab/web"
)

// serveFlags say where and how the Lab is open. config prints them.
type serveFlags struct {
	Addr        string `default:"127.0.0.1:8080" help:"Address to listen on; port 0 takes any free one." placeholder:"HOST:PORT"`
	Data        string `default:"data" help:"Folder that runs are kept in." placeholder:"DIR"`
	DatabaseURL string `name:"database-url" secret:"url" help:"PostgreSQL database to keep runs in instead; none: SQLite in the data folder." placeholder:"URL"`
	BaseURL     string `name:"base-url" default:"/" help:"Path the pages live under behind a proxy, or the whole URL that browsers see." placeholder:"URL"`
	MetricsAddr string `help:"Address for Prometheus metrics, at /metrics; none: no metrics." placeholder:"HOST:PORT"`
	AdminToken  string `name:"admin-token" secret:"whole" help:"Only who sends this may make rooms for a class; none: everybody may." placeholder:"TOKEN"`
	Open        bool   `help:"Show the page in your browser."`
	LogLevel    string `default:"info" enum:"debug,info,warn,error" help:"Least important entries to log: ${enum}." placeholder:"LEVEL"`
	LogFormat   string `default:"text" enum:"text,json" help:"Form of the log: ${enum}." placeholder:"FORMAT"`
	trackFlags
	tlsFlags
	jobFlags
	SeasonDays int `default:"90" help:"Days after which a season of the board closes and its secret seeds are told." placeholder:"N"`
	networkFlags
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
  impalab serve --cluster                        # with impalab front, elsewhere, for many who look on`
}

// check refuses values that the server could not work with.
func (f *serveFlags) check() error {
	if _, _, err := net.SplitHostPort(f.Addr); err != nil {
		return UsageError{fmt.Errorf("--addr %q: must be HOST:PORT, like 127.0.0.1:8080", f.Addr)}
	}
	if f.MetricsAddr != "" {
		if _, _, err := net.SplitHostPort(f.MetricsAddr); err != nil {
			return UsageError{fmt.Errorf("--metrics-addr %q: must be HOST:PORT, like 127.0.0.1:9090", f.MetricsAddr)}
		}
	}
	if f.Data == "" {
		return UsageError{errors.New("--data is empty: name a folder")}
	}
	if f.SeasonDays < 0 || f.SeasonDays > 36500 {
		return UsageError{fmt.Errorf("--season-days %d: must be a whole number from 1 to 36500", f.SeasonDays)}
	}
	_, origin, err := f.base()
	if err == nil {
		err = f.tlsFlags.check()
	}
	if err == nil {
		err = f.networkFlags.check(strings.HasPrefix(origin, "https://") || f.TLSCert != "")
	}
	if err == nil {
		err = f.limitFlags.check()
	}
	if err == nil {
		err = f.jobFlags.check()
	}
	if err == nil {
		err = f.clusterFlags.check()
	}
	if err != nil {
		return UsageError{err}
	}
	return nil
}

// base is the path all pages live under, with a slash at both ends, and the origin that browsers see if one was given.
func (f *serveFlags) base() (path, origin string, err error) {
	u, err := url.Parse(f.BaseURL)
	whole := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if err != nil || u.RawQuery != "" || u.Fragment != "" || u.User != nil || strings.ContainsAny(u.Path, ":*") ||
		!whole && (u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/")) {
		return "", "", fmt.Errorf("--base-url %q: must be a path like /lab/ or a URL like https://example.org/lab/",
			f.BaseURL)
	}
	if whole {
		origin = u.Scheme + "://" + u.Host
	}
	return strings.TrimRight(u.Path, "/") + "/", origin, nil
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
	engine, letGo, err := s.engine(ctx)
	if err != nil {
		return err
	}
	defer ending.close(letGo)
	log := newLog(prog.Stderr, s.LogLevel, s.LogFormat)
	base, origin, _ := s.base() // checked above
	proxies, _ := s.proxies()   // checked above
	secure, err := s.tlsFlags.config(log)
	if err != nil {
		return UsageError{err}
	}
	tracks, err := board.Load(s.Tracks)
	if err != nil {
		return UsageError{fmt.Errorf("--tracks %w", Named(err))}
	}
	data, err := openData(s.Data, log, time.Now)
	if err != nil {
		return err
	}
	for _, fault := range tracks.Faults {
		log.Warn("a file of the board has a mistake and is left out", "error", fault)
	}
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	if !assets.ClientBuilt() {
		log.Warn("the client is not built: run " + web.BuildClient +
			", then start the server again; until then the page has no picture")
	}
	listener, err := listen(s.Addr, "--addr")
	if err != nil {
		return err
	}
	defer listener.Close()

	build := buildName(assets)
	kept, err := store.Open(ctx, store.Options{Dir: s.Data, URL: s.DatabaseURL, Address: listener.Addr().String(),
		Others: s.others(), Log: log})
	if err != nil {
		return err
	}
	defer ending.close(func() { kept.Close() })
	salt, err := data.salt()
	if err != nil {
		return err
	}
	queue, err := s.queue(ctx, kept, true, log)
	if err != nil {
		return err
	}
	defer ending.close(func() { queue.Close() })
	database := answers(kept, log, time.Now)
	options := lab.Options{Build: build, Store: kept, Queue: queue, Log: log,
		Storable: func() error { return cmp.Or(data.check(), database()) }, Cores: runtime.GOMAXPROCS(0),
		Devices: engine.Devices, Salt: salt}
	s.limitFlags.lab(&options)
	defer s.prepare()()
	runs, err := lab.New(options)
	if err != nil {
		return err
	}
	defer ending.close(runs.Close)
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
	if err := queue.Start(slices.Concat(contest.Kinds(), rooms.Kinds(), runs.Kinds())...); err != nil {
		return err
	}
	goodbye, sayGoodbye := context.WithCancel(context.Background())
	defer sayGoodbye()
	refused := site.NewRefusals()
	hosts := s.hosts(origin)
	pages := session.Options{Log: log, Address: site.Visitor(proxies), Refused: refused.Add, Actors: rooms}
	s.session(&pages)
	gate := session.New(goodbye, runs, pages)
	sameOrigin, err := firewall.SameOrigin(refused.Add, origins(origin)...)
	if err != nil {
		return err
	}
	invite := newInvitation(listener.Addr(), s.scheme(), base, origin)
	pagesAt, err := site.New(site.Options{
		Base: base, Origin: origin, Build: build, Assets: assets, Gate: gate,
		Writable: data.check, Answers: database,
		Hosts: hosts, SameOrigin: sameOrigin, HTTPS: secure != nil || strings.HasPrefix(origin, "https://"), HSTS: s.HSTS,
		Refused: refused.Add, Log: log, Runs: runs, Board: contest, Rooms: rooms, Host: s.AdminToken,
		Keep: options.Keep.Age, Invite: invite.best(),
		Address: site.Visitor(proxies), Closing: goodbye, Devices: strings.Join(engine.Devices.Open(), ", "),
	})
	if err != nil {
		return err
	}
	host, err := s.host(cluster.HostOptions{Runs: runs, Site: pagesAt, Build: build, Base: base, Log: log})
	if err != nil {
		return err
	}
	defer ending.close(host.Close)
	answering := answering{listener: listener, limits: s.limits(openFiles(), proxies), secure: secure,
		metricsAddr: s.MetricsAddr, hosts: hosts, sameOrigin: sameOrigin, refused: refused, log: log}
	servers, err := answering.begin(pagesAt, func(open func() int) http.Handler {
		return site.Metrics(build, gate, runs.Hub(), runs, open, refused)
	})
	if err != nil {
		return err
	}
	page := address(s.scheme(), listener.Addr(), base)
	s.announce(prog, page, &invite, log)
	failed := attend(ctx, goodbye, servers[0], page, func() { runs.Count() }, log)
	pagesAt.Stopping()
	limit, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	ending.in(farewell + lastRest)
	sayGoodbye()
	within(limit.Done(), host.Close)
	within(limit.Done(), gate.Wait)
	for _, server := range servers {
		server.Stop(limit)
	}
	within(limit.Done(), func() {
		if err := queue.Close(); err != nil {
			log.Warn("the queue has not ended in time; its jobs are begun again", "error", err)
		}
	})
	within(limit.Done(), contest.Close)
	within(limit.Done(), rooms.Close)
	within(limit.Done(), runs.Close)
	return failed
}

// announce prints the line that people click on, and on a terminal how others reach the page.
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

// listen takes an address, or says in words who has it and what to do.
func listen(addr, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		host, _, _ := net.SplitHostPort(addr)
		return nil, fmt.Errorf("%s is taken: another program, or another impalab, listens there; stop it, or start with %s "+
			"%s to take any free port",
			addr, flag, net.JoinHostPort(host, "0"))
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s needs rights this user does not have; choose a port above 1023 with %s", addr, flag)
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", flag, addr, err)
	}
	return l, nil
}

// address is the URL of a path on a listener, in a form that can be clicked on: a server that listens everywhere is
// reached at home.
func address(scheme string, a net.Addr, path string) string {
	host, port, _ := net.SplitHostPort(a.String())
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + path
}
