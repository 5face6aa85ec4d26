package envs

// Mapped is a finite world whose picture has a place for every state, so the page can draw a policy in its places.
type Mapped interface {
	Finite
	// Place is the centre of where Draw would set the agent in state s, in units of Spec.View, and half the room
	// that the state has there. ok is false where the picture of the present state shows s nowhere.
	Place(s int) (x, y, room float32, ok bool)
}

func (g *grid) place(s int) (x, y, room float32, ok bool) {
	at := g.cells[s]
	return float32(at.col) + .5, float32(at.row) + .5, .5, true
}

func (w *cliff) Place(s int) (x, y, room float32, ok bool)     { return cliffGrid.place(s) }
func (w *fourRooms) Place(s int) (x, y, room float32, ok bool) { return fourRoomsGrid.place(s) }

func (w *garnet) Place(s int) (x, y, room float32, ok bool) {
	x, y = w.place(s)
	return x, y, .5 * min(1, 20/float32(w.mdp.States)), true
}

func (w *chain) Place(s int) (x, y, room float32, ok bool) {
	x, y = w.spot(s)
	return x, y, .5, true
}

func (w *deepSea) Place(s int) (x, y, room float32, ok bool) {
	row, col := seaCell(s)
	return float32(col) + .5, float32(row) + .5, .5, true
}

func (w *bandit) Place(s int) (x, y, room float32, ok bool) {
	return [...]float32{2.5, 1, 4}[s], [...]float32{3.3, 2.6, 2.6}[s], .5, true
}

// Place leaves out the states of the other sign, and the part of a long corridor that is not in the picture.
func (w *tMaze) Place(s int) (x, y, room float32, ok bool) {
	sign, place := w.place(s)
	now, _ := w.place(w.at)
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
