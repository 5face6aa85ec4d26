//go:build js && wasm

package conn

import (
	"encoding/base64"
	"syscall/js"

	"impalab/wasm/browser"
)

// Stream works around blocked websockets. Frames come down as server-sent events in base64. They go up one by one, as
// posts with the session's secret, which is the first event.
type Stream struct {
	Down, Up string // URLs
}

type stream struct {
	up     string
	source js.Value
	secret string
	queue  [][]byte // posts may overtake each other, so the next one leaves after the last has arrived
	busy   bool
	gone   bool
	closed func()
	funcs  []js.Func
}

func (s Stream) Dial(on Events) Conn {
	c := &stream{up: s.Up, source: js.Global().Get("EventSource").New(s.Down)}
	c.closed = func() {
		if !c.gone {
			c.Close()
			on.Closed()
		}
	}
	c.listen("session", func(event js.Value) {
		c.secret = event.Get("data").String()
		on.Open()
	})
	c.listen("message", func(event js.Value) {
		frame, err := base64.StdEncoding.DecodeString(event.Get("data").String())
		if err != nil {
			frame = nil // the link reports it
		}
		on.Frame(frame)
	})
	// An EventSource would reconnect without a Hello, so the link redials instead.
	c.listen("error", func(js.Value) { c.closed() })
	return c
}

func (c *stream) listen(name string, f func(js.Value)) {
	handler := browser.Callback(func(event js.Value) {
		if !c.gone {
			f(event)
		}
	})
	c.funcs = append(c.funcs, handler)
	c.source.Call("addEventListener", name, handler)
}

func (c *stream) Send(frame []byte) {
	if c.gone {
		return
	}
	c.queue = append(c.queue, frame)
	c.post()
}

func (c *stream) post() {
	if c.busy || c.gone || len(c.queue) == 0 {
		return
	}
	c.busy = true
	frame := c.queue[0]
	c.queue = c.queue[1:]
	request := js.ValueOf(map[string]any{
		"method":  "POST",
		"headers": map[string]any{"X-Session": c.secret, "Content-Type": "application/octet-stream"},
		"body":    browser.Array(frame),
	})
	done := func(well bool) {
		c.busy = false
		if well {
			c.post()
		} else {
			c.closed()
		}
	}
	browser.Then(js.Global().Call("fetch", c.up, request), func(answer js.Value) { done(answer.Get("ok").Bool()) },
		func(js.Value) { done(false) })
}

func (c *stream) Close() {
	if c.gone {
		return
	}
	c.gone = true
	c.source.Call("close")
	for _, f := range c.funcs {
		f.Release()
	}
	c.funcs = nil
}
