//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/run"
	"impalab/web/number"
)

// Where the run in hand trains, and the dialog that has it go on elsewhere.

// carrying is what the page says of that.
type carrying struct {
	where    slot   // in the masthead
	onServer string // what stands there for a run of the server
	dialog   js.Value
	said     slot
	act      slot
	button   js.Value
	away     js.Value // the link to a server elsewhere
	do       func()   // what the button does
}

const inThisBrowser = "in this browser"

func (c *desk) bindCarry() {
	k := &c.carry
	where := find(c.document, `[data-part="where"]`)
	if !where.Truthy() {
		return
	}
	k.where, k.onServer = text(where), where.Get("textContent").String()
	if k.dialog = find(c.document, "#carry"); !k.dialog.Truthy() {
		return
	}
	k.said, k.button = text(find(k.dialog, `[data-part="carry-said"]`)), find(k.dialog, `[data-part="carry-act"]`)
	k.act, k.away = text(k.button), find(k.dialog, `[data-part="carry-away"]`)
	on(k.button, "click", func(js.Value) {
		k.dialog.Call("close")
		k.do()
	})
	on(where, "click", func(js.Value) { c.askWhere() })
}

func (c *desk) drawCarry() {
	if c.run.InBrowser {
		c.carry.where.write(inThisBrowser)
	} else {
		c.carry.where.write(c.carry.onServer)
	}
}

// offer has the dialog say something and offer something; "": nothing.
func (k *carrying) offer(said, act string, do func()) {
	k.said.write(said)
	k.act.write(act)
	k.do = do
	hide(k.button, act == "")
	hide(k.away, true)
}

// askWhere opens the dialog with what is possible for the run in hand.
func (c *desk) askWhere() {
	k, r := &c.carry, c.run
	link, err := r.Carried()
	steps := number.Count(r.Steps())
	switch {
	case c.home == nil:
		k.offer("This run trains on the server. This server was built without the learner for browsers: make wasm builds "+
			"it.", "", nil)
	case err != nil:
		k.offer("This run cannot move: "+err.Error()+".", "", nil)
	case c.alone() && c.home.server == "":
		k.offer("This run trains in this browser, and this page knows no server. Its link opens on any: impalab serves it "+
			"from any machine.", "", nil)
	case c.alone():
		k.offer("This run trains in this browser. On the server it is learned again up to step "+steps+
			", to the same bytes, and goes on from there. This one stays as it is.", "", nil)
		k.away.Set("href", c.home.server+"lab"+link.String())
		hide(k.away, false)
	case r.InBrowser:
		k.offer("This run trains in this browser. On the server it is learned again up to step "+steps+
			", to the same bytes, and goes on from there. This one stays as it is.", "Continue on the server",
			func() { c.send(r.Carry(false)) })
	default:
		c.askToBrowser(steps)
	}
	openDialog(k.dialog)
}

// askToBrowser is the dialog of a run of the server.
func (c *desk) askToBrowser(steps string) {
	k, r := &c.carry, c.run
	plain := *r.Config()
	plain.Arithmetic = hyper.Plain
	if err := c.home.fits(&plain); err != nil {
		k.offer("This run cannot move: "+err.Error()+".", "", nil)
		return
	}
	k.offer("Asking the server.", "", nil)
	failed := func(js.Value) { k.offer("The server did not tell; try again in a moment.", "", nil) }
	then(c.window.Call("fetch", c.base()+"api/v1/runs/"+r.ID), func(answer js.Value) {
		if !answer.Get("ok").Bool() {
			failed(answer)
			return
		}
		then(answer.Call("json"), func(body js.Value) { c.offerBrowser(r, steps, body.Get("arithmetic").String()) }, failed)
	}, failed)
}

// offerBrowser offers what a run can do that computes with an arithmetic.
func (c *desk) offerBrowser(r *run.Run, steps, arithmetic string) {
	k := &c.carry
	begin := func() { c.send(r.Carry(true)) }
	if arithmetic == string(hyper.Plain) {
		k.offer("This run trains on the server. In this browser it is learned again up to step "+steps+
			", to the same bytes, and goes on from there. This one stays as it is.", "Continue in this browser", begin)
		return
	}
	k.offer("This run computes in "+arithmetic+" arithmetic, which a browser does not have, so it cannot move. Begun "+
		"again in plain arithmetic it can, with the same settings and changes: it is learned up to step "+steps+" first.",
		"Begin again in this browser", begin)
}
