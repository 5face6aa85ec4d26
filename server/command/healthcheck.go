package command

// healthcheck asks a server that already runs whether it is ready. A container without curl can ask itself.

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

type Healthcheck struct {
	Addr    string        `default:"127.0.0.1:8080" help:"Address the server listens on." placeholder:"HOST:PORT"`
	BaseURL string        `name:"base-url" default:"/" help:"The server's own --base-url." placeholder:"URL"`
	TLSCert string        `name:"tls-cert" help:"The server's own --tls-cert: it is asked by HTTPS, and must show this." placeholder:"FILE"`
	Timeout time.Duration `default:"3s" help:"How long to wait." placeholder:"TIME"`
}

// Run asks; an error is an unhealthy server.
func (h *Healthcheck) Run(ctx context.Context, prog *Program) error {
	same := serveFlags{Addr: h.Addr, BaseURL: h.BaseURL, Data: "data"}
	if err := same.check(); err != nil {
		return err
	}
	base, _, _ := same.base() // checked above
	host, port, _ := net.SplitHostPort(h.Addr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	client, scheme := http.DefaultClient, "http"
	if h.TLSCert != "" {
		secure, err := shows(h.TLSCert)
		if err != nil {
			return UsageError{err}
		}
		client, scheme = &http.Client{Transport: &http.Transport{TLSClientConfig: secure}}, "https"
	}
	url := scheme + "://" + net.JoinHostPort(host, port) + base + "readyz"

	ctx, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("no server answers: %w", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 200))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s: %s", url, answer.Status, strings.TrimSpace(string(text)))
	}
	_, err = fmt.Fprint(prog.Stdout, string(text))
	return err
}
