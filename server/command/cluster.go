package command

// How runs reach front ends on other machines: serve --cluster is the host, front shows what runs there.

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/nats-io/nats.go"

	"impalab/server/cluster"
	"impalab/server/cluster/broker"
	"impalab/server/guard"
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
	Cluster     bool   `help:"Let front ends show what runs here (impalab front), through a NATS server in this process or at --nats-url."`
	ClusterAddr string `name:"cluster-addr" default:"127.0.0.1:4222" help:"Address of the NATS server in this process; beyond this machine it needs --tls-cert." placeholder:"HOST:PORT"`
	natsFlags
}

func (f *clusterFlags) check() error {
	if !f.Cluster && (f.NATSURL != "" || f.NATSToken != "" || f.NATSCA != "") {
		return errors.New("--nats-url, --nats-token and --nats-ca are for --cluster: give that too, or leave them out")
	}
	return nil
}

// tokenFile is where the token of the NATS server in this process is, in the data folder.
const tokenFile = "nats-token"

// host has front ends show what runs here; nil without --cluster.
func (f *clusterFlags) host(o cluster.HostOptions, data *dataFolder, secure *tls.Config) (*hosting, error) {
	if !f.Cluster {
		return nil, nil
	}
	h := &hosting{}
	to := cluster.Options{URL: f.NATSURL, Token: f.NATSToken, CA: f.NATSCA, Name: "impalab serve", Log: o.Log}
	if f.NATSURL == "" {
		token, err := data.secret(tokenFile)
		if err != nil {
			return nil, err
		}
		to.Token = strings.TrimSpace(string(token))
		if f.NATSToken != "" {
			to.Token = f.NATSToken
		}
		if h.broker, err = broker.Start(broker.Options{Addr: f.ClusterAddr, Token: to.Token, TLS: secure,
			MaxPayload: cluster.MaxPayload}); err != nil {
			return nil, fmt.Errorf("--cluster-addr %w", err)
		}
		to.Local = h.broker
		o.Log.Info("front ends may connect", "nats", h.broker.Address, "token", filepath.Join(data.path, tokenFile))
	}
	nc, err := cluster.Connect(to)
	if err != nil {
		h.Close()
		return nil, err
	}
	h.nats, o.NATS = nc, nc
	if h.host, err = cluster.NewHost(o); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// hosting is a host with what carries it.
type hosting struct {
	host   *cluster.Host
	nats   *nats.Conn
	broker *broker.Broker
}

// Close ends what there is. Closing again does nothing.
func (h *hosting) Close() {
	if h == nil {
		return
	}
	if h.host != nil {
		h.host.Close()
	}
	if h.nats != nil {
		h.nats.Close()
	}
	if h.broker != nil {
		h.broker.Close()
	}
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
	traceFlags
}

// Help is printed under front --help.
func (Front) Help() string {
	return `Answers browsers in the place of a server that was started with --cluster, on this machine or another: its pages,
its runs, live, and what people ask of them. It trains nothing and keeps nothing; what a run tells comes here once and
is fanned out here. It needs the server's own build. Where that server or NATS cannot be reached, pages say so and come
back by themselves.

  impalab serve --cluster                                              # on the machine that trains
  IMPALAB_NATS_TOKEN_FILE=data/nats-token impalab front --nats-url nats://127.0.0.1:4222           # beside it
  impalab serve --cluster --nats-url tls://nats.example.org            # both with a NATS server of your own
  impalab front --addr :8080 --nats-url tls://nats.example.org         # (max_payload: 8MB) and --nats-token`
}

// asServe is the same flags as the server that trains has them.
func (f *Front) asServe() *serveFlags {
	return &serveFlags{Addr: f.Addr, Data: ".", BaseURL: f.BaseURL, MetricsAddr: f.MetricsAddr, tlsFlags: f.tlsFlags,
		networkFlags: f.networkFlags, limitFlags: limitFlags{pageFlags: f.pageFlags}, traceFlags: f.traceFlags}
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
	nc, err := cluster.Connect(cluster.Options{URL: f.NATSURL, Token: f.NATSToken, CA: f.NATSCA, Name: "impalab front",
		Log: log})
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
	untrace, err := f.trace(ctx, "impalab front", build, log)
	if err != nil {
		return UsageError{err}
	}
	defer untrace()
	host := cluster.NewFront(cluster.FrontOptions{NATS: nc, Build: build, Base: base, Address: visitor, Away: site.Away,
		Log: log})
	defer host.Close()
	goodbye, sayGoodbye := context.WithCancel(context.Background())
	defer sayGoodbye()
	pages := session.Options{Log: log, Address: visitor, Refused: refused.Add}
	f.session(&pages)
	gate := session.New(goodbye, host, pages)
	hosts := same.hosts(origin)
	sameOrigin, err := guard.SameOrigin(refused.Add, origins(origin)...)
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
