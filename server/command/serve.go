package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// serveFlags are the flags of the server. config prints them.
type serveFlags struct {
	webFlags `set:"addr=127.0.0.1:8080"`
	dataFlags
	AdminToken string `name:"admin-token" secret:"whole" help:"Only requests with this token, of 16 characters or more, may make rooms for a class; none: everybody may." placeholder:"TOKEN"`
	OpenPage   bool   `name:"open" help:"Show the page in your browser."`
	Compiled   string `help:"Folder that make run compiles the client into; none: this program contains it." placeholder:"DIR"`
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
	server, err := s.Open(ctx, s.logger(prog))
	if err != nil {
		return err
	}
	defer server.Close()
	return server.Run(ctx, func() { s.announce(prog, server.web, &server.invite) })
}

// announce prints the address of the page, and on a terminal how others reach it.
func (s *Serve) announce(prog *Program, w *webServer, invite *invitation) {
	page := w.page()
	fmt.Fprintln(prog.Stdout, page)
	if terminal := isTerminal(prog.Stdout); s.QR == "on" || s.QR == "auto" && terminal {
		invite.print(prog.Stdout, terminal)
	}
	if s.OpenPage {
		if err := openBrowser(page); err != nil {
			w.Log.Warn("the browser could not be opened; click on the address instead", "error", err)
		}
	}
}
