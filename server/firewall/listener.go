package firewall

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Limits are how many connections may be open at once.
type Limits struct {
	Total      int
	PerAddress int
	Exempt     func(netip.Addr) bool // trusted proxies, which PerAddress does not bound; nil: none
}

// Listener limits the connections of a listener. A connection waits while it has no complete request: it is new, half
// sent, or idle between two requests. If the limits leave no room for a new connection, the connection that has waited
// longest is closed, of the same address if the address is full. If none waits, the new connection is answered with
// 503. So half-sent requests, however many, never lock a stranger out. State must be the server's ConnState.
type Listener struct {
	net.Listener
	limits  Limits
	refused Refused

	mu      sync.Mutex
	open    map[*conn]bool
	from    map[string]int // open connections of an address
	parting chan struct{}  // holds an element for each refusal that is being sent
}

// conn is an open connection. It embeds all of net.TCPConn, so that net/http can write several buffers at once.
type conn struct {
	*net.TCPConn
	l       *Listener
	address string
	exempt  bool
	waits   time.Time // since when; zero while it has a request. Guarded by l.mu
}

// sendBuffer bounds the bytes that the system holds for one connection. By default that is megabytes: a whole file
// would leave the server and stay in memory while the other end reads nothing. 256 kB are 2.5 MB/s over 100 ms.
const sendBuffer = 256 << 10

// Listen limits the connections of inner, which must be a TCP listener.
func Listen(inner net.Listener, limits Limits, refused Refused) *Listener {
	return &Listener{Listener: inner, limits: limits, refused: refused,
		open: map[*conn]bool{}, from: map[string]int{}, parting: make(chan struct{}, 16)}
}

// Open returns how many connections are open.
func (l *Listener) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		tcp := accepted.(*net.TCPConn)
		tcp.SetWriteBuffer(sendBuffer) // after an error the system's own size stays
		c := &conn{TCPConn: tcp, l: l, address: Remote(tcp.RemoteAddr().String()), waits: time.Now()}
		if l.limits.Exempt != nil {
			c.exempt = l.limits.Exempt(tcp.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap())
		}
		admitted, old, reason := l.admit(c)
		if reason != "" {
			l.refused(reason)
		}
		if old != nil {
			old.TCPConn.Close()
		}
		if admitted {
			return c, nil
		}
		l.dismiss(tcp)
	}
}

// admit counts c if there is room, or if it takes the place of another connection, which the caller closes.
func (l *Listener) admit(c *conn) (admitted bool, old *conn, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	addressFull := l.from[c.address] >= l.limits.PerAddress && !c.exempt
	if addressFull || len(l.open) >= l.limits.Total {
		for other := range l.open {
			if !other.waits.IsZero() && (!addressFull || other.address == c.address) &&
				(old == nil || other.waits.Before(old.waits)) {
				old = other
			}
		}
		switch {
		case old == nil && addressFull:
			return false, nil, AddressFull
		case old == nil:
			return false, nil, AllTaken
		}
		reason = MadeRoom
		l.remove(old)
	}
	l.open[c] = true
	l.from[c.address]++
	return true, old, reason
}

// remove forgets an open connection. Removing it again changes nothing.
func (l *Listener) remove(c *conn) {
	if !l.open[c] {
		return
	}
	delete(l.open, c)
	if l.from[c.address]--; l.from[c.address] == 0 {
		delete(l.from, c.address)
	}
}

// State is the ConnState of the listener's http.Server.
func (l *Listener) State(nc net.Conn, state http.ConnState) {
	if secure, ok := nc.(*tls.Conn); ok {
		nc = secure.NetConn()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch c := nc.(*conn); state {
	case http.StateActive, http.StateHijacked: // a complete header has come
		c.waits = time.Time{}
	case http.StateIdle:
		c.waits = time.Now()
	}
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.l.mu.Lock()
	c.l.remove(c)
	c.l.mu.Unlock()
	return c.TCPConn.Close()
}

const full = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\n" +
	"Content-Type: text/plain; charset=utf-8\r\n\r\n" +
	"too many connections are open, here or from your address; try again in a moment\n"

// dismiss answers that the server is full. Closing a connection with unread bytes would reset it, and the answer could
// be lost. So the other end gets half a second to take the answer, unless many others are being answered.
func (l *Listener) dismiss(c *net.TCPConn) {
	select {
	case l.parting <- struct{}{}:
	default:
		c.Close()
		return
	}
	go func() { // ends with its deadline
		defer func() { <-l.parting }()
		defer c.Close()
		c.SetDeadline(time.Now().Add(time.Second / 2))
		if _, err := io.WriteString(c, full); err == nil && c.CloseWrite() == nil {
			io.Copy(io.Discard, io.LimitReader(c, 64<<10))
		}
	}()
}
