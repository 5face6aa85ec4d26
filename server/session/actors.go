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

// Actors gives an actor of another process its seat in the run that it names. The text of an error is shown to a
// person; after any but a actorwire.Final the actor tries again.
type Actors interface {
	Act(join *wire.Join, address string) (actorwire.Seat, error)
}

var errOutOfOrder = actorwire.Final{Reason: "out of order: the first message must be Join, and all others Block"}

// ServeActor is the connection of an actor in another process: its Join, then a Block for each Order. An actor sends
// nothing that it was not asked for, so whoever does is sent away.
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
	a := &actorConn{conn: conn, opts: &g.opts, joined: make(chan actorwire.Seat, 1)}
	a.ctx, a.end = context.WithCancelCause(context.Background())
	defer context.AfterFunc(g.ctx, func() { a.end(errStopping) })()
	var others sync.WaitGroup
	others.Go(func() { a.end(a.catch(func() error { return a.listen(address) })) }) // ends when the connection does
	others.Go(a.beat)                                                               // ends with ctx
	a.end(a.catch(a.tell))
	a.farewell(context.Cause(a.ctx))
	others.Wait()
	for { // closing while bytes lie unread would reset the connection, and the reason could be lost with it
		if _, _, err := conn.NextReader(); err != nil {
			break
		}
	}
	select {
	case seat := <-a.joined: // tell never saw it
		seat.Leave()
	default:
	}
}

// actorConn is one such connection.
type actorConn struct {
	conn   *websocket.Conn
	opts   *Options
	ctx    context.Context
	end    context.CancelCauseFunc // the first reason given is the one the actor is told
	joined chan actorwire.Seat     // holds the seat once
}

// catch keeps a fault that one actor triggers from taking the others down.
func (a *actorConn) catch(f func() error) error {
	err := schedule.Catch(f)
	if fault := (*schedule.Fault)(nil); errors.As(err, &fault) {
		a.opts.Log.Error("panic in the session of a remote actor", "error", fault)
		return actorwire.Final{Reason: "an internal error on the server; its log has the details"}
	}
	return err
}

// listen reads until the connection or the session ends.
func (a *actorConn) listen(address string) error {
	alive := func(string) error { return a.conn.SetReadDeadline(time.Now().Add(a.opts.BeatEvery * 5 / 2)) }
	a.conn.SetPongHandler(alive)
	a.conn.SetPingHandler(func(string) error { return errors.New("an actor sends no pings") })
	silent := time.AfterFunc(a.opts.HelloWithin, func() { a.end(errSilent) })
	m, err := a.read(wire.MaxFromBrowser) // nobody has been let in yet
	silent.Stop()
	if err != nil {
		return err
	}
	join, ok := m.(*wire.Join)
	if !ok {
		return errOutOfOrder
	}
	seat, err := a.opts.Actors.Act(join, address)
	if err != nil {
		return err
	}
	a.joined <- seat
	for {
		alive("")
		m, err := a.read(wire.MaxFromActor)
		if err != nil {
			return err
		}
		block, ok := m.(*wire.Block)
		if !ok {
			return errOutOfOrder
		}
		if err := seat.Take(block); err != nil {
			return err
		}
	}
}

// read is the next message, of a frame of at most so many bytes.
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
		return nil, actorwire.Final{Reason: fmt.Sprintf("a frame of more than %d bytes came, and that is the limit", most)}
	}
	m, err := wire.Decode(frame, wire.FromActor)
	if err != nil {
		return nil, actorwire.Final{Reason: err.Error()}
	}
	return m, nil
}

// tell sends what the run has to say until there is no more. It is the only writer.
func (a *actorConn) tell() error {
	var seat actorwire.Seat
	select {
	case seat = <-a.joined:
	case <-a.ctx.Done():
		return context.Cause(a.ctx)
	}
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
	if err := a.conn.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	return a.conn.WriteMessage(websocket.BinaryMessage, frame)
}

// beat keeps what lies between from closing a connection that waits.
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

// farewell tells the actor why, and ends the connection.
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
