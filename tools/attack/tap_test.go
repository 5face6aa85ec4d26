package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"impalab/web/wire"
)

// A tap reads the same as a browser: short frames, long ones, deflated ones, with a ping between.
func TestATapReadsWhatTheServerSays(t *testing.T) {
	long := strings.Repeat("long ", 100)
	said := []wire.Message{&wire.Bye{Reason: "short"}, &wire.Bye{Reason: long},
		&wire.Frame{Number: 7, State: make([]byte, 100_000)}}
	upgrader := websocket.Upgrader{EnableCompression: true, CheckOrigin: func(*http.Request) bool { return true }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		if _, hello, err := conn.ReadMessage(); err != nil || hello[1] != (*wire.Hello).Type(nil) {
			t.Errorf("the tap said %x, %v", hello, err)
		}
		for _, deflate := range []bool{false, true} {
			conn.EnableWriteCompression(deflate)
			for _, m := range said {
				frame, _ := wire.Append(nil, m)
				conn.WriteMessage(websocket.PingMessage, nil)
				conn.WriteMessage(websocket.BinaryMessage, frame)
			}
		}
		conn.WriteMessage(websocket.CloseMessage, nil)
		for err == nil { // the pongs are there; unread they would reset the connection
			_, _, err = conn.ReadMessage()
		}
	}))
	defer server.Close()
	aim := &target{host: strings.TrimPrefix(server.URL, "http://")}
	v, err := aim.tap(t.Context(), attacker, newReader(), &wire.Hello{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.conn.Close()
	for i := range 2 * len(said) {
		got, size, err := v.next()
		if err != nil || len(got) != 1 || size == 0 {
			t.Fatalf("message %d came as %v, %v", i, got, err)
		}
		want, _ := wire.Append(nil, said[i%len(said)])
		if frame, _ := wire.Append(nil, got[0]); string(frame) != string(want) {
			t.Errorf("message %d is %#v", i, got[0])
		}
	}
	if _, _, err := v.next(); err != errGone {
		t.Errorf("the end is %v", err)
	}
	v.conn.Close()
}
