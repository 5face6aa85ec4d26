package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"impalab/learner/schedule"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// Actors gives an actor of another process its seat in the run that it names. People read the text of an error. After
// an error other than actorwire.Final, the actor tries again.
type Actors interface {
	Act(join *wire.Join, address string) (actorwire.Peer, error)
}

var errOutOfOrder = actorwire.Final{Reason: "out of order: the first message must be Join, and all others Block"}

// ServeActor serves the connection of an actor in another process: its Join, then a Block for each Order. An actor that
// sends anything else is disconnected.
func (g *Gate) ServeActor(w http.ResponseWriter, r *http.Request) {
	if g.opts.Actors == nil {
		http.NotFound(w, r)
		return
	}
	address, leave := g.admit(w, r)
	if leave == nil {
		return
	}
	defer leave()
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	defer conn.Close()
	a := &actorConn{conn: conn, opts: &g.opts}
	a.ctx, a.end = context.WithCancelCause(context.Background())
	defer context.AfterFunc(g.ctx, func() { a.end(errStopping) })()
	var seat actorwire.Peer
	var others sync.WaitGroup
	if err := a.catch(func() (err error) { seat, err = a.join(address); return err }); err != nil {
		a.end(err)
	} else {
		others.Go(func() { a.end(a.catch(func() error { return a.listen(seat) })) }) // ends when the connection does
		others.Go(a.beat)                                                            // ends with ctx
		a.end(a.catch(func() error { return a.sendAll(seat) }))
	}
	a.farewell(context.Cause(a.ctx))
	defer time.AfterFunc(farewell, func() { conn.Close() }).Stop() // an actor that sends pings or pongs would stay
	others.Wait()
	for { // closing with unread bytes would reset the connection, and the reason could be lost
		if _, _, err := conn.NextReader(); err != nil {
			return
		}
	}
}

// actorConn is the connection of an actor.
type actorConn struct {
	conn *websocket.Conn
	opts *Options
	ctx  context.Context
	end  context.CancelCauseFunc // the actor is told the first reason
}

// catch turns a panic that one actor triggers into an error, so that the others play on.
func (a *actorConn) catch(f func() error) error {
	err := schedule.Catch(f)
	if fault := (*schedule.Fault)(nil); errors.As(err, &fault) {
		a.opts.Log.Error("panic in the session of a remote actor", "error", fault)
		return actorwire.Final{Reason: "an internal error on the server; its log has the details"}
	}
	return err
}

// join waits for Join and returns the actor's seat.
func (a *actorConn) join(address string) (actorwire.Peer, error) {
	silent := time.AfterFunc(a.opts.HelloWithin, func() { a.end(errSilent) })
	defer silent.Stop()
	defer context.AfterFunc(a.ctx, func() { a.conn.SetReadDeadline(time.Now()) })()
	m, err := a.read(wire.MaxFromBrowser) // the limit before the actor is admitted
	if err != nil {
		return nil, err
	}
	join, ok := m.(*wire.Join)
	if !ok {
		return nil, errOutOfOrder
	}
	return a.opts.Actors.Act(join, address)
}

// listen reads blocks until the connection or the session ends.
func (a *actorConn) listen(seat actorwire.Peer) error {
	alive := func(string) error { return a.conn.SetReadDeadline(time.Now().Add(a.opts.BeatEvery * 5 / 2)) }
	a.conn.SetPongHandler(alive)
	a.conn.SetPingHandler(func(string) error { return errors.New("an actor sends no pings") })
	for {
		alive("")
		m, err := a.read(seat.Largest())
		if err != nil {
			return err
		}
		block, ok := m.(*wire.Block)
		if !ok {
			return errOutOfOrder
		}
		if err := seat.Accept(block); err != nil {
			return err
		}
	}
}

// read returns the next message, from a frame within the bound in bytes.
func (a *actorConn) read(most int64) (wire.Message, error) {
	kind, body, err := a.conn.NextReader()
	if err != nil {
		return nil, errGone
	}
	frame, err := io.ReadAll(io.LimitReader(body, most+1))
	switch {
	case err != nil:
		return nil, errGone
	case kind != websocket.BinaryMessage:
		return nil, actorwire.Final{Reason: "a text message came; messages are binary"}
	case int64(len(frame)) > most:
		return nil, actorwire.Final{Reason: fmt.Sprintf("a frame of more than %d bytes came, and that is the limit of this "+
			"message here", most)}
	}
	m, err := wire.Decode(frame, wire.FromActor)
	if err != nil {
		return nil, actorwire.Final{Reason: err.Error()}
	}
	return m, nil
}

// sendAll sends the run's messages until the session ends.
func (a *actorConn) sendAll(seat actorwire.Peer) error {
	defer seat.Leave()
	for {
		messages, err := seat.Next(a.ctx)
		if err != nil {
			return err
		}
		for _, m := range messages {
			frame, err := wire.Append(nil, m)
			if err != nil {
				return actorwire.Final{Reason: err.Error()}
			}
			if err := a.send(frame, a.opts.WriteWithin); err != nil {
				return errGone
			}
		}
	}
}

func (a *actorConn) send(frame []byte, within time.Duration) error {
	a.conn.EnableWriteCompression(false) // parameters are noise
	a.conn.SetWriteDeadline(time.Now().Add(within))
	return a.conn.WriteMessage(websocket.BinaryMessage, frame)
}

// beat keeps proxies from closing a connection that waits.
func (a *actorConn) beat() {
	tick := time.NewTicker(a.opts.BeatEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if a.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(a.opts.WriteWithin)) != nil {
				a.end(errGone)
			}
		case <-a.ctx.Done():
			return
		}
	}
}

// farewell tells the actor the reason, and ends the connection.
func (a *actorConn) farewell(why error) {
	if !errors.Is(why, errGone) {
		var final actorwire.Final
		frame, err := wire.Append(nil, &wire.Leave{Reason: why.Error(), Again: !errors.As(why, &final)})
		if err == nil && a.send(frame, farewell) == nil {
			a.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""),
				time.Now().Add(farewell))
			a.conn.SetReadDeadline(time.Now().Add(farewell))
			return
		}
	}
	a.conn.Close()
}
