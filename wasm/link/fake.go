package link

// Fake is a carrier without a network: a test plays the server's part by calling the newest connection's events.
type Fake struct {
	Dials []*FakeConn
}

// FakeConn is one connection of a Fake.
type FakeConn struct {
	On   Events
	Sent [][]byte
	Gone bool // closed by the page
}

func (f *Fake) Dial(on Events) Conn {
	c := &FakeConn{On: on}
	f.Dials = append(f.Dials, c)
	return c
}

// Last is the newest connection.
func (f *Fake) Last() *FakeConn { return f.Dials[len(f.Dials)-1] }

func (c *FakeConn) Send(frame []byte) { c.Sent = append(c.Sent, frame) }

func (c *FakeConn) Close() { c.Gone = true }
