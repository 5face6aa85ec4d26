//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/model"
)

func (c *desk) bindButtons() {
	for _, button := range findAll(c.root, "[data-verb]") {
		act := model.ButtonAct(button.Get("dataset").Get("verb").String())
		on(button, "click", func(js.Value) { c.act(act) })
	}
}

func (p *Page) bindKeys() {
	on(p.document, "keydown", p.key)
	if stage := js.Global().Get("document"); !stage.Equal(p.document) {
		on(stage, "keydown", p.key)
	}
}

// key acts on a key wherever the focus is, unless it is typed into a field or a dialog is open.
func (p *Page) key(event js.Value) {
	if event.Get("defaultPrevented").Bool() || find(p.document, "dialog[open]").Truthy() {
		return
	}
	act := model.KeyAct(pressed(event))
	if act == model.Nothing || act == model.LetGo && !p.desk.letsGo() {
		return
	}
	event.Call("preventDefault") // Space would scroll
	if !event.Get("repeat").Bool() || act == model.Step || act == model.SpeedUp || act == model.SpeedDown ||
		act == model.Back || act == model.On {
		p.desk.act(act)
	}
}

// pressed is a key event's key and what had the focus.
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
		c.model.Notice(why)
		c.scheduleDraw()
		return
	}
	switch act {
	case model.Nothing:
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
		c.showTable("")
	case model.LetGo:
		c.letGo()
	case model.Compare:
		c.compare()
	case model.OverSeeds:
		c.overSeeds()
	case model.Sweep:
		c.openSweep()
	case model.Microscope:
		c.openMicroscope()
	case model.LookBack:
		if told := c.run.Told(); told != nil {
			told.LookBack()
		}
		c.bench.pinned = true
		if c.bench.tape.Truthy() { // the arrow keys go on from there
			c.bench.tape.Call("focus")
		}
		c.scheduleDraw()
	case model.PutAway:
		if told := c.run.Told(); told != nil {
			told.Halt.Closed = true
		}
		c.scheduleDraw()
	case model.Away:
		c.putAway()
	case model.Undo:
		c.undo()
	case model.First, model.Second, model.Third, model.Fourth:
		c.takeInHand(int(act - model.First))
	default:
		c.ask(c.model.Ask(act))
	}
}

// openDialog opens a dialog that is not open.
func openDialog(dialog js.Value) {
	if dialog.Truthy() && !dialog.Get("open").Bool() {
		dialog.Call("showModal")
	}
}
