package cluster

import (
	"cmp"
	"crypto/subtle"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"time"

	"impalab/server/firewall"
)

// Headers of requests that a front end passes on. The host reads them if the pass is its own, and else ignores them.
const (
	passHeader    = "Impalab-Pass"    // whoAnswer.Pass, which only clients of NATS know
	visitorHeader = "Impalab-Visitor" // the visitor's address, as the front end knows it
)

// idleLines is how many connections to the host wait for the next request.
const idleLines = 64

// Proxy passes requests on to the host.
func (f *Front) Proxy() http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = f.Server.Scheme, f.Server.Host
			r.Out.Host = r.In.Host
			if r.In.Body == http.NoBody { // also if a body was announced: see firewall.Bodies
				r.Out.ContentLength, r.Out.TransferEncoding = 0, nil
			}
			r.Out.Header.Set(passHeader, f.pass())
			r.Out.Header.Set(visitorHeader, f.Address(r.In))
		},
		// Browsers and the host agree on compression.
		Transport: &http.Transport{DisableCompression: true, DialContext: (&net.Dialer{Timeout: within}).DialContext,
			MaxIdleConns: idleLines, MaxIdleConnsPerHost: idleLines, IdleConnTimeout: 20 * time.Second},
		ErrorLog: slog.NewLogLogger(f.Log.Handler(), slog.LevelDebug),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			lost := f.Lost()
			if lost == nil && r.Context().Err() == nil {
				f.Log.Warn("the server did not answer a request that was passed on", "server", f.Server, "error", err)
			}
			f.Away(w, r, cmp.Or(lost, error(errAway)))
		},
	}
}

// Admit gives a request that a front end passes on the address of its visitor, and marks it as admitted: the front end
// has checked its Host. Other requests are as they were.
func (h *Host) Admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pass, visitor := r.Header.Get(passHeader), r.Header.Get(visitorHeader)
		r.Header.Del(passHeader)
		r.Header.Del(visitorHeader)
		if _, err := netip.ParseAddr(visitor); err == nil && subtle.ConstantTimeCompare([]byte(pass), []byte(h.pass)) == 1 {
			r = firewall.Admitted(r)
			r.RemoteAddr = net.JoinHostPort(visitor, "0")
		}
		next.ServeHTTP(w, r)
	})
}
