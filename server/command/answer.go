package command

// What the server that trains and a front end have alike: they answer at two addresses until they are told to stop.

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"os"

	"impalab/server/firewall"
	"impalab/server/site"
)

// answering is how pages are answered on a listener, and metrics at an address of their own.
type answering struct {
	listener    net.Listener
	limits      firewall.Limits
	secure      *tls.Config // nil: without TLS
	metricsAddr string      // "": no metrics
	hosts       *firewall.Hosts
	sameOrigin  func(http.Handler) http.Handler
	refused     site.Refusals
	log         *slog.Logger
}

// begin answers from now on; the pages' server is the first. metrics is given how many connections are open.
func (a *answering) begin(pages http.Handler, metrics func(open func() int) http.Handler) ([]*site.Server, error) {
	limited := firewall.Listen(a.listener, a.limits, a.refused.Add)
	servers := []*site.Server{site.Serve(pages, limited, a.secure, site.Usual, a.log)}
	if a.metricsAddr == "" {
		return servers, nil
	}
	l, err := listen(a.metricsAddr, "--metrics-addr")
	if err != nil {
		servers[0].Stop(context.Background())
		return nil, err
	}
	handler := firewall.Bodies(a.sameOrigin(metrics(limited.Open)), a.refused.Add,
		func(*http.Request) bool { return false })
	few := firewall.Limits{Total: spareFiles / 4, PerAddress: spareFiles / 4}
	a.log.Info("metrics", "url", address("http", l.Addr(), "/metrics"))
	return append(servers, site.Serve(a.hosts.Protect(handler, a.refused.Add), firewall.Listen(l, few, a.refused.Add), nil,
		site.Usual, a.log)), nil
}

// attend tells systemd that page is served and, until goodbye, that it lives: alive returns as long as nothing is
// stuck. It waits until ctx ends, or until the pages can be answered no more, and gives the reason.
func attend(ctx, goodbye context.Context, pages *site.Server, page string, alive func(), log *slog.Logger) error {
	systemd := newManager(os.Getenv, log)
	systemd.tell("READY=1", "STATUS=serving "+page)
	go systemd.watch(goodbye, alive)
	var failed error
	select {
	case <-ctx.Done():
	case failed = <-pages.Failed:
	}
	log.Info("stopping")
	systemd.tell("STOPPING=1")
	return failed
}
