package site

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"impalab/server/firewall"
)

// Timeouts limit the parts of a request. Streams and downloads have limits of their own.
type Timeouts struct{ Header, Request, Answer, Idle time.Duration }

// Usual are the timeouts of the pages and of the metrics.
var Usual = Timeouts{
	Header:  5 * time.Second,
	Request: 15 * time.Second,
	Answer:  15 * time.Second,
	Idle:    30 * time.Second,
}

// MaxHeader limits the header of a request, in bytes.
const MaxHeader = 16 << 10

// Server is a running HTTP server.
type Server struct {
	server *http.Server
	Failed chan error // receives the error that ended the server, unless Stop did
}

// Serve starts a server on a listener, with HTTPS if secure is not nil. A handshake may take as long as a header.
func Serve(handler http.Handler, l *firewall.Listener, secure *tls.Config, within Timeouts, log *slog.Logger) *Server {
	s := &Server{Failed: make(chan error, 1), server: &http.Server{
		TLSConfig:         secure,
		TLSNextProto:      map[string]func(*http.Server, *tls.Conn, http.Handler){}, // no HTTP/2
		Handler:           handler,
		ReadHeaderTimeout: within.Header,
		ReadTimeout:       within.Request,
		WriteTimeout:      within.Answer,
		IdleTimeout:       within.Idle,
		MaxHeaderBytes:    MaxHeader,
		ConnState:         l.State,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}}
	serve := func() error { return s.server.Serve(l) }
	if secure != nil {
		serve = func() error { return s.server.ServeTLS(l, "", "") }
	}
	go func() { // ends with Stop
		if err := serve(); !errors.Is(err, http.ErrServerClosed) {
			s.Failed <- err
		}
	}()
	return s
}

// Stop waits for open requests until limit, then closes them.
func (s *Server) Stop(limit context.Context) {
	if s.server.Shutdown(limit) != nil {
		s.server.Close()
	}
}

// Visitor returns a function that returns the address a request counts for. That is the address of the connection. For
// a trusted proxy it is the last address in X-Forwarded-For that is not a trusted proxy.
func Visitor(proxies []netip.Prefix) func(*http.Request) string {
	extract := echo.ExtractIPDirect()
	if len(proxies) > 0 {
		trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
		for _, p := range proxies {
			network := &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
			trust = append(trust, echo.TrustIPRange(network))
		}
		extract = echo.ExtractIPFromXFFHeader(trust...)
	}
	return func(r *http.Request) string { return firewall.Address(extract(withoutPorts(r))) }
}

// withoutPorts returns a request whose X-Forwarded-For has addresses only: some proxies add the visitor's port.
func withoutPorts(r *http.Request) *http.Request {
	var addresses []string
	for _, line := range r.Header.Values(echo.HeaderXForwardedFor) {
		for _, text := range strings.Split(line, ",") {
			text = strings.TrimSpace(text)
			if with, err := netip.ParseAddrPort(text); err == nil {
				text = with.Addr().String()
			}
			addresses = append(addresses, text)
		}
	}
	return &http.Request{RemoteAddr: r.RemoteAddr,
		Header: http.Header{echo.HeaderXForwardedFor: {strings.Join(addresses, ",")}}}
}
