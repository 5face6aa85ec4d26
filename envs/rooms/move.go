package rooms

// All bodies in a room walk the same way: the agent by its actions, its rivals by their script. A body is a square that
// slides along obstacles.

const (
	bodyHalf = fixOne * 22 / 100 // of a body's width
	stride   = fixOne / 20       // cells to a tick
	swing    = 8                 // headings to a tick: 2.8 degrees
)

// roomActions are IMPALA's (Table D.2), in its order.
var roomActions = []string{
	"forward", "backward", "strafe_left", "strafe_right", "look_left", "look_right",
	"forward_look_left", "forward_look_right", "fire",
}

const actionFire = 8

// The effect of each action in a tick: strides ahead and to the right, swings to the right.
var roomMoves = [9]struct{ ahead, right, swing int }{
	{ahead: 1}, {ahead: -1}, {right: -1}, {right: 1}, {swing: -1}, {swing: 1},
	{ahead: 1, swing: -1}, {ahead: 1, swing: 1}, {},
}

// body is a place, a heading, and a number that the rules of a task count with.
type body struct{ x, y, heading, wait int }

// fits reports whether a body may be at a place.
func (m *roomMap) fits(x, y int) bool {
	return m.open(x-bodyHalf, y-bodyHalf) && m.open(x+bodyHalf, y-bodyHalf) &&
		m.open(x-bodyHalf, y+bodyHalf) && m.open(x+bodyHalf, y+bodyHalf)
}

// walk moves a body by ahead strides forward and by right strides to the right, each axis for itself, and reports
// whether it went freely.
func (b *body) walk(m *roomMap, ahead, right int) (free bool) {
	cos, sin := roomCosine(b.heading), roomSine(b.heading)
	x := b.x + fixTimes(stride, ahead*cos-right*sin)
	y := b.y + fixTimes(stride, ahead*sin+right*cos)
	free = true
	if m.fits(x, b.y) {
		b.x = x
	} else {
		free = false
	}
	if m.fits(b.x, y) {
		b.y = y
	} else {
		free = false
	}
	return free
}

// act is one tick of an action.
func (b *body) act(m *roomMap, action int) {
	move := roomMoves[action]
	b.heading = (b.heading + swing*move.swing) & (roomTurn - 1)
	if move.ahead != 0 || move.right != 0 {
		b.walk(m, move.ahead, move.right)
	}
}

// toward gives how far ahead of a body a place is, and how far to its right.
func (b *body) toward(x, y int) (ahead, right int) {
	cos, sin := roomCosine(b.heading), roomSine(b.heading)
	dx, dy := x-b.x, y-b.y
	return fixTimes(dx, cos) + fixTimes(dy, sin), fixTimes(dy, cos) - fixTimes(dx, sin)
}

// near reports whether a place is within reach.
func (b *body) near(x, y, reach int) bool {
	dx, dy := x-b.x, y-b.y
	return fixTimes(dx, dx)+fixTimes(dy, dy) <= fixTimes(reach, reach)
}
