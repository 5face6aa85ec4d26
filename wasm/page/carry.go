//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/run"
	"impalab/web/number"
)

// carrying shows where the selected run trains, and the dialog that continues it elsewhere.
type carrying struct {
	where    slot   // in the masthead
	onServer string // its text for a run of the server
	dialog   js.Value
	said     slot
	act      slot
	button   js.Value
	away     js.Value // the link to a server elsewhere
	do       func()   // the button's action
}

func (c *desk) bindCarry() {
	k := &c.carry
	where := part(c.document, "where")
	k.where, k.onServer = text(where), where.Get("textContent").String()
	k.dialog = find(c.document, "#carry")
	k.said = text(part(k.dialog, "carry-said"))
	k.button, k.away = part(k.dialog, "carry-act"), part(k.dialog, "carry-away")
	k.act = text(k.button)
	on(k.button, "click", func(js.Value) {
		k.dialog.Call("close")
		k.do()
	})
	on(where, "click", func(js.Value) { c.askWhere() })
}

func (c *desk) drawCarry() {
	if c.run.InBrowser {
		c.carry.where.write("in this browser")
	} else {
		c.carry.where.write(c.carry.onServer)
	}
}

func (k *carrying) say(words string) { k.offer(words, "", nil) }

func (k *carrying) offer(said, act string, do func()) {
	k.said.write(said)
	k.act.write(act)
	k.do = do
	hide(k.button, act == "")
	hide(k.away, true)
}

func (c *desk) carryTo(r *run.Run, inBrowser bool) {
	message, err := r.Carry(inBrowser)
	c.model.Send(r, message, err)
}

// askWhere opens the dialog with the places where the selected run can continue.
func (c *desk) askWhere() {
	k, r := &c.carry, c.run
	link, err := r.Carried()
	const here = "This run trains in this browser"
	onServer := here + ". On the server it is learned again up to step " + number.Count(r.Steps()) +
		", to the same bytes, and continues from there. This one stays as it is."
	switch {
	case c.home == nil:
		k.say("This run trains on the server. This server was built without the learner for browsers: make wasm builds it.")
	case err != nil:
		k.say("This run cannot move: " + err.Error() + ".")
	case c.alone() && c.home.server == "":
		k.say(here + ", and this page knows no server. Its link opens on any: impalab serves it from any machine.")
	case c.alone():
		k.say(onServer)
		k.away.Set("href", c.home.server+"lab"+link.String())
		hide(k.away, false)
	case r.InBrowser:
		k.offer(onServer, "Continue on the server", func() { c.carryTo(r, false) })
	default:
		c.askToBrowser(r)
	}
	openDialog(k.dialog)
}

// askToBrowser asks the server which arithmetic a run uses, and offers to continue it in this browser.
func (c *desk) askToBrowser(r *run.Run) {
	k := &c.carry
	plain := *r.Config()
	plain.Arithmetic = hyper.Plain
	if err := c.home.Fits(&plain); err != nil {
		k.say("This run cannot move: " + err.Error() + ".")
		return
	}
	k.say("Asking the server.")
	begin := func() { c.carryTo(r, true) }
	steps := number.Count(r.Steps())
	c.fetch(c.base()+"api/v1/runs/"+r.ID, nil, func(body js.Value) {
		if arithmetic := body.Get("arithmetic").String(); arithmetic != string(hyper.Plain) {
			k.offer("This run computes in "+arithmetic+" arithmetic, which a browser does not have, so it cannot move. Begun "+
				"again in plain arithmetic it can, with the same settings and changes: it is learned up to step "+steps+" first.",
				"Begin again in this browser", begin)
			return
		}
		k.offer("This run trains on the server. In this browser it is learned again up to step "+steps+
			", to the same bytes, and continues from there. This one stays as it is.", "Continue in this browser", begin)
	}, func(why string) { k.say(run.Sentence(why)) })
}
