package run

import "impalab/learner/hyper"

// Control is one setting on the page. The value in force and the requested value differ while a request waits: only the
// server changes the value in force.
type Control struct {
	Row   *hyper.Row
	Force string // the value in force, as links write it; "" before the first Welcome
	Error string // why the last request was refused, or ""

	wanted string
	seq    uint32 // of the newest Set that waits for its answer; 0: none
}

// Shown returns the value that slider and field show: the requested value while it waits, else the value in force.
func (c *Control) Shown() string {
	if c.Force == "" || c.Pending() {
		return c.wanted
	}
	return c.Force
}

// Pending reports whether the shown value is requested and not yet in force.
func (c *Control) Pending() bool { return c.seq != 0 && c.wanted != c.Force }

// StateName returns the control's data-state.
func (c *Control) StateName() string {
	switch {
	case c.Error != "":
		return "refused"
	case c.Pending() || c.Force == "":
		return "pending"
	}
	return "idle"
}

// enforce takes the server's value. Seq is the Set that it answers, or 0. The answer to an older Set leaves a newer one
// waiting. The server may never answer two requests that undo each other: the next news settles them.
func (c *Control) enforce(value string, seq uint32) {
	undone := seq == 0 && !c.Pending()
	c.Force = value
	if undone || seq >= c.seq || seq == 0 && c.wanted == value {
		c.seq = 0
	}
	if seq != 0 && c.seq == 0 {
		c.Error = ""
	}
}

// refuse drops the request, if one was waiting, and keeps the reason.
func (c *Control) refuse(reason string) (waited bool) {
	if waited = c.Pending(); waited {
		c.Error = reason
	}
	c.seq = 0
	return waited
}
