//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/wasm/run"
)

// apart is the list of the settings that differ from the preset or from the paper.
type apart struct {
	from         string // "paper" or "preset"
	rows         js.Value
	there, where slot
	said         slot
	paper        js.Value      // the link to its page
	papers       string        // the address of that page
	shown        *run.Distance // in the rows…
	shownFrom    string        // …from this
}

func (d *desk) bindApart() {
	panel := find(d.body, "#apart")
	d.apart = apart{from: "paper", rows: part(panel, "apart-rows"), there: text(part(panel, "apart-there")),
		where: text(part(panel, "apart-where")), said: text(part(panel, "apart-said"))}
	d.apart.paper = part(panel, "apart-paper")
	d.apart.papers = d.apart.paper.Call("getAttribute", "href").String()
	d.shows.hidden(d.apart.paper, func() bool { return d.apart.from != "paper" })
	for _, button := range findAll(d.body, "[data-apart]") {
		from := data(button, "apart")
		clicks(button, func() {
			d.apart.from = from
			d.apart.said.say("")
			d.scheduleDraw()
		})
		d.shows.hidden(button, func() bool { return len(d.run.Apart().From(from)) == 0 })
		if panel.Call("contains", button).Bool() {
			d.shows.attribute(button, "aria-pressed", func() string { return strconv.FormatBool(d.apart.from == from) })
		}
	}
	printed := part(panel, "as-printed")
	d.shows.hidden(printed, func() bool { return d.apart.from != "paper" || len(d.run.Apart().Paper) == 0 })
	d.shows.toggle(printed, "disabled", d.others)
	clicks(printed, func() { d.apart.refuse(d.model.AsPrinted()) })
	d.shows.add(d.drawApart)
}

// refuse shows why a value was not taken, or nothing.
func (a *apart) refuse(err error) {
	a.said.say("")
	if err != nil {
		a.said.say(run.Sentence(err.Error()))
	}
}

// drawApart fills the list again when a value or the reference has changed.
func (d *desk) drawApart() {
	list, all := &d.apart, d.run.Apart()
	if len(all.From(list.from)) == 0 { // its tab is hidden
		list.from = map[string]string{"paper": "preset", "preset": "paper"}[list.from]
	}
	if list.shown == all && list.shownFrom == list.from {
		return
	}
	list.shown, list.shownFrom = all, list.from
	list.there.write(list.from)
	list.where.write(all.Places(list.from))
	list.paper.Set("href", list.papers+"#"+d.run.Config().Get("algo"))
	list.rows.Set("textContent", "")
	for _, one := range all.From(list.from) {
		take := d.element("button", "take it")
		take.Set("type", "button")
		take.Call("setAttribute", "aria-label", "Take "+one.There+" for "+run.ShortName(one.Row))
		take.Set("disabled", d.others() || d.run.Link.Locked(one.Row.Key))
		clicks(take, func() { list.refuse(d.model.Set(one.Row.Key, one.Take)) })
		row := d.element("tr")
		for _, inside := range []any{one.Row.Words, one.Here, one.There, take} {
			row.Call("append", d.element("td", inside))
		}
		list.rows.Call("append", row)
	}
}
