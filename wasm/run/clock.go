package run

import (
	"math"
	"time"
)

// Clock turns the display's time into steps of a world.
type Clock struct{ Next time.Duration } // when the next step is due

// patience is how far behind a clock may fall: what a hidden page or a slow machine missed beyond it is not made up
// for.
const patience = 100 * time.Millisecond

// Due is how many steps have come due by now, at a rate a second.
func (c *Clock) Due(now time.Duration, rate float32) (steps int) {
	each := time.Duration(float64(time.Second) / math.Max(float64(rate), 0.1))
	if now-c.Next > max(patience, each) || c.Next-now > each {
		c.Next = now
	}
	for ; c.Next <= now; c.Next += each {
		steps++
	}
	return steps
}
