package cluster

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"impalab/server/firewall"
)

// Lines are connections between a front end and its host that NATS carries, for net/http on both sides. Each piece of
// bytes is a request, and the next piece is sent when that one has been read. An empty piece ends the line.

// piece is how many bytes of a line travel at once.
const piece = 64 << 10

// unread is how long a piece may wait before the line ends: a browser on a slow line has 15 s for as much.
const unread = 30 * time.Second

// openLine makes a subject on which the other end sends, one message at a time.
func openLine(nc *nats.Conn) (here string, came chan *nats.Msg, sub *nats.Subscription, err error) {
	here, came = nats.NewInbox(), make(chan *nats.Msg, 4)
	sub, err = nc.ChanSubscribe(here, came)
	return here, came, sub, err
}

// carry moves bytes between NATS and one end of a pipe, until either closes. The other end is used as a connection.
func carry(ctx context.Context, nc *nats.Conn, sub *nats.Subscription, came <-chan *nats.Msg, to string, end net.Conn) {
	ctx, stop := context.WithCancel(ctx)
	defer context.AfterFunc(ctx, func() { end.Close() })()
	var out sync.WaitGroup
	out.Go(func() { // ends when the pipe is closed or its bytes are not taken
		defer stop()
		b := make([]byte, piece)
		for {
			n, err := end.Read(b)
			if n == 0 && err == nil {
				continue
			}
			taken, cancel := context.WithTimeout(ctx, unread)
			_, lost := nc.RequestWithContext(taken, to, b[:n])
			cancel()
			if err != nil || lost != nil {
				return
			}
		}
	})
	for open := true; open; {
		select {
		case m := <-came:
			if len(m.Data) == 0 {
				open = false
			} else if _, err := end.Write(m.Data); err != nil {
				open = false
			}
			m.Respond(nil) // if the answer is lost, the other end gives up
		case <-ctx.Done():
			open = false
		}
	}
	sub.Unsubscribe()
	stop()
	end.Close()
	out.Wait()
}

// dial opens a line to the host, which ends at the latest with life.
func dial(ctx, life context.Context, nc *nats.Conn) (net.Conn, error) {
	here, came, sub, err := openLine(nc)
	if err != nil {
		return nil, errAway
	}
	there, err := ask[string](ctx, nc, "line", here)
	if err != nil {
		sub.Unsubscribe()
		return nil, err
	}
	used, end := net.Pipe()
	go carry(life, nc, sub, came, there, end) // ends with the connection, with NATS, or with life
	return used, nil
}

// listener is a net.Listener for lines.
type listener struct {
	ctx  context.Context
	nc   *nats.Conn
	came chan net.Conn
}

// open answers a front end that opens a line: the host sends to there, and the front end to here.
func (l *listener) open(there string) (here string, err error) {
	here, came, sub, err := openLine(l.nc)
	if err != nil {
		return "", err
	}
	used, end := net.Pipe()
	select {
	case l.came <- used:
	case <-l.ctx.Done():
		sub.Unsubscribe()
		return "", errAway
	}
	go carry(l.ctx, l.nc, sub, came, there, end) // ends with the connection, with NATS, or with the host
	return here, nil
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.came:
		return c, nil
	case <-l.ctx.Done():
		return nil, net.ErrClosed
	}
}

// Close does nothing: lines end with the host.
func (l *listener) Close() error   { return nil }
func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "nats", Net: "unix"} }

// visitorHeader has the visitor's address, as the front end knows it.
const visitorHeader = "Impalab-Visitor"

// visited gives a request over a line the address of its visitor, and marks it as admitted: the front end has checked
// its Host.
func visited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visitor := r.Header.Get(visitorHeader)
		if visitor == "" {
			http.Error(w, "a request without a visitor", http.StatusBadRequest)
			return
		}
		r.Header.Del(visitorHeader)
		r = firewall.Admitted(r)
		r.RemoteAddr = net.JoinHostPort(visitor, "0")
		next.ServeHTTP(w, r)
	})
}
