// Package cluster has front ends on other machines show the runs of one server, its host, through NATS. A front end
// keeps nothing and trains nothing: it answers browsers, and fans out what the host tells it once.
//
//   - What a run tells comes to a front end once, however many look on there (feed.go on the host, relay.go on the
//     front end). Each message is a NATS request, and the next is made when it has been answered: a front end that is
//     slow misses frames like any slow browser, and what is lost is noticed by the gap and told again.
//   - What a page asks of a run is a request too, which the host answers as it answers its own pages.
//   - Everything else of HTTP goes to the host over lines that NATS carries (line.go).
//
// Who may connect to NATS is trusted as the host itself is. Start with Host and Front.
package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/web/wire"
)

// Options say where NATS is.
type Options struct {
	URL   string // one or several, with commas between
	Token string // "": as the URL has it
	CA    string // file with the certificates that a server's is signed by; "": those of the system
	Name  string // of this end, for who looks at the connections of the NATS server
	Log   *slog.Logger
}

// MaxPayload is what the NATS server must let through in one message.
const MaxPayload = 8 << 20

// Nothing is buffered while NATS is away: what is late is asked for again.
const unbuffered = -1

// Connect connects, and from then on connects again whenever the connection is lost.
func Connect(o Options) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(o.Name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectBufSize(unbuffered), nats.IgnoreAuthErrorAbort(), nats.PingInterval(2 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.Log.Warn("NATS is away; it is tried again until it is back", "error", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { o.Log.Info("NATS is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { o.Log.Warn("NATS", "error", err) }),
	}
	if o.Token != "" {
		options = append(options, nats.Token(o.Token))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	nc, err := nats.Connect(o.URL, options...)
	if broken := (*url.Error)(nil); errors.As(err, &broken) {
		err = broken.Err // the rest is the URL, with its token
	}
	if err != nil {
		return nil, fmt.Errorf("NATS cannot be reached: %w; name its address with --nats-url, and its token with "+
			"--nats-token", err)
	}
	if most := nc.MaxPayload(); most < wire.MaxToBrowser {
		nc.Close()
		return nil, fmt.Errorf("the NATS server takes messages of %d bytes, and %d are needed: set max_payload: %d in its "+
			"configuration", most, wire.MaxToBrowser, MaxPayload)
	}
	return nc, nil
}

// service is the host's name among the services of a NATS server: one there.
const service = "impalab"

// What a front end asks of the host.
type (
	// whoAsk asks for whoAnswer.
	whoAsk    struct{}
	whoAnswer struct{ Build, Base string }
	// openAsk is a page's Hello; the Welcome says which run it has.
	openAsk struct {
		Hello   []byte // wire.Hello
		Address string // whom it counts for
	}
	openAnswer struct{ Welcome []byte } // wire.Welcome
	// followAsk has what a run tells sent to a subject, from event After on.
	followAsk struct {
		Run   string
		After uint64
		To    string
	}
	followAnswer struct {
		Welcome []byte
		At      uint64 // the events that follow come after this one
		Owner   uint64 // names the front end among those who are told of the run
	}
	// steerAsk is a Set, or where Verb is not 0 a Do.
	steerAsk struct {
		Run, Access string // Access is the key of who asks
		Owner       uint64
		Intent      uint32
		Key, Value  string
		Verb        uint8
	}
	steerAnswer struct{}
	// lineAsk opens a line: bytes for the front end go to To…
	lineAsk    struct{ To string }
	lineAnswer struct{ To string } // …and for the host to To
)

// within is how long an answer may take.
const within = 5 * time.Second

// errAway is what visitors of a front end are told.
var errAway = errcode.Errorf(errcode.Full, "the server that trains cannot be reached from here; "+
	"this page tries again by itself")

// ask asks the host. An error of the host's has its code and its sentence.
func ask[Q, A any](ctx context.Context, nc *nats.Conn, what string, q Q) (a A, err error) {
	text, err := json.Marshal(q)
	if err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	m, err := nc.RequestWithContext(ctx, service+"."+what, text)
	if err != nil {
		return a, errAway
	}
	if said := m.Header.Get(micro.ErrorHeader); said != "" {
		return a, &errcode.Error{Code: errcode.Code(m.Header.Get(micro.ErrorCodeHeader)), Err: errors.New(said)}
	}
	return a, json.Unmarshal(m.Data, &a)
}

// fault is the code of what is nobody's doing but ours.
const fault = "internal"

// answering has f answer what front ends ask, each on a goroutine of its own.
func answering[Q, A any](log *slog.Logger, f func(Q) (A, error)) micro.HandlerFunc {
	return func(r micro.Request) {
		go func() { // ends with the answer
			var q Q
			var a A
			err := json.Unmarshal(r.Data(), &q)
			if err == nil {
				err = schedule.Catch(func() (err error) { a, err = f(q); return err })
			}
			code, text := string(errcode.Of(err)), ""
			if err != nil {
				text = err.Error()
			}
			if broken := (*schedule.Fault)(nil); errors.As(err, &broken) {
				log.Error("panic in what a front end asked", "subject", r.Subject(), "error", err)
				code, text = fault, "internal error on the server; reload the page"
			}
			if err != nil {
				err = r.Error(cmp.Or(code, fault), text, nil)
			} else {
				err = r.RespondJSON(a)
			}
			if err != nil {
				log.Debug("a front end was not answered", "subject", r.Subject(), "error", err)
			}
		}()
	}
}
