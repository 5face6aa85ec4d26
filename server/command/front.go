package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/nats-io/nats.go"

	"impalab/server/cluster"
	"impalab/server/session"
	"impalab/server/site"
)

// natsFlags name a NATS server.
type natsFlags struct {
	NATSURL   string `name:"nats-url" secret:"whole" help:"NATS server between serve and front; several with commas between." placeholder:"URL"`
	NATSToken string `name:"nats-token" secret:"whole" help:"Token for the NATS server; none: the URL has it." placeholder:"TOKEN"`
	NATSCA    string `name:"nats-ca" help:"Certificates (PEM) of the authority that signed the NATS server's certificate; none: the system's." placeholder:"FILE"`
}

// connect connects to the NATS server as a client with this name.
func (f *natsFlags) connect(name string, log *slog.Logger) (*nats.Conn, error) {
	return cluster.Connect(cluster.Options{URL: f.NATSURL, Token: f.NATSToken, CA: f.NATSCA, Name: name, Log: log})
}

// clusterFlags let front ends show the runs of this server.
type clusterFlags struct {
	Cluster bool `help:"Let front ends show the runs of this server (impalab front), through the NATS server at --nats-url."`
	natsFlags
}

func (f *clusterFlags) check() error {
	if f.Cluster && f.NATSURL == "" {
		return errors.New("--cluster needs a NATS server: start one (nats-server, or compose.fronts.yaml), and give its " +
			"address with --nats-url")
	}
	if !f.Cluster && (f.NATSURL != "" || f.NATSToken != "" || f.NATSCA != "") {
		return errors.New("--nats-url, --nats-token and --nats-ca need --cluster: add it, or leave them out")
	}
	return nil
}

// host lets front ends show the runs, until stop is called, and returns what admits the requests that they pass on.
// Without --cluster it does nothing.
func (f *clusterFlags) host(o cluster.HostOptions) (admit func(http.Handler) http.Handler, stop func(), err error) {
	if !f.Cluster {
		return nil, func() {}, nil
	}
	if o.NATS, err = f.connect("impalab serve", o.Log); err != nil {
		return nil, nil, err
	}
	host, err := cluster.NewHost(o)
	if err != nil {
		o.NATS.Close()
		return nil, nil, err
	}
	return host.Admit, func() {
		host.Close()
		o.NATS.Close()
	}, nil
}

// Front shows the runs of another server.
type Front struct {
	webFlags `set:"addr=127.0.0.1:8081"`
	natsFlags
	ServerURL string   `name:"server-url" help:"Address of impalab serve, for all that is not a run's messages." placeholder:"URL"`
	server    *url.URL // from ServerURL
}

func (Front) Help() string {
	return `Answers browsers for a server that was started with --cluster, on this machine or another. It shows that server's
pages and runs. It trains nothing and stores nothing: it receives each run's messages once, through NATS, and sends them
to all viewers. It passes all other requests on to the server by HTTP. It must be the server's own build. If the server
or NATS cannot be reached, pages say so and recover later.

  nats-server --config nats.conf                       # max_payload: 8MB, and a token: authorization { token: SECRET }
  impalab serve --cluster --nats-url nats://127.0.0.1:4222 --nats-token SECRET    # where runs train
  impalab front --nats-url nats://127.0.0.1:4222 --nats-token SECRET --server-url http://127.0.0.1:8080   # for browsers`
}

// AfterApply refuses values that the front end could not work with.
func (f *Front) AfterApply() error {
	if err := f.check(); err != nil {
		return err
	}
	if f.NATSURL == "" {
		return errors.New("--nats-url is missing: give the address of the NATS server that impalab serve --cluster uses")
	}
	if f.ServerURL == "" {
		return errors.New("--server-url is missing: give the address of impalab serve, like http://127.0.0.1:8080")
	}
	var err error
	if f.server, err = pageURL("--server-url", f.ServerURL, "http://127.0.0.1:8080"); err != nil {
		return err
	}
	if strings.Trim(f.server.Path, "/") != "" {
		return fmt.Errorf("--server-url %q: must be the address of impalab serve without a path, like "+
			"http://127.0.0.1:8080; the path of all pages is --base-url", f.ServerURL)
	}
	return nil
}

func (f *Front) Run(ctx context.Context, prog *Program) error {
	w, err := f.open(f.logger(prog))
	if err != nil {
		return err
	}
	defer w.close()
	nc, err := f.connect("impalab front", w.Log)
	if err != nil {
		return err
	}
	defer nc.Close()
	host := cluster.NewFront(cluster.FrontOptions{NATS: nc, Server: f.server, Build: buildName(), Base: w.Base,
		Address: w.Address, Away: site.Away, Log: w.Log})
	defer within(w.end.soon, host.Close)
	gate := session.New(w.Closing, host, f.sessions(w))
	pages := site.NewFront(site.FrontOptions{Web: w.Web, Gate: gate, Host: host})
	return f.serve(ctx, w, viewed{pages: pages, gate: gate, hub: host.Hub(), alive: func() { host.Runs() },
		begun: func() { fmt.Fprintln(prog.Stdout, w.page()) }})
}
