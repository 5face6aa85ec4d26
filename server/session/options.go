package session

import (
	"log/slog"
	"net/http"
	"time"

	"impalab/server/firewall"
)

// Options of a Gate. The zero value of a field takes its default.
type Options struct {
	MaxSessions   int           // at once; default 2000
	MaxPerAddress int           // at once; default 200: a class behind one address fits
	Rate          float64       // messages a second from one browser; default 60
	Burst         int           // and at once; default 120
	HelloWithin   time.Duration // of the connection; default 5 s
	BeatEvery     time.Duration // pings; a browser silent for 5/2 of it is gone; default 20 s
	WriteWithin   time.Duration // a browser that takes nothing for so long is gone; default 10 s
	// Address is whom a request counts for; default its connection: behind a proxy name another.
	Address func(*http.Request) string
	Refused firewall.Refused // told of each page turned away; default nobody
	Actors  Actors           // gives remote actors their runs; default none
	Log     *slog.Logger
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
		o.Address = func(r *http.Request) string { return firewall.Remote(r.RemoteAddr) }
	}
	if o.Refused == nil {
		o.Refused = func(string) {}
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
