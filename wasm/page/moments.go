//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"
	"time"

	"impalab/wasm/browser"
	"impalab/wasm/run"
	"impalab/web/wire"
)

// A moment that the page does not have is made again where the run trains, after the cursor has rested for a while. The
// page asks once. Without an answer it shows the nearest moment, with that moment's own update.

const cursorRests = 400 * time.Millisecond

// again is a question for some updates of a run.
type again struct {
	run      string
	from, to uint64
}

// makeAgain asks for the missing updates around the cursor.
func (p *Page) makeAgain() {
	r := p.desk.run
	from, to, ok := r.Unseen()
	asked := again{r.ID, from, to}
	if !ok || p.again == asked {
		return
	}
	p.again = asked
	p.after(cursorRests, func() {
		if at, _, ok := r.Unseen(); ok && at == from && p.again == asked {
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
	if p.asking.Truthy() {
		p.asking.Call("abort")
	}
	p.asking = p.window.Get("AbortController").New()
	at := p.base() + "api/v1/runs/" + id + "/moments?from=" + strconv.FormatUint(p.again.from, 10) + "&to=" +
		strconv.FormatUint(p.again.to, 10) + "&parameters=" + strconv.FormatBool(r.Mapped())
	options := map[string]any{"signal": p.asking.Get("signal")}
	browser.Then(p.window.Call("fetch", at, options), func(answer js.Value) {
		if answer.Get("ok").Bool() {
			browser.Then(answer.Call("arrayBuffer"), func(buffer js.Value) {
				made(browser.Bytes(buffer))
			}, ignore)
		}
	}, ignore)
}
