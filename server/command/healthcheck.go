package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Healthcheck asks a running server whether it is ready. A container without curl can ask itself.
type Healthcheck struct {
	Addr    string        `default:"127.0.0.1:8080" help:"Address that the server listens on." placeholder:"HOST:PORT"`
	BaseURL string        `name:"base-url" default:"/" help:"The server's --base-url." placeholder:"URL"`
	TLSCert string        `name:"tls-cert" help:"The server's --tls-cert: ask by HTTPS, and expect this certificate." placeholder:"FILE"`
	Timeout time.Duration `default:"3s" help:"How long to wait." placeholder:"TIME"`
}

// Run asks. Its error means that the server is not ready.
func (h *Healthcheck) Run(ctx context.Context, prog *Program) error {
	base, _, err := splitBaseURL(h.BaseURL)
	if err = cmp.Or(checkAddress("--addr", h.Addr, "127.0.0.1:8080"), err); err != nil {
		return UsageError{err}
	}
	client, scheme := http.DefaultClient, "http"
	if h.TLSCert != "" {
		secure, err := shows(h.TLSCert)
		if err != nil {
			return UsageError{err}
		}
		client, scheme = &http.Client{Transport: &http.Transport{TLSClientConfig: secure}}, "https"
	}
	url := address(scheme, h.Addr, base) + "readyz"
	ctx, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, text, err := fetch(client, request, "start impalab serve, or name its address with --addr")
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s: %.200s", url, answer.Status, strings.TrimSpace(string(text)))
	}
	_, err = fmt.Fprint(prog.Stdout, string(text))
	return err
}

// mostAnswer limits the bytes read of an answer.
const mostAnswer = 1 << 20

// fetch sends a request and returns the answer and its body. The error for no answer ends with hint, the next step.
func fetch(client *http.Client, request *http.Request, hint string) (*http.Response, []byte, error) {
	answer, err := client.Do(request)
	if err != nil {
		return nil, nil, fmt.Errorf("no server answers: %w; %s", err, hint)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	return answer, text, err
}
