// Package cluster lets front ends on other machines show the runs of one server, its host. A front end stores and
// trains nothing: it answers browsers.
//
//   - Each run has a NATS subject. The host publishes the run's messages there once, for all front ends (feed.go on the
//     host, relay.go on the front end). A front end repeats each second what its viewers wish of the run. A gap in the
//     numbers of events shows a loss, and the front end asks for the state after its last event.
//   - A page's request to a run is a NATS request, which the host answers as it answers its own pages.
//   - All other HTTP goes to the host through a reverse proxy (proxy.go).
//
// The host trusts every client of NATS. Start with Host and Front.
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
)

// Options of a connection to NATS.
type Options struct {
	URL   string // one or several, with commas between
	Token string // "": the URL's
	CA    string // file with certificates that sign the server's; "": the system's
	Name  string // of this end, in the NATS server's list of connections
	Log   *slog.Logger
}

// MaxPayload is the size of a message that the NATS server must allow.
const MaxPayload = 8 << 20

// Connect connects to NATS, and again whenever the connection is lost.
func Connect(o Options) (*nats.Conn, error) {
	options := []nats.Option{
		nats.Name(o.Name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectBufSize(-1), // while NATS is away nothing is buffered: requests are repeated
		nats.IgnoreAuthErrorAbort(), nats.PingInterval(2 * time.Second),
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
	if most := nc.MaxPayload(); most < MaxPayload {
		nc.Close()
		return nil, fmt.Errorf("the NATS server takes messages of %d bytes, and %d are needed: set max_payload: 8MB in its "+
			"configuration", most, MaxPayload)
	}
	return nc, nil
}

// service is the host's name among the services of a NATS server, which has one host.
const service = "impalab"

// Requests of a front end to the host, and answers with more than one field.
type (
	whoAnswer struct {
		Build, Base string
		Pass        string // shows the host that an HTTP request comes from a front end
	}
	// openAsk passes a page's Hello on. The answer is a wire.Welcome, which names the page's run.
	openAsk struct {
		Hello   []byte // wire.Hello
		Address string // of the visitor
	}
	// stateAsk asks for the Welcome of a run and its messages after an event. From then on the host publishes the run.
	stateAsk struct {
		wish
		After uint64
	}
	stateAnswer struct {
		Frames [][]byte // the first is the Welcome
		At     uint64   // the first event has the next number
		More   bool     // ask for the rest
		Owner  uint64   // of requests to the run
	}
	// steerAsk is a Set, or a Do if Verb is not 0.
	steerAsk struct {
		Run, Access string // Access is the page's key
		Owner       uint64
		Intent      uint32
		Key, Value  string
		Verb        uint8
	}
)

// wish is what the viewers at a front end wish of a run. A front end publishes it every beat, and at once when it
// changes.
type wish struct {
	Run, From       string // From names the front end's relay
	Frames, Weights bool
	Left            bool // the last viewer has left
}

// beat is the longest silence of a run's subject, and of the wishes for it: an empty message shows that the host is
// there.
const beat = time.Second

// eventHeader of a message on a run's subject has the number of the newest event so far. A front end with an older one
// missed some.
const eventHeader = "Event"

// subject returns the subject of a run's messages.
func subject(run string) string { return fmt.Sprintf("%s.run.%x", service, run) } // a page may name any run

// within bounds the time of an answer.
const within = 5 * time.Second

// errAway is for visitors of a front end that cannot reach the host.
var errAway = errcode.Errorf(errcode.Full, "the server that trains cannot be reached from here; "+
	"this page tries again by itself")

// ask sends a request to the host. The host's errors keep their code and sentence.
func ask[A, Q any](ctx context.Context, nc *nats.Conn, what string, q Q) (a A, err error) {
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

// answering answers each request of front ends with f, on a goroutine of its own.
func answering[Q, A any](log *slog.Logger, f func(Q) (A, error)) micro.HandlerFunc {
	return func(r micro.Request) {
		go func() { // ends with the answer
			var q Q
			var a A
			err := json.Unmarshal(r.Data(), &q)
			if err == nil {
				err = schedule.Catch(func() (err error) { a, err = f(q); return err })
			}
			if err == nil {
				err = r.RespondJSON(a)
			} else {
				text := err.Error()
				if errors.As(err, new(*schedule.Fault)) {
					log.Error("panic in the answer to a front end", "subject", r.Subject(), "error", err)
					text = "internal error on the server; reload the page"
				}
				err = r.Error(cmp.Or(string(errcode.Of(err)), "internal"), text, nil)
			}
			if err != nil {
				log.Debug("a front end was not answered", "subject", r.Subject(), "error", err)
			}
		}()
	}
}
