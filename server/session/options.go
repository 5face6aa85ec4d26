package session

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Options of a Gate. The zero value of a field takes its default.
type Options struct {
	Origins       []string                   // pages elsewhere that may connect, as "https://host"; our own always may
	MaxSessions   int                        // at once; default 2000
	MaxPerAddress int                        // at once; default 200: a class behind one address fits
	Rate          float64                    // messages a second from one browser; default 60
	Burst         int                        // and at once; default 120
	HelloWithin   time.Duration              // of the connection; default 5 s
	BeatEvery     time.Duration              // pings; a browser silent for 5/2 of it is gone; default 20 s
	WriteWithin   time.Duration              // a browser that takes nothing for so long is gone; default 10 s
	Address       func(*http.Request) string // whom a request counts for; default its connection: behind a proxy name another
	Log           *slog.Logger
}

func (o *Options) defaults() {
	or(&o.MaxSessions, 2000)
	or(&o.MaxPerAddress, 200)
	or(&o.Rate, 60)
	or(&o.Burst, 120)
	or(&o.HelloWithin, 5*time.Second)
	or(&o.BeatEvery, 20*time.Second)
	or(&o.WriteWithin, 10*time.Second)
	if o.Address == nil {
		o.Address = connection
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

func or[T comparable](p *T, otherwise T) {
	var zero T
	if *p == zero {
		*p = otherwise
	}
}

// connection is the address of a request's connection. One household or attacker has a whole IPv6 /64, so that
// counts as one.
func connection(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if address = address.Unmap(); address.Is6() {
		if prefix, err := address.WithZone("").Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.String()
}
