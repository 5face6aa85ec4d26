package session

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"impalab/server/firewall"
)

// Options of a Gate. A zero field takes its default.
type Options struct {
	MaxSessions   int           // at once; default 2000
	MaxPerAddress int           // at once; default 200: a class behind one address fits
	Rate          float64       // messages a second from one browser; default 60
	Burst         int           // and at once; default 120
	HelloWithin   time.Duration // of the connection; default 5 s
	BeatEvery     time.Duration // pings; a browser that is silent for 5/2 of it is gone; default 20 s
	WriteWithin   time.Duration // a browser that takes nothing for so long is gone; default 10 s
	// Address returns the visitor's address; default the connection's: behind a proxy set another.
	Address func(*http.Request) string
	Refused firewall.Refused // called for each refused page
	Actors  Actors           // default: no remote actors
	Log     *slog.Logger
}

func (o *Options) defaults() {
	o.MaxSessions = cmp.Or(o.MaxSessions, 2000)
	o.MaxPerAddress = cmp.Or(o.MaxPerAddress, 200)
	o.Rate = cmp.Or(o.Rate, 60)
	o.Burst = cmp.Or(o.Burst, 120)
	o.HelloWithin = cmp.Or(o.HelloWithin, 5*time.Second)
	o.BeatEvery = cmp.Or(o.BeatEvery, 20*time.Second)
	o.WriteWithin = cmp.Or(o.WriteWithin, 10*time.Second)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Address == nil {
		o.Address = func(r *http.Request) string { return firewall.Remote(r.RemoteAddr) }
	}
	if o.Refused == nil {
		o.Refused = func(string) {}
	}
}
