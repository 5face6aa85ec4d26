package envs

// Mapped is a finite world whose picture shows every state, so the page can draw a policy in it.
type Mapped interface {
	Finite
	// Position is the centre of where Draw would set the agent in state s, in units of Spec.View, and half the size
	// of its place there. ok is false where the picture of the present state shows s nowhere.
	Position(s int) (x, y, size float32, ok bool)
}

func (g *grid) position(s int) (x, y, size float32, ok bool) {
	at := g.cells[s]
	return float32(at.col) + .5, float32(at.row) + .5, .5, true
}

func (w *cliff) Position(s int) (x, y, size float32, ok bool)     { return cliffGrid.position(s) }
func (w *fourRooms) Position(s int) (x, y, size float32, ok bool) { return fourRoomsGrid.position(s) }

func (w *garnet) Position(s int) (x, y, size float32, ok bool) {
	x, y = w.position(s)
	return x, y, .5 * min(1, 20/float32(w.mdp.States)), true
}

func (w *chain) Position(s int) (x, y, size float32, ok bool) {
	x, y = w.spot(s)
	return x, y, .5, true
}

func (w *deepSea) Position(s int) (x, y, size float32, ok bool) {
	row, col := seaCell(s)
	return float32(col) + .5, float32(row) + .5, .5, true
}

func (w *bandit) Position(s int) (x, y, size float32, ok bool) {
	return [...]float32{2.5, 1, 4}[s], [...]float32{3.3, 2.6, 2.6}[s], .5, true
}

// Position leaves out the states of the other sign, and the part of a long corridor that is not in the picture.
func (w *tMaze) Position(s int) (x, y, size float32, ok bool) {
	sign, place := w.split(s)
	now, _ := w.split(w.at)
	first, seen := w.window()
	x, y = float32(min(place, w.length)-first)+1, 2.5
	switch place {
	case w.length + 1:
		y--
	case w.length + 2:
		y++
	}
	return x, y, .5, sign == now && x > 0 && x < float32(seen)+2
}
