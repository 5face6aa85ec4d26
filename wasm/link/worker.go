//go:build js && wasm

package link

import (
	"strconv"
	"strings"
	"syscall/js"

	"impalab/web/wire"
)

// Workers is the line of runs that train in the browser: trainers in web workers (wasm/worker), which take the same
// frames and give the same. Each has a thread of its own, and several runs share one when there are more runs than
// workers.
type Workers struct {
	Script string         // its address
	Start  map[string]any // what it is told first: see static/worker.js
	Most   int            // at once

	all  []*worker
	next int // that gets the next run
}

type worker struct {
	value js.Value
	lines map[*line]bool
}

// line is one connection.
type line struct {
	of   *Workers
	on   Events
	to   *worker // nil before the first frame
	port js.Value
	hear js.Func
	gone bool
}

// Dial opens a line at once. Which worker it leads to is decided by the first frame, the Hello.
func (w *Workers) Dial(on Events) Conn {
	c := &line{of: w, on: on}
	var open js.Func
	open = js.FuncOf(func(js.Value, []js.Value) any {
		open.Release()
		if !c.gone {
			on.Open()
		}
		return nil
	})
	js.Global().Call("setTimeout", open, 0) // nothing is told before Dial has returned
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
		c.hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
			if data := args[0].Get("data"); data.IsNull() {
				c.end()
			} else {
				c.on.Frame(copied(data))
			}
			return nil
		})
		c.port.Set("onmessage", c.hear)
		port := channel.Get("port2")
		c.to.value.Call("postMessage", map[string]any{"port": port}, []any{port})
	}
	c.port.Call("postMessage", array(frame))
}

// Close leaves the run, which rests from then on.
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

// end is the other side's end.
func (c *line) end() {
	if !c.gone {
		c.Close()
		c.on.Closed()
	}
}

// of is the worker that a Hello belongs to: the one that has the run, or the run that is to be forked; else the next.
func (w *Workers) of(frame []byte) *worker {
	if hello, ok := helloIn(frame); ok {
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

// Moments has some updates of a run made again, and hands over the frame that shows them; none where they cannot be.
func (w *Workers) Moments(run string, from, to uint64, parameters bool, made func(frame []byte)) {
	question := map[string]any{"run": run, "from": from, "to": to, "parameters": parameters}
	w.ask(run, "moments", question, func(answer js.Value) {
		if !answer.IsNull() {
			made(copied(answer))
		}
	})
}

// Unrolls has the unrolls behind an update of a run looked at, 0 for the newest: an array of what a server's API would
// answer for each, or the reason why there are none.
func (w *Workers) Unrolls(run string, update uint64, looked func(array js.Value, reason string)) {
	w.ask(run, "unrolls", map[string]any{"run": run, "update": update}, func(answer js.Value) {
		if reason := answer.Get("reason"); reason.Truthy() {
			looked(js.Null(), reason.String())
			return
		}
		looked(answer.Get("unrolls"), "")
	})
}

// ask asks the worker that has a run, and hands over its answer; a worker that is gone gives none.
func (w *Workers) ask(run, about string, question map[string]any, heard func(answer js.Value)) {
	n, ok := number(run)
	if !ok || n >= len(w.all) || w.all[n] == nil {
		return
	}
	channel := js.Global().Get("MessageChannel").New()
	mine, port := channel.Get("port1"), channel.Get("port2")
	var hear js.Func
	hear = js.FuncOf(func(_ js.Value, args []js.Value) any {
		hear.Release()
		mine.Call("close")
		heard(args[0].Get("data"))
		return nil
	})
	mine.Set("onmessage", hear)
	w.all[n].value.Call("postMessage", map[string]any{"port": port, about: question}, []any{port})
}

// InBrowser reports whether a name is that of a run which trains in a browser.
func InBrowser(run string) bool {
	_, ok := number(run)
	return ok
}

func helloIn(frame []byte) (*wire.Hello, bool) {
	m, err := wire.Decode(frame, wire.FromBrowser)
	hello, ok := m.(*wire.Hello)
	return hello, err == nil && ok
}

// number is that of the worker which named a run: here1-….
func number(id string) (n int, ok bool) {
	rest, here := strings.CutPrefix(id, "here")
	digits, _, cut := strings.Cut(rest, "-")
	n, err := strconv.Atoi(digits)
	return n, here && cut && err == nil && n >= 0
}

// begin starts a worker. One that fails says why to all its lines, and gives way to another.
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
	one.value.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if reason := args[0].Get("data").Get("failed"); reason.Type() == js.TypeString {
			failed(reason.String())
		}
		return nil
	}))
	one.value.Set("onerror", js.FuncOf(func(_ js.Value, args []js.Value) any {
		reason := "its script does not load"
		if said := args[0].Get("message"); said.Type() == js.TypeString {
			reason = said.String()
		}
		failed(reason)
		return nil
	}))
	start := map[string]any{"number": n}
	for key, value := range w.Start {
		start[key] = value
	}
	one.value.Call("postMessage", map[string]any{"start": start})
	return one
}

// copied is what an array of bytes holds.
func copied(data js.Value) []byte {
	out := make([]byte, data.Get("length").Int())
	js.CopyBytesToGo(out, data)
	return out
}
