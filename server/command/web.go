package command

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"impalab/server/firewall"
	"impalab/server/site"
)

// webFlags are the flags of programs that answer browsers: serve and front.
type webFlags struct {
	Addr        string `default:"${addr}" help:"Address to listen on; port 0 takes any free port." placeholder:"HOST:PORT"`
	BaseURL     string `name:"base-url" default:"/" help:"Path of the pages behind a proxy, or the whole URL that browsers see." placeholder:"URL"`
	MetricsAddr string `help:"Address for Prometheus metrics, at /metrics; none: no metrics." placeholder:"HOST:PORT"`
	tlsFlags
	networkFlags
	pageFlags
	logFlags
}

// networkFlags limit who can reach the program, and how often.
type networkFlags struct {
	AllowHost          []string      `help:"A name that the server answers to besides its own, without a port. May be repeated." placeholder:"NAME"`
	TrustedProxy       []string      `help:"A reverse proxy, by address or network, whose X-Forwarded-For is trusted. May be repeated." placeholder:"CIDR"`
	HSTS               time.Duration `name:"hsts" help:"Tell browsers to use https for this time, like 8760h; only with --tls-cert or an https --base-url." placeholder:"TIME"`
	MaxConns           int           `help:"Connections at once. (as many as the system allows, 8192 at most)" placeholder:"N"`
	MaxConnsPerAddress int           `help:"Connections at once from one address; proxies do not count. (half of --max-conns, 512 at most)" placeholder:"N"`
	QR                 string        `name:"qr" default:"auto" enum:"auto,on,off" help:"Print the address for others on the network and its QR code: ${enum}; auto: on a terminal." placeholder:"WHEN"`
}

// check refuses values that no program could work with.
func (f *webFlags) check() error {
	if err := checkAddress("--addr", f.Addr, "127.0.0.1:8080"); err != nil {
		return err
	}
	if f.MetricsAddr != "" {
		if err := checkAddress("--metrics-addr", f.MetricsAddr, "127.0.0.1:9090"); err != nil {
			return err
		}
	}
	_, origin, err := splitBaseURL(f.BaseURL)
	if err != nil {
		return err
	}
	if (f.TLSCert == "") != (f.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key belong together: give both, or neither")
	}
	for _, name := range f.AllowHost {
		_, err := netip.ParseAddr(strings.Trim(name, "[]"))
		if err != nil && (name == "" || strings.ContainsAny(name, "/:*@ ")) {
			return fmt.Errorf("--allow-host %q: must be one name without a port, like lab.example.org", name)
		}
	}
	if _, err := f.proxies(); err != nil {
		return err
	}
	if f.HSTS < 0 || f.HSTS > 0 && !f.https(origin) {
		return fmt.Errorf("--hsts %v: must be 0 or more, and needs --tls-cert or an https URL in --base-url", f.HSTS)
	}
	if files := openFiles(); f.MaxConns > max(10, files-spareFiles) && f.MaxConns <= 1_000_000 {
		return fmt.Errorf("--max-conns %d: this process may open %d files, and needs %d for other work; raise the limit "+
			"(ulimit -n) or ask for less", f.MaxConns, files, spareFiles)
	}
	err = checkAll(bounded{"max-conns", f.MaxConns, 10, 1_000_000},
		bounded{"max-conns-per-address", f.MaxConnsPerAddress, 1, 1_000_000})
	return cmp.Or(err, f.pageFlags.check())
}

func checkAddress(flag, address, like string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fmt.Errorf("%s %q: must be HOST:PORT, like %s", flag, address, like)
	}
	return nil
}

// https reports whether browsers use https.
func (f *webFlags) https(origin string) bool {
	return f.TLSCert != "" || strings.HasPrefix(origin, "https://")
}

// splitBaseURL returns the path of all pages, with a slash at both ends, and the origin that browsers see if --base-url
// has one.
func splitBaseURL(text string) (path, origin string, err error) {
	u, err := url.Parse(text)
	whole := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if err != nil || u.RawQuery != "" || u.Fragment != "" || u.User != nil || strings.ContainsAny(u.Path, ":*") ||
		!whole && (u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/")) {
		return "", "", fmt.Errorf("--base-url %q: must be a path like /lab/ or a URL like https://example.org/lab/", text)
	}
	if whole {
		origin = u.Scheme + "://" + u.Host
	}
	return strings.TrimRight(u.Path, "/") + "/", origin, nil
}

// proxies returns the networks of TrustedProxy.
func (f *networkFlags) proxies() (list []netip.Prefix, err error) {
	for _, text := range f.TrustedProxy {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			address, err := netip.ParseAddr(text)
			if err != nil {
				return nil, fmt.Errorf("--trusted-proxy %q: must be an address or a network, like 10.0.0.0/8", text)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		list = append(list, prefix.Masked())
	}
	return list, nil
}

const (
	spareFiles = 100     // open files that are not connections
	manyFiles  = 1 << 20 // taken for the limit of a system that has none
)

// limits returns the limits on connections of a process that may open this number of files.
func (f *networkFlags) limits(files int, proxies []netip.Prefix) firewall.Limits {
	total := f.MaxConns
	if total == 0 {
		total = max(10, min(8192, files-spareFiles))
	}
	each := f.MaxConnsPerAddress
	if each == 0 {
		each = min(512, total/2)
	}
	return firewall.Limits{Total: total, PerAddress: each, Exempt: func(a netip.Addr) bool {
		return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(a) })
	}}
}

