package command

import (
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
	"impalab/server/lab"
	"impalab/server/session"
	"impalab/server/site"
	"impalab/web/hub"
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

	base, origin string         // from BaseURL
	proxies      []netip.Prefix // from TrustedProxy
}

// networkFlags limit who can reach the program, and how often.
type networkFlags struct {
	AllowHost          []string      `help:"A name that the server answers to besides its own, without a port. May be repeated." placeholder:"NAME"`
	TrustedProxy       []string      `help:"A reverse proxy, by address or network, whose X-Forwarded-For is trusted. May be repeated." placeholder:"CIDR"`
	HSTS               time.Duration `name:"hsts" help:"Tell browsers to use https for this time, like 8760h; only with --tls-cert or an https --base-url." placeholder:"TIME"`
	MaxConns           int           `range:"10..1000000" help:"Connections at once. (as many as the system allows, 8192 at most)" placeholder:"N"`
	MaxConnsPerAddress int           `range:"1..1000000" help:"Connections at once from one address; proxies do not count. (half of --max-conns, 512 at most)" placeholder:"N"`
	QR                 string        `name:"qr" default:"auto" enum:"auto,on,off" help:"Print the address for others on the network and its QR code: ${enum}; auto: on a terminal." placeholder:"WHEN"`
}

// check refuses values that no program could work with. It reads BaseURL and TrustedProxy.
func (f *webFlags) check() (err error) {
	if err = checkAddress("--addr", f.Addr, "127.0.0.1:8080"); err != nil {
		return err
	}
	if f.MetricsAddr != "" {
		if err = checkAddress("--metrics-addr", f.MetricsAddr, "127.0.0.1:9090"); err != nil {
			return err
		}
	}
	if f.base, f.origin, err = splitBaseURL(f.BaseURL); err != nil {
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
	f.proxies = nil
	for _, text := range f.TrustedProxy {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			address, err := netip.ParseAddr(text)
			if err != nil {
				return fmt.Errorf("--trusted-proxy %q: must be an address or a network, like 10.0.0.0/8", text)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		f.proxies = append(f.proxies, prefix.Masked())
	}
	if f.HSTS < 0 || f.HSTS > 0 && !f.https() {
		return fmt.Errorf("--hsts %v: must be 0 or more, and needs --tls-cert or an https URL in --base-url", f.HSTS)
	}
	if files := openFiles(); f.MaxConns > max(10, files-spareFiles) {
		return fmt.Errorf("--max-conns %d: this process may open %d files, and needs %d for other work; raise the limit "+
			"(ulimit -n) or ask for less", f.MaxConns, files, spareFiles)
	}
	return nil
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
func (f *webFlags) https() bool { return f.TLSCert != "" || strings.HasPrefix(f.origin, "https://") }

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
	site.Web
	scheme   string
	listener net.Listener
	secure   *tls.Config // nil: no TLS
	refused  site.Refusals

	sayGoodbye func() // ends Closing
	end        ending
}

// open listens as the flags say, which check has accepted.
func (f *webFlags) open(log *slog.Logger) (*webServer, error) {
	w := &webServer{scheme: f.scheme(), refused: site.NewRefusals(), end: newEnding(), Web: site.Web{Base: f.base,
		Origin: f.origin, HTTPS: f.https(), HSTS: f.HSTS, Address: site.Visitor(f.proxies), Log: log}}
	w.Refused = w.refused.Add
	names, origins := slices.Clone(f.AllowHost), []string(nil)
	if u, err := url.Parse(w.Origin); err == nil && u.Host != "" {
		names, origins = append(names, u.Hostname()), []string{w.Origin}
	}
	for _, addr := range []string{f.Addr, f.MetricsAddr} {
		host, _, _ := net.SplitHostPort(addr)
		if _, err := netip.ParseAddr(host); err != nil && host != "" { // the interfaces have the addresses
			names = append(names, host)
		}
	}
	w.Hosts = firewall.NewHosts(names...)
	var err error
	if w.secure, err = f.tlsFlags.config(w.Log); err != nil {
		return nil, UsageError{err}
	}
	if w.SameOrigin, err = firewall.SameOrigin(w.Refused, origins...); err != nil {
		return nil, err
	}
	if w.listener, err = listen(f.Addr, "--addr"); err != nil {
		return nil, err
	}
	w.Closing, w.sayGoodbye = context.WithCancel(context.Background())
	return w, nil
}

// close ends a server that may have answered nothing yet.
func (w *webServer) close() {
	w.sayGoodbye()
	w.listener.Close()
}

// page returns the address of the pages, in a form that a terminal opens by a click.
func (w *webServer) page() string { return address(w.scheme, w.listener.Addr().String(), w.Base) }

// viewed is a program whose runs browsers see: a lab, or a front end.
type viewed struct {
	pages *site.Site
	gate  *session.Gate
	hub   *hub.Hub
	runs  *lab.Lab // nil on a front end
	alive func()   // returns as long as nothing hangs
	begun func()   // announces the pages
}

// serve answers browsers, and metrics at their own address, until ctx ends or pages can no longer be answered. It
// returns the reason of the latter. Then every page says goodbye.
func (f *webFlags) serve(ctx context.Context, w *webServer, v viewed) error {
	limited := firewall.Listen(w.listener, f.limits(openFiles(), f.proxies), w.Refused)
	server := site.Serve(v.pages, limited, w.secure, site.Usual, w.Log)
	defer server.Stop(w.end.pages)
	if f.MetricsAddr != "" {
		l, err := listen(f.MetricsAddr, "--metrics-addr")
		if err != nil {
			w.end.begin()
			return err
		}
		metrics := site.Metrics(buildName(), v.gate, v.hub, v.runs, limited.Open, w.refused)
		handler := firewall.Bodies(w.SameOrigin(metrics), w.Refused, func(*http.Request) bool { return false })
		few := firewall.Limits{Total: spareFiles / 4, PerAddress: spareFiles / 4}
		w.Log.Info("metrics", "url", address("http", l.Addr().String(), "/metrics"))
		defer site.Serve(w.Hosts.Protect(handler, w.Refused), firewall.Listen(l, few, w.Refused), nil, site.Usual,
			w.Log).Stop(w.end.pages)
	}
	v.begun()
	systemd := newSystemd(w.Log)
	systemd.notify("READY=1", "STATUS=serving "+w.page())
	go systemd.watch(w.Closing, v.alive)
	var failed error
	select {
	case <-ctx.Done():
	case failed = <-server.Failed:
	}
	w.Log.Info("stopping")
	systemd.notify("STOPPING=1")
	v.pages.Stopping()
	w.end.begin()
	w.sayGoodbye()
	within(w.end.pages, v.gate.Wait)
	return failed
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

// address returns the URL of a path on HOST:PORT. A server that listens everywhere has the address of this machine.
func address(scheme, listens, path string) string {
	host, port, _ := net.SplitHostPort(listens)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + path
}

const (
	goodbye  = 3 * time.Second // in which pages and requests must end: a visitor who keeps one open costs no run its end
	farewell = 8 * time.Second // in which jobs and runs must end, too
	lastRest = 2 * time.Second // in which everything else must end after that
)

// ending limits the time in which a server closes its pages, jobs and runs. Everything else ends with the process.
type ending struct {
	pages, soon, over context.Context // end some time after begin
	begin             func()
}

func newEnding() ending {
	pages, endPages := context.WithCancel(context.Background())
	soon, endSoon := context.WithCancel(context.Background())
	over, endAll := context.WithCancel(context.Background())
	return ending{pages, soon, over, func() {
		time.AfterFunc(goodbye, endPages)
		time.AfterFunc(farewell, endSoon)
		time.AfterFunc(farewell+lastRest, endAll)
	}}
}

// within calls f, and waits for it until limit ends.
func within(limit context.Context, f func()) {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
	case <-limit.Done():
	}
}
