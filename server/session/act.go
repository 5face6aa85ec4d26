package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"impalab/learner/telemetry"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// quiet is the longest silence of a server that is there: it sends pings.
const quiet = 60 * time.Second

// Act connects to a server's actors at url, ws:// or wss://, and plays with a until the server, the connection or ctx
// ends that. An error that would come again is an actorwire.Final. Act calls heard after each message, on the goroutine
// that plays.
func Act(ctx context.Context, url string, join *wire.Join, a *actorwire.Actor, heard func(*actorwire.Actor)) error {
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: 10 * time.Second,
		WriteBufferSize: 1 << 16, ReadBufferSize: 1 << 16}
	conn, answer, err := dialer.DialContext(ctx, url, nil)
	if err != nil {
		return refusedBy(answer, err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	conn.SetReadLimit(wire.MaxToActor)
	send := func(frame []byte) error {
		conn.SetWriteDeadline(time.Now().Add(quiet))
		return conn.WriteMessage(websocket.BinaryMessage, frame)
	}
	pong := conn.PingHandler()
	conn.SetPingHandler(func(data string) error {
		conn.SetReadDeadline(time.Now().Add(quiet))
		return pong(data)
	})
	hello, err := wire.Append(nil, join)
	if err != nil {
		return actorwire.Final{Reason: err.Error()}
	}
	if err := send(hello); err != nil {
		return err
	}
	for ctx.Err() == nil {
		conn.SetReadDeadline(time.Now().Add(quiet))
		_, frame, err := conn.ReadMessage()
		if err != nil {
			return err
		}
		answer, err := a.HearFrame(frame, func(telemetry.Episode) {})
		if err != nil {
			return err
		}
		heard(a)
		if answer == nil {
			continue
		}
		if err := send(answer); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// refusedBy returns why a server refused a connection.
func refusedBy(answer *http.Response, err error) error {
	if answer == nil {
		return fmt.Errorf("no server answers: %w", err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 512))
	said := fmt.Sprintf("the server answers %s: %s", answer.Status, strings.TrimSpace(string(text)))
	if answer.StatusCode >= http.StatusInternalServerError {
		return errors.New(said)
	}
	return actorwire.Final{Reason: said + "; --server is the address of an impalab server's pages"}
}
