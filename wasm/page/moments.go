//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"
	"time"

	"impalab/wasm/run"
	"impalab/web/wire"
)

// A moment that the page does not have is made again where the run trains, after the cursor has rested for a while. The
// page asks once. Without an answer it shows the nearest moment, with that moment's own update.

const cursorRests = 400 * time.Millisecond

// askedAgain is the last question.
type askedAgain struct {
	run      string
	from, to uint64
	abort    js.Value // ends the question
}

func (a *askedAgain) is(r *run.Run, from, to uint64) bool {
	return a.run == r.ID && a.from == from && a.to == to
}

// makeAgain asks for the missing updates around the cursor.
func (p *Page) makeAgain() {
	r := p.desk.run
	from, to, ok := r.Unseen()
	if !ok || p.again.is(r, from, to) {
		return
	}
	p.again.run, p.again.from, p.again.to = r.ID, from, to
	p.after(cursorRests, func() {
		if at, _, ok := r.Unseen(); ok && at == from && p.again.is(r, from, to) {
			p.fetchAgain(r)
		}
	})
}

func (p *Page) fetchAgain(r *run.Run) {
	id := r.ID
	made := func(frame []byte) {
		if made, err := wire.DecodeAll(frame, wire.FromServer); err == nil && r.ID == id {
			r.MadeAgain(made)
			p.scheduleDraw()
		}
	}
	if r.InBrowser {
		p.home.Moments(id, p.again.from, p.again.to, r.Mapped(), made)
		return
	}
	if p.again.abort.Truthy() {
		p.again.abort.Call("abort")
	}
	p.again.abort = p.window.Get("AbortController").New()
	at := p.base() + "api/v1/runs/" + id + "/moments?from=" + strconv.FormatUint(p.again.from, 10) + "&to=" +
		strconv.FormatUint(p.again.to, 10) + "&parameters=" + strconv.FormatBool(r.Mapped())
	options := map[string]any{"signal": p.again.abort.Get("signal")}
	then(p.window.Call("fetch", at, options), func(answer js.Value) {
		if answer.Get("ok").Bool() {
			then(answer.Call("arrayBuffer"), func(buffer js.Value) {
				bytes := js.Global().Get("Uint8Array").New(buffer)
				frame := make([]byte, bytes.Length())
				js.CopyBytesToGo(frame, bytes)
				made(frame)
			}, ignore)
		}
	}, ignore)
}
