//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/wasm/run"
	"impalab/web/link"
)

// bindWatch binds the part of the page about the watched world: where it is played, and which map it shows.
func (c *desk) bindWatch() {
	place, note := part(c.body, "watch"), text(part(c.body, "watch-note"))
	changes(place, func(chosen string) {
		c.run.Choice = run.Place(chosen)
		c.run.SendWant()
		c.scheduleDraw()
	})
	c.shows.add(func() { setValue(place, string(c.run.Watching())) })
	c.shows.toggle(place, "disabled", func() bool { return c.run.Unfit != "" })
	c.shows.add(func() { note.say(c.run.Unfit) })
	c.shows.hidden(part(c.body, "maps"), func() bool { return !c.run.Mappable() })
	c.shows.text(part(c.body, "map-range"), func() string { return c.run.MapRange() })
	arrows, values := part(c.body, "arrows"), part(c.body, "values")
	for _, box := range [...]js.Value{arrows, values} {
		changes(box, func(string) {
			c.run.Map(arrows.Get("checked").Bool(), values.Get("checked").Bool())
			c.run.SendWant()
			c.drawMap()
			c.scheduleDraw()
		})
	}
}

// worldOption is the field of an option of a world.
type worldOption struct {
	field
	error string
	world string // when the error was made: another world clears it
}

func (c *desk) bindOptions() {
	for _, box := range findAll(c.body, "[data-options]") {
		absent := func() bool { return data(box, "options") != link.PlainWorld(c.run.World()) }
		c.shows.hidden(box, absent)
		for _, element := range findAll(box, "[data-option]") {
			o, key := &worldOption{field: newField(element, "input")}, data(element, "option")
			c.options = append(c.options, o)
			o.bind(func(value string) string {
				o.world, o.error = c.run.World(), ""
				if err := c.model.SetOption(key, value); err != nil {
					o.error = err.Error()
				}
				return o.error
			}, func() { o.error = "" }, c.scheduleDraw)
			c.shows.toggle(o.input, "disabled", func() bool { return c.run.Link.Locked("world") })
			c.shows.add(func() {
				if absent() {
					return
				}
				if o.world != c.run.World() {
					o.error = ""
				}
				if o.error == "" {
					o.draw(c.run.Option(key), false)
				}
				o.refusal.say(o.error)
			})
		}
	}
}
