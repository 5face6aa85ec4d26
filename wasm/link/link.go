// Package link keeps one session with the server open: the browser's websocket, or, where websockets are blocked,
// server-sent events and POST. It redials with patience and says Hello each time, so that the page resumes. What
// decides is here, without a browser, and tested with a fake; what touches one is in socket.go and stream.go.
package link

import (
	"time"

	"impalab/web/wire"
)

// State is how the link stands.
type State uint8

// States, and their names in the page's data-link.
const (
	Connecting State = iota
	Open
	Closed // lost; another try follows
)

func (s State) String() string { return [...]string{"connecting", "open", "closed"}[s] }

// Carrier opens one connection and tells what happens to it: open once, then frames, and closed once at the end,
// also if it never opened. After Close it tells nothing more.
type Carrier interface {
	Dial(on Events) Conn
}

// Events of one connection.
type Events struct {
	Open   func()
	Frame  func([]byte)
	Closed func()
}

// Conn is one connection.
type Conn interface {
	Send(frame []byte)
	Close()
}

// Options wire a link to its page. All calls come from the page's one thread.
type Options struct {
	Socket, Stream Carrier // the second is tried when the first cannot be opened
	After          func(time.Duration, func())
	Jitter         func() float64 // in [0, 1), so that many pages do not come back at once
	Hello          func() *wire.Hello
	Message        func(wire.Message)
	State          func(State)
	Problem        func(error) // a frame that cannot be read or written
}

// Link is one page's line to the server.
type Link struct {
	Options
	conn     Conn
	state    State
	tries    int  // since the line last stood
	stood    bool // the websocket was open once: it is not blocked
	stream   bool // fallen back
	dial     int  // counts dials: what an older one tells is not heard
	goodbyes int  // sessions in a row that the server ended
}

// Patience between two tries: doubling from first to most.
const (
	first = 250 * time.Millisecond
	most  = 15 * time.Second
	// The server ended the session with a reason: it will not think better of it at once.
	afterBye = 4 * time.Second
)

// blockedAfter tries of a websocket that was never open mean that something on the way blocks them.
const blockedAfter = 2

// Start dials.
func Start(o Options) *Link {
	l := &Link{Options: o}
	l.redial()
	return l
}

// Restart leaves the session and opens another at once: the page has a new Hello to say.
func (l *Link) Restart() {
	l.tries, l.goodbyes = 0, 0
	l.redial()
}

// Send hands a message over if the line stands, and tells whether it does. What is lost with the line is not sent
// again: the next Welcome says what is in force.
func (l *Link) Send(m wire.Message) bool {
	if l.state != Open {
		return false
	}
	frame, err := wire.Append(nil, m)
	if err != nil {
		l.Problem(err)
		return false
	}
	l.conn.Send(frame)
	return true
}

func (l *Link) redial() {
	l.dial++
	mine := l.dial
	heard := func() bool { return mine == l.dial }
	if l.conn != nil {
		l.conn.Close()
	}
	l.become(Connecting)
	carrier := l.Socket
	if l.stream {
		carrier = l.Stream
	}
	opened := false
	l.conn = carrier.Dial(Events{
		Open: func() {
			if !heard() {
				return
			}
			opened = true
			l.stood = l.stood || !l.stream
			l.become(Open)
			l.Send(l.Hello())
		},
		Frame: func(frame []byte) {
			if heard() {
				l.frame(frame)
			}
		},
		Closed: func() {
			if heard() {
				l.closed(opened)
			}
		},
	})
}

func (l *Link) frame(frame []byte) {
	messages, err := wire.DecodeAll(frame, wire.FromServer)
	if err != nil {
		l.Problem(err)
		return
	}
	mine := l.dial
	for _, m := range messages {
		if mine != l.dial {
			return // the message before began another session
		}
		switch m.(type) {
		case *wire.Welcome:
			l.tries, l.goodbyes = 0, 0
		case *wire.Bye:
			l.goodbyes++
		}
		l.Message(m)
	}
}

func (l *Link) closed(opened bool) {
	l.dial++ // one end is enough
	mine := l.dial
	l.become(Closed)
	l.tries++
	if !opened && !l.stood && l.tries >= blockedAfter {
		l.stream = true
	}
	l.After(l.wait(), func() {
		if mine == l.dial {
			l.redial()
		}
	})
}

// wait doubles with every try, and is between half and all of that.
func (l *Link) wait() time.Duration {
	d := most
	if l.tries < 7 {
		d = min(most, first<<(l.tries-1))
	}
	if l.goodbyes > 0 {
		d = max(d, min(most, afterBye<<(l.goodbyes-1)))
	}
	return d/2 + time.Duration(float64(d/2)*l.Jitter())
}

func (l *Link) become(s State) {
	l.state = s
	l.State(s)
}
