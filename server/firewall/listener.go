package firewall

import (
	"container/list"
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
	Exempt     func(netip.Addr) bool // addresses that PerAddress does not count: trusted proxies; nil: none
}

// Listener limits the connections of a listener. A connection waits while it has no complete request: it is new,
// half-sent or kept alive between two. Where there is no room, the connection that has waited longest gives way to the
// new one, of the same address where that address is full; where none waits, the new one is answered with 503. So many
// half-sent requests never lock a stranger out. State must be the server's ConnState.
type Listener struct {
	net.Listener
	limits  Limits
	refused Refused

	mu      sync.Mutex
	open    int
	waiting list.List // of *conn, the longest first
	from    map[string]*visitor
	parting chan struct{} // holds one for each refusal being told
}

// visitor is one address.
type visitor struct {
	open    int
	waiting list.List // of *conn, the longest first
}

// conn is a connection with its places in the lists; embedded whole, so that it still takes several buffers at once.
type conn struct {
	*net.TCPConn
	l       *Listener
	address string
	exempt  bool
	visitor *visitor
	closed  bool
	inAll   *list.Element // nil: not waiting
	inOwn   *list.Element
}

// sendBuffer is how many bytes to one connection the system may hold: it would take megabytes, so that a whole file
// would be gone for the server, and held in memory, while the other end reads nothing. 256 kB are 2.5 MB/s over 100
// ms.
const sendBuffer = 256 << 10

// Listen limits the connections of inner, which must be a TCP listener.
func Listen(inner net.Listener, limits Limits, refused Refused) *Listener {
	return &Listener{
		Listener: inner, limits: limits, refused: refused,
		from: map[string]*visitor{}, parting: make(chan struct{}, 16),
	}
}

// Open is how many connections are open.
func (l *Listener) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

// Accept implements net.Listener.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		accepted.(*net.TCPConn).SetWriteBuffer(sendBuffer) // an error leaves the system's own
		c := &conn{TCPConn: accepted.(*net.TCPConn), l: l, address: Remote(accepted.RemoteAddr().String())}
		if l.limits.Exempt != nil {
			c.exempt = l.limits.Exempt(accepted.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap())
		}
		old, reason := l.admit(c)
		if reason != "" {
			l.refused(reason)
		}
		if old != nil {
			old.TCPConn.Close() // outside the lock; admit has taken it off the lists
		}
		if c.visitor != nil {
			return c, nil
		}
		l.dismiss(c.TCPConn)
	}
}

// admit counts c in, if there is room or another gives way: that one is to be closed.
func (l *Listener) admit(c *conn) (old *conn, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.from[c.address]
	var among *list.List
	switch {
	case v != nil && v.open >= l.limits.PerAddress && !c.exempt:
		among, reason = &v.waiting, AddressFull
	case l.open >= l.limits.Total:
		among, reason = &l.waiting, AllTaken
	}
	if among != nil {
		first := among.Front()
		if first == nil {
			return nil, reason
		}
		old, reason = first.Value.(*conn), MadeRoom
		l.remove(old)
	}
	if v = l.from[c.address]; v == nil { // remove may have taken the address off
		v = &visitor{}
		l.from[c.address] = v
	}
	l.open++
	v.open++
	c.visitor = v
	l.wait(c)
	return old, reason
}

// wait puts c at the end of the lists of those that wait, once.
func (l *Listener) wait(c *conn) {
	if c.inAll == nil && !c.closed {
		c.inAll, c.inOwn = l.waiting.PushBack(c), c.visitor.waiting.PushBack(c)
	}
}

// busy takes c off the lists of those that wait.
func (l *Listener) busy(c *conn) {
	if c.inAll != nil {
		l.waiting.Remove(c.inAll)
		c.visitor.waiting.Remove(c.inOwn)
		c.inAll, c.inOwn = nil, nil
	}
}

// remove counts c out, once.
func (l *Listener) remove(c *conn) {
	if c.closed {
		return
	}
	c.closed = true
	l.busy(c)
	l.open--
	if c.visitor.open--; c.visitor.open == 0 {
		delete(l.from, c.address)
	}
}

// State is told by http.Server how a connection stands.
func (l *Listener) State(nc net.Conn, state http.ConnState) {
	if secure, ok := nc.(*tls.Conn); ok {
		nc = secure.NetConn()
	}
	c := nc.(*conn)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch state {
	case http.StateActive, http.StateHijacked: // a complete header has come
		l.busy(c)
	case http.StateIdle:
		l.wait(c)
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

// dismiss tells a connection that there is no room. Closing while its request lies unread would reset it, and the
// answer could be lost: it gets half a second to take it, unless too many are being told.
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