// webServer answers browsers.
type webServer struct {
	base, origin, scheme string
	https                bool
	log                  *slog.Logger
	listener             net.Listener
	limits               firewall.Limits
	secure               *tls.Config // nil: no TLS
	metricsAddr          string
	hosts                *firewall.Hosts
	sameOrigin           func(http.Handler) http.Handler
	refused              site.Refusals
	visitor              func(*http.Request) string // the address that a request counts for
	servers              []*site.Server             // of the pages, and then of the metrics

	goodbye    context.Context // ends when pages must say goodbye
	sayGoodbye func()
}

// open listens as the flags say, which check has accepted.
func (f *webFlags) open(prog *Program) (*webServer, error) {
	w := &webServer{log: f.logger(prog), metricsAddr: f.MetricsAddr, refused: site.NewRefusals(), scheme: f.scheme()}
	w.base, w.origin, _ = splitBaseURL(f.BaseURL)
	w.https = f.https(w.origin)
	proxies, _ := f.proxies()
	w.limits, w.visitor = f.limits(openFiles(), proxies), site.Visitor(proxies)
	names, origins := slices.Clone(f.AllowHost), []string(nil)
	if u, err := url.Parse(w.origin); err == nil && u.Host != "" {
		names, origins = append(names, u.Hostname()), []string{w.origin}
	}
	for _, addr := range []string{f.Addr, f.MetricsAddr} {
		host, _, _ := net.SplitHostPort(addr)
		if _, err := netip.ParseAddr(host); err != nil && host != "" { // the interfaces have the addresses
			names = append(names, host)
		}
	}
	w.hosts = firewall.NewHosts(names...)
	var err error
	if w.secure, err = f.tlsFlags.config(w.log); err != nil {
		return nil, UsageError{err}
	}
	if w.sameOrigin, err = firewall.SameOrigin(w.refused.Add, origins...); err != nil {
		return nil, err
	}
	if w.listener, err = listen(f.Addr, "--addr"); err != nil {
		return nil, err
	}
	w.goodbye, w.sayGoodbye = context.WithCancel(context.Background())
	return w, nil
}

// close ends a server that may have answered nothing yet.
func (w *webServer) close() {
	w.sayGoodbye()
	w.listener.Close()
}

// page returns the address of the pages, in a form that a terminal opens by a click.
func (w *webServer) page() string { return address(w.scheme, w.listener.Addr(), w.base) }

// answer begins to answer with pages, and with metrics at their own address. metrics receives a function that counts
// open connections.
func (w *webServer) answer(pages http.Handler, metrics func(open func() int) http.Handler) error {
	limited := firewall.Listen(w.listener, w.limits, w.refused.Add)
	w.servers = []*site.Server{site.Serve(pages, limited, w.secure, site.Usual, w.log)}
	if w.metricsAddr == "" {
		return nil
	}
	l, err := listen(w.metricsAddr, "--metrics-addr")
	if err != nil {
		w.servers[0].Stop(context.Background())
		return err
	}
	handler := firewall.Bodies(w.sameOrigin(metrics(limited.Open)), w.refused.Add,
		func(*http.Request) bool { return false })
	few := firewall.Limits{Total: spareFiles / 4, PerAddress: spareFiles / 4}
	w.log.Info("metrics", "url", address("http", l.Addr(), "/metrics"))
	w.servers = append(w.servers, site.Serve(w.hosts.Protect(handler, w.refused.Add),
		firewall.Listen(l, few, w.refused.Add), nil, site.Usual, w.log))
	return nil
}

// wait returns when ctx ends, or when pages can no longer be answered, and then with the reason. Until goodbye it tells
// systemd that the program is alive: alive returns as long as nothing hangs.
func (w *webServer) wait(ctx context.Context, alive func()) (failed error) {
	systemd := newSystemd(w.log)
	systemd.tell("READY=1", "STATUS=serving "+w.page())
	go systemd.watch(w.goodbye, alive)
	select {
	case <-ctx.Done():
	case failed = <-w.servers[0].Failed:
	}
	w.log.Info("stopping")
	systemd.tell("STOPPING=1")
	return failed
}

// stop stops answering, within the limit.
func (w *webServer) stop(limit context.Context) {
	for _, server := range w.servers {
		server.Stop(limit)
	}
}

// listen listens on an address. Its error names the next step.
func listen(addr, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		host, _, _ := net.SplitHostPort(addr)
		return nil, fmt.Errorf("%s is taken: another program, or another impalab, listens there; stop it, or start with %s "+
			"%s to take any free port",
			addr, flag, net.JoinHostPort(host, "0"))
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s needs rights that this user does not have; choose a port above 1023 with %s", addr, flag)
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", flag, addr, err)
	}
	return l, nil
}

// address returns the URL of a path on a listener. A server that listens everywhere has the address of this machine.
func address(scheme string, a net.Addr, path string) string {
	host, port, _ := net.SplitHostPort(a.String())
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + path
}

const (
	farewell = 8 * time.Second // in which open pages, jobs and runs must end
	lastRest = 2 * time.Second // in which everything else must end after that
)

// ending closes things. When it is over, things that have not closed end with the process.
type ending struct{ over chan struct{} }

func newEnding() *ending { return &ending{over: make(chan struct{})} }

// in sets the time until it is over.
func (e *ending) in(d time.Duration) { time.AfterFunc(d, func() { close(e.over) }) }

// close calls f, and waits for it until it is over.
func (e *ending) close(f func()) { within(e.over, f) }

// within calls f, and waits for it until limit.
func within(limit <-chan struct{}, f func()) {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
	case <-limit:
	}
}
