//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/run"
	"impalab/web/number"
)

// carrying is the dialog that says where the selected run trains, and continues it elsewhere.
type carrying struct {
	said, act slot
	away      js.Value // the link to a server elsewhere
	do        func()   // the button's action
}

func (c *desk) bindCarry() {
	k, dialog, where := &c.carry, find(c.document, "#carry"), part(c.document, "where")
	k.said, k.act = text(part(dialog, "carry-said")), text(part(dialog, "carry-act"))
	k.away = part(dialog, "carry-away")
	clicks(k.act.element, func() {
		dialog.Call("close")
		k.do()
	})
	onServer := where.Get("textContent").String()
	clicks(where, c.askWhere)
	c.shows.text(where, func() string {
		if c.run.InBrowser {
			return "in this browser"
		}
		return onServer
	})
}

func (k *carrying) say(words string) { k.offer(words, "", nil) }

func (k *carrying) offer(said, act string, do func()) {
	k.said.write(said)
	k.act.say(act)
	k.do = do
	hide(k.away, true)
}

// askWhere opens the dialog with the places where the selected run can continue.
func (c *desk) askWhere() {
	k, r := &c.carry, c.run
	link, err := r.Carried()
	const here = "This run trains in this browser"
	onServer := here + ". The server can continue it: there it is retrained up to step " +
		number.Count(r.Steps()) + ", to the same bytes. This run stays as it is."
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
	c.openDialog("carry")
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
			k.offer("This run computes in "+arithmetic+" arithmetic, which a browser does not have, so it cannot move. "+
				"This browser can start a run in plain arithmetic with the same settings and changes, and trains it up to step "+
				steps+" first.", "Start in this browser", begin)
			return
		}
		k.offer("This run trains on the server. This browser can continue it: here it is retrained up to step "+
			steps+", to the same bytes. This run stays as it is.", "Continue in this browser", begin)
	}, func(why string) { k.say(run.Sentence(why)) })
}

func (c *desk) carryTo(r *run.Run, inBrowser bool) {
	message, err := r.Carry(inBrowser)
	c.model.Send(r, message, err)
}
