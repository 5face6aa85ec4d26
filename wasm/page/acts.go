//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/model"
)

func (c *desk) bindButtons() {
	for _, button := range findAll(c.root, "[data-verb]") {
		act := model.Act(button.Get("dataset").Get("verb").String())
		on(button, "click", func(js.Value) { c.act(act) })
	}
}

// key acts on a key wherever the focus is, unless a field takes it or a dialog is open.
func (p *Page) key(event js.Value) {
	if event.Get("defaultPrevented").Bool() || p.dialogOpen() {
		return
	}
	act := model.KeyAct(pressed(event))
	if act == model.Nothing || act == model.LetGo && !p.desk.run.Cursor.Held && !p.desk.find.open() {
		return
	}
	event.Call("preventDefault") // Space would scroll
	if !event.Get("repeat").Bool() || act.Repeats() {
		p.desk.act(act)
	}
}

// pressed returns the key of an event and the element that had the focus.
func pressed(event js.Value) model.Key {
	key := model.Key{
		Name:     event.Get("key").String(),
		Modified: event.Get("ctrlKey").Bool() || event.Get("altKey").Bool() || event.Get("metaKey").Bool(),
	}
	if target := event.Get("target"); target.Truthy() {
		if tag := target.Get("tagName"); tag.Truthy() {
			key.Tag = tag.String()
		}
		if kind := target.Get("type"); kind.Truthy() && kind.Type() == js.TypeString {
			key.Type = kind.String()
		}
	}
	return key
}

func (c *desk) act(act model.Act) {
	if why := needsServer[act]; why != "" && c.alone() {
		c.notice(why)
		return
	}
	if index, ok := act.Column(); ok {
		c.selectColumn(index)
		return
	}
	switch act {
	case model.Share:
		c.share()
	case model.Help:
		openDialog(find(c.document, "#help"))
	case model.Hand:
		c.toggleHand()
	case model.Theme:
		c.nextTheme()
	case model.Runs:
		c.listRuns()
	case model.Table:
		c.showTable()
	case model.LetGo:
		c.letGo()
	case model.Compare:
		c.change(c.model.Copy())
	case model.Close:
		c.change(c.model.Close())
	case model.OverSeeds:
		c.overSeeds()
	case model.Sweep:
		c.openSweep()
	case model.Microscope:
		c.openMicroscope()
	case model.LookBack:
		c.lookBack()
	case model.PutAway:
		if halted := c.run.Halted(); halted != nil {
			halted.Halt.Closed = true
		}
		c.scheduleDraw()
	case model.Undo:
		c.undo()
	default:
		c.model.Ask(act)
	}
}

var needsServer = map[model.Act]string{
	model.Runs: "Only a server keeps runs. This page has none: a link keeps the settings, the seed and what was changed.",
	model.OverSeeds: "Eight seeds at once need a server, and this page has none. Open the link to this run on one: " +
		"impalab serves it from any machine.",
	model.Sweep: "A sweep needs a server, and this page has none. Open the link to this run on one: impalab serves it " +
		"from any machine.",
}
