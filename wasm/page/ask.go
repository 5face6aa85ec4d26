//go:build js && wasm

package page

import (
	"impalab/wasm/model"
	"impalab/web/wire"
)

// What a person asks for, on its way from a control to the connections of the runs that it is asked of.

func (c *desk) set(key, value string) { c.ask(c.model.Set(key, value)) }

// ask sends what was asked of some runs.
func (p *Page) ask(requests []model.Request) {
	for _, q := range requests {
		if c := p.columnOf(q.Run); c != nil {
			c.send(q.Message, q.Err)
		}
	}
}

// send sends what a person asked for, or takes it back.
func (c *column) send(m wire.Message, err error) {
	_, another := m.(*wire.Hello)
	switch {
	case another:
		c.picture.Show(nil)
		c.redial()
	case err != nil:
		c.run.Announcements = append(c.run.Announcements, err.Error())
	case m != nil && (c.run.Waiting() || !c.link.Send(m)):
		c.run.Unsent(m)
	}
	c.scheduleDraw()
}

// redial opens another session, where the run is to train. One that has none says its Hello when it connects.
func (c *column) redial() {
	switch {
	case c.link == nil:
	case c.inBrowser != c.run.InBrowser:
		c.link.Close()
		c.connect()
	default:
		c.link.Restart()
	}
}
