package command

// How runs reach front ends on other machines: serve --cluster is the host, front shows what runs there.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/nats-io/nats.go"

	"impalab/server/cluster"
	"impalab/server/firewall"
	"impalab/server/session"
	"impalab/server/site"
	"impalab/static"
)

// natsFlags say where a NATS server is.
type natsFlags struct {
	NATSURL   string `name:"nats-url" secret:"whole" help:"NATS server that carries runs to front ends; several with commas between." placeholder:"URL"`
	NATSToken string `name:"nats-token" secret:"whole" help:"Token that it asks for; none: as the URL has it." placeholder:"TOKEN"`
	NATSCA    string `name:"nats-ca" help:"Certificates (PEM) that its own is signed by; none: those of the system." placeholder:"FILE"`
}

// clusterFlags have front ends show what runs here.
type clusterFlags struct {
	Cluster bool `help:"Let front ends show what runs here (impalab front), through the NATS server at --nats-url."`
	natsFlags
}

func (f *clusterFlags) check() error {
	if f.Cluster && f.NATSURL == "" {
		return errors.New("--cluster needs a NATS server: start one (nats-server, or compose.fronts.yaml), and give its " +
			"address with --nats-url")
	}
	if !f.Cluster && (f.NATSURL != "" || f.NATSToken != "" || f.NATSCA != "") {
		return errors.New("--nats-url, --nats-token and --nats-ca are for --cluster: give that too, or leave them out")
	}
	return nil
}

// host has front ends show what runs here; nil without --cluster.
func (f *clusterFlags) host(o cluster.HostOptions) (*hosting, error) {
	if !f.Cluster {
		return nil, nil
	}
	nc, err := f.connect("impalab serve", o.Log)
	if err != nil {
		return nil, err
	}
	o.NATS = nc
	host, err := cluster.NewHost(o)
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &hosting{host, nc}, nil
}

// connect connects to the NATS server under the name of this end.
func (f *natsFlags) connect(name string, log *slog.Logger) (*nats.Conn, error) {
	return cluster.Connect(cluster.Options{URL: f.NATSURL, Token: f.NATSToken, CA: f.NATSCA, Name: name, Log: log})
}

// hosting is a host and the connection that carries it.
type hosting struct {
	host *cluster.Host
	nats *nats.Conn
}

// Close ends both. Closing again does nothing.
func (h *hosting) Close() {
	if h == nil || h.host == nil {
		return
	}
	h.host.Close()
	h.nats.Close()
	*h = hosting{}
}

// Front shows the runs of another server.
type Front struct {
	Addr        string `default:"127.0.0.1:8081" help:"Address to listen on; port 0 takes any free one." placeholder:"HOST:PORT"`
	BaseURL     string `name:"base-url" default:"/" help:"Path the pages live under, as on the server that trains, or the whole URL that browsers see." placeholder:"URL"`
	MetricsAddr string `help:"Address for Prometheus metrics, at /metrics; none: no metrics." placeholder:"HOST:PORT"`
	LogLevel    string `default:"info" enum:"debug,info,warn,error" help:"Least important entries to log: ${enum}." placeholder:"LEVEL"`
	LogFormat   string `default:"text" enum:"text,json" help:"Form of the log: ${enum}." placeholder:"FORMAT"`
	tlsFlags
	networkFlags
	pageFlags
	natsFlags
}

// Help is printed under front --help.
func (Front) Help() string {
	return `Answers browsers in the place of a server that was started with --cluster, on this machine or another: its pages,
its runs, live, and what people ask of them. It trains nothing and keeps nothing; what a run tells comes here once and
is fanned out here. It needs the server's own build. Where that server or NATS cannot be reached, pages say so and come
back by themselves.

  nats-server --config nats.conf                       # max_payload: 8MB, and a token: authorization { token: SECRET }
  impalab serve --cluster --nats-url nats://127.0.0.1:4222 --nats-token SECRET    # where runs train
  impalab front --nats-url nats://127.0.0.1:4222 --nats-token SECRET              # where browsers come`
}

// asServe is the same flags as the server that trains has them.
func (f *Front) asServe() *serveFlags {
	return &serveFlags{Addr: f.Addr, Data: ".", BaseURL: f.BaseURL, MetricsAddr: f.MetricsAddr, tlsFlags: f.tlsFlags,
		networkFlags: f.networkFlags, limitFlags: limitFlags{pageFlags: f.pageFlags}}
}

// Run shows until ctx ends.
func (f *Front) Run(ctx context.Context, prog *Program) error {
	same := f.asServe()
	if err := same.check(); err != nil {
		return err
	}
	if f.NATSURL == "" {
		return UsageError{errors.New("--nats-url is missing: name the NATS server that the server that trains uses")}
	}
	log := newLog(prog.Stderr, f.LogLevel, f.LogFormat)
	base, origin, _ := same.base() // checked above
	proxies, _ := f.proxies()      // checked above
	secure, err := f.tlsFlags.config(log)
	if err != nil {
		return UsageError{err}
	}
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	nc, err := f.connect("impalab front", log)
	if err != nil {
		return err
	}
	defer nc.Close()
	listener, err := listen(f.Addr, "--addr")
	if err != nil {
		return err
	}
	defer listener.Close()
	refused := site.NewRefusals()
	build, visitor := buildName(assets), site.Visitor(proxies)
	host := cluster.NewFront(cluster.FrontOptions{NATS: nc, Build: build, Base: base, Address: visitor, Away: site.Away,
		Log: log})
	defer host.Close()
	goodbye, sayGoodbye := context.WithCancel(context.Background())
	defer sayGoodbye()
	pages := session.Options{Log: log, Address: visitor, Refused: refused.Add}
	f.session(&pages)
	gate := session.New(goodbye, host, pages)
	hosts := same.hosts(origin)
	sameOrigin, err := firewall.SameOrigin(refused.Add, origins(origin)...)
	if err != nil {
		return err
	}
	shown := site.NewFront(site.FrontOptions{Base: base, Assets: assets, Gate: gate, Hosts: hosts,
		HTTPS: secure != nil || strings.HasPrefix(origin, "https://"), HSTS: f.HSTS, Host: host, Closing: goodbye,
		SameOrigin: sameOrigin, Refused: refused.Add, Log: log})
	answering := answering{listener: listener, limits: f.limits(openFiles(), proxies), secure: secure,
		metricsAddr: f.MetricsAddr, hosts: hosts, sameOrigin: sameOrigin, refused: refused, log: log}
	servers, err := answering.begin(shown, func(open func() int) http.Handler {
		return site.Metrics(build, gate, host.Hub(), nil, open, refused)
	})
	if err != nil {
		return err
	}
	page := address(f.scheme(), listener.Addr(), base)
	fmt.Fprintln(prog.Stdout, page)
	if prog.Opened != nil {
		prog.Opened(page)
	}
	failed := attend(ctx, goodbye, servers[0], page, func() { host.Runs() }, log)
	shown.Stopping()
	limit, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	sayGoodbye()
	within(limit.Done(), gate.Wait)
	for _, server := range servers {
		server.Stop(limit)
	}
	within(limit.Done(), host.Close)
	return failed
}

// origins are those whose pages may call although the server has another name.
func origins(origin string) []string {
	if origin == "" {
		return nil
	}
	return []string{origin}
}
