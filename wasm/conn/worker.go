//go:build js && wasm

package conn

import (
	"maps"
	"strconv"
	"strings"
	"syscall/js"

	"impalab/wasm/browser"
	"impalab/web/wire"
)

// Workers connects runs that train in the browser: in web workers (wasm/worker), which take and send the same frames as
// a server. Each worker has its own thread. Several runs share a worker if there are more runs than workers.
type Workers struct {
	Script string         // its address
	Start  map[string]any // a worker's first message: see static/worker.js
	Most   int            // at once

	all  []*worker
	next int      // the worker of the next run
	made js.Value // promise of the compiled program, which the workers share
}

type worker struct {
	value js.Value
	lines map[*line]bool
}

type line struct {
	of   *Workers
	on   Events
	to   *worker // nil before the first frame
	port js.Value
	hear js.Func
	gone bool
}

// Dial opens a line at once. The first frame, a Hello, decides its worker.
func (w *Workers) Dial(on Events) Conn {
	c := &line{of: w, on: on}
	var open js.Func
	open = browser.Callback(func(js.Value) {
		open.Release()
		if !c.gone {
			on.Open()
		}
	})
	js.Global().Call("setTimeout", open, 0) // no event before Dial has returned
	return c
}

func (c *line) Send(frame []byte) {
	if c.gone {
		return
	}
	if c.to == nil {
		c.to = c.of.of(frame)
		c.to.lines[c] = true
		channel := js.Global().Get("MessageChannel").New()
		c.port = channel.Get("port1")
		c.hear = browser.Callback(func(event js.Value) {
			if data := event.Get("data"); data.IsNull() {
				c.end()
			} else {
				c.on.Frame(browser.Bytes(data))
			}
		})
		c.port.Set("onmessage", c.hear)
		port := channel.Get("port2")
		c.to.value.Call("postMessage", map[string]any{"port": port}, []any{port})
	}
	c.port.Call("postMessage", browser.Array(frame))
}

// Close leaves the run, which then rests.
func (c *line) Close() {
	if c.gone {
		return
	}
	c.gone = true
	if c.to != nil {
		c.port.Call("postMessage", js.Null())
		c.port.Set("onmessage", js.Null())
		c.hear.Release()
		delete(c.to.lines, c)
	}
}

func (c *line) end() {
	if !c.gone {
		c.Close()
		c.on.Closed()
	}
}

// of returns the worker of a Hello: the worker that has the run or the run to fork, else the next.
func (w *Workers) of(frame []byte) *worker {
	m, err := wire.Decode(frame, wire.FromBrowser)
	if hello, ok := m.(*wire.Hello); ok && err == nil {
		for _, id := range [...]string{hello.Run, hello.From.Run} {
			if n, ok := number(id); ok && n < len(w.all) && w.all[n] != nil {
				return w.all[n]
			}
		}
	}
	n := w.next
	w.next = (n + 1) % w.Most
	for len(w.all) <= n {
		w.all = append(w.all, nil)
	}
	if w.all[n] == nil {
		w.all[n] = w.begin(n)
	}
	return w.all[n]
}

// Moments makes some updates of a run again and passes on the frame that shows them. It passes on nothing if they
// cannot be made.
func (w *Workers) Moments(run string, from, to uint64, parameters bool, made func(frame []byte)) {
	question := map[string]any{"run": run, "from": from, "to": to, "parameters": parameters}
	w.ask(run, "moments", question, func(answer js.Value) {
		if !answer.IsNull() {
			made(browser.Bytes(answer))
		}
	})
}

// Unrolls passes on the unrolls of a run after an update, 0 for the newest: an array as the API of a server would
// return each, or the reason why there is none.
func (w *Workers) Unrolls(run string, update uint64, looked func(array js.Value, reason string)) {
	w.ask(run, "unrolls", map[string]any{"run": run, "update": update}, func(answer js.Value) {
		if reason := answer.Get("reason"); reason.Truthy() {
			looked(js.Null(), reason.String())
			return
		}
		looked(answer.Get("unrolls"), "")
	})
}

// ask passes on the answer of a run's worker. A worker that has ended does not answer.
func (w *Workers) ask(run, about string, question map[string]any, heard func(answer js.Value)) {
	n, ok := number(run)
	if !ok || n >= len(w.all) || w.all[n] == nil {
		return
	}
	channel := js.Global().Get("MessageChannel").New()
	mine, port := channel.Get("port1"), channel.Get("port2")
	var hear js.Func
	hear = browser.Callback(func(event js.Value) {
		hear.Release()
		mine.Call("close")
		heard(event.Get("data"))
	})
	mine.Set("onmessage", hear)
	w.all[n].value.Call("postMessage", map[string]any{"port": port, about: question}, []any{port})
}

// number returns the worker's number in a run's id: here1-….
func number(id string) (n int, ok bool) {
	rest, here := strings.CutPrefix(id, "here")
	digits, _, cut := strings.Cut(rest, "-")
	n, err := strconv.Atoi(digits)
	return n, here && cut && err == nil && n >= 0
}

// begin starts a worker. If it fails, it tells the reason to all its lines, and another replaces it.
func (w *Workers) begin(n int) *worker {
	one := &worker{js.Global().Get("Worker").New(w.Script), map[*line]bool{}}
	failed := func(reason string) {
		one.value.Call("terminate")
		if w.all[n] == one {
			w.all[n] = nil
		}
		frame, _ := wire.Append(nil, &wire.Bye{Reason: "The learner in this browser: " + reason})
		for c := range one.lines {
			c.on.Frame(frame)
			c.end()
		}
	}
	one.value.Set("onmessage", browser.Callback(func(event js.Value) {
		if reason := event.Get("data").Get("failed"); reason.Type() == js.TypeString {
			failed(reason.String())
		}
	}))
	one.value.Set("onerror", browser.Callback(func(event js.Value) {
		reason := "its script does not load"
		if said := event.Get("message"); said.Type() == js.TypeString {
			reason = said.String()
		}
		failed(reason)
	}))
	if w.made.IsUndefined() {
		w.made = js.Global().Call("compileProgram", w.Start["program"])
	}
	var begin, fail js.Func
	done := func() { begin.Release(); fail.Release() }
	begin = browser.Callback(func(module js.Value) {
		done()
		start := maps.Clone(w.Start)
		start["number"], start["module"] = n, module
		one.value.Call("postMessage", map[string]any{"start": start})
	})
	fail = browser.Callback(func(err js.Value) {
		done()
		w.made = js.Undefined() // the next worker tries again
		failed(err.Get("message").String())
	})
	w.made.Call("then", begin, fail)
	return one
}
