package run

import "impalab/learner/hyper"

// Control is one setting on the page. What is in force and what was asked for are two things; only the server
// moves the first.
type Control struct {
	Row   *hyper.Row
	Force string // the value the server confirmed, in the text form of links; "" before the first Welcome
	Error string // why the last request was refused; "" if it was not

	wanted string
	seq    uint32 // the newest Set that waits for its answer; 0: none
}

// Shown is what slider and field show: the requested value while it waits, else the value in force.
func (c *Control) Shown() string {
	if c.Force == "" || c.Pending() {
		return c.wanted
	}
	return c.Force
}

// Pending reports whether the value shown is asked for and not yet in force.
func (c *Control) Pending() bool { return c.seq != 0 && c.wanted != c.Force }

// StateName is the control's state as the page's data-state has it.
func (c *Control) StateName() string {
	switch {
	case c.Error != "":
		return "refused"
	case c.Pending() || c.Force == "":
		return "pending"
	}
	return "idle"
}

// enforce takes the server's value; seq is the Set it answers, 0 for none of ours. The answer to an older Set
// leaves a newer one waiting. Two requests that undo each other may never be answered: the next news settles them.
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

// forget drops the request; true if one was waiting.
func (c *Control) forget() bool {
	waited := c.Pending()
	c.seq = 0
	return waited
}

func (c *Control) refuse(reason string) { c.Error = reason }
