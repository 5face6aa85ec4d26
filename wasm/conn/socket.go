//go:build js && wasm

package conn

import (
	"syscall/js"

	"impalab/wasm/browser"
)

// Socket is the browser's websocket: one message is one binary frame.
type Socket struct{ URL string }

type socket struct {
	value js.Value
	funcs []js.Func
}

func (s Socket) Dial(on Events) Conn {
	ws := js.Global().Get("WebSocket").New(s.URL)
	ws.Set("binaryType", "arraybuffer")
	c := &socket{value: ws}
	c.listen("open", func(js.Value) { on.Open() })
	c.listen("message", func(event js.Value) {
		if data := event.Get("data"); data.Type() == js.TypeObject {
			on.Frame(browser.Bytes(data))
		}
	})
	c.listen("close", func(js.Value) { // an error is always followed by a close
		c.release()
		on.Closed()
	})
	return c
}

func (c *socket) listen(name string, f func(js.Value)) {
	handler := browser.Callback(f)
	c.funcs = append(c.funcs, handler)
	c.value.Set("on"+name, handler)
}

func (c *socket) release() {
	for _, name := range [...]string{"onopen", "onmessage", "onclose"} {
		c.value.Set(name, js.Null())
	}
	for _, f := range c.funcs {
		f.Release()
	}
	c.funcs = nil
}

func (c *socket) Send(frame []byte) {
	const open = 1
	if c.value.Get("readyState").Int() == open {
		c.value.Call("send", browser.Array(frame))
	}
}

func (c *socket) Close() {
	if c.funcs != nil {
		c.release()
		c.value.Call("close")
	}
}
