//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/model"
)

// bindActs gives every button its act. An act that is missing here is the model's.
func (c *desk) bindActs() {
	c.acts = map[model.Act]func(){
		model.Share: c.share, model.Theme: c.nextTheme, model.Hand: c.toggleHand,
		model.Table: c.showTable, model.LetGo: c.letGo, model.OverSeeds: c.overSeeds, model.Sweep: c.openSweep,
		model.Microscope: c.openMicroscope, model.LookBack: c.showFall, model.Undo: c.undo,
		model.Watch: c.watch,
		model.Log: func() {
			c.run.Cursor.View.Log = !c.run.Cursor.View.Log
			c.scheduleDraw()
		},
		model.Whole: func() {
			c.run.Whole()
			c.scheduleDraw()
		},
		model.Help:    func() { c.openDialog("help") },
		model.Compare: func() { c.change(c.model.Copy()) },
		model.Close:   func() { c.change(c.model.Close()) },
	}
	for _, button := range findAll(c.body, "[data-verb]") {
		clicks(button, func() { c.act(model.Act(data(button, "verb"))) })
	}
}

var needsServer = map[model.Act]string{
	model.OverSeeds: "Eight seeds at once need a server, and this page has none. Open the link to this run on one: " +
		"impalab serves it from any machine.",
	model.Sweep: "A sweep needs a server, and this page has none. Open the link to this run on one: impalab serves it " +
		"from any machine.",
}

func (c *desk) act(act model.Act) {
	if why := needsServer[act]; why != "" && c.alone() {
		c.notice(why)
	} else if index, ok := act.Column(); ok {
		c.selectColumn(index)
	} else if do := c.acts[act]; do != nil {
		do()
	} else {
		c.model.Ask(act)
	}
}

// key acts on a key wherever the focus is, unless a field takes it or a dialog is open.
func (c *desk) key(event js.Value) {
	if event.Get("defaultPrevented").Bool() || c.dialogOpen() {
		return
	}
	act := model.KeyAct(pressed(event))
	if act == model.Nothing || act == model.LetGo && !c.run.Cursor.Held && !c.find.open() && !c.watching() {
		return
	}
	event.Call("preventDefault") // Space would scroll
	if !event.Get("repeat").Bool() || act.Repeats() {
		c.act(act)
	}
}

// pressed returns the key of an event and the element that had the focus.
func pressed(event js.Value) model.Key {
	target := event.Get("target")
	return model.Key{
		Name:     words(event, "key"),
		Modified: event.Get("ctrlKey").Bool() || event.Get("altKey").Bool() || event.Get("metaKey").Bool(),
		Tag:      words(target, "tagName"),
		Type:     words(target, "type"),
	}
}
