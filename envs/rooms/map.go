package rooms

import "impalab/envs/world"

// A room's map is a small grid of cells, made from a seed for every episode: walls, their decoration, floors. It takes
// no memory from outside itself, so a reset allocates nothing.

const roomSide = 13 // cells of the largest map, each way

// The kinds of cells for a walking body.
const (
	cellOpen uint8 = iota
	cellWall
	cellDoor // shut
)

// Sides of a cell, by where they look: east, south, west, north.
var sideStep = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}

type roomMap struct {
	side  int // cells each way
	solid [roomSide * roomSide]uint8
	face  [roomSide * roomSide][4]uint8 // picture on each side of a wall
	floor [roomSide * roomSide]uint8    // picture on the floor
}

func (m *roomMap) at(x, y int) int { return y*m.side + x }

// open reports whether a body may be at a place. A place outside the map is closed.
func (m *roomMap) open(x, y int) bool {
	x, y = x>>16, y>>16
	return uint(x) < uint(m.side) && uint(y) < uint(m.side) && m.solid[m.at(x, y)] == cellOpen
}

// blank makes a map of one solid, or of one hall within a border.
func (m *roomMap) blank(side int, hall bool) {
	m.side = side
	for y := range side {
		for x := range side {
			i := m.at(x, y)
			m.solid[i] = cellWall
			if hall && x > 0 && y > 0 && x < side-1 && y < side-1 {
				m.solid[i] = cellOpen
			}
			m.floor[i] = pictureFloor
		}
	}
}

// pillars puts a pillar at a crossing of an even row and column with the probability some/256. With the probability
// lean/256 a wall joins the pillar to the next crossing east or south. Walls then grow together only eastward and
// southward, and no group of them meets the border twice or itself again: every open cell stays within reach of every
// other.
func (m *roomMap) pillars(r *world.Rand, some, lean int) {
	for y := 2; y < m.side-1; y += 2 {
		for x := 2; x < m.side-1; x += 2 {
			if r.IntN(256) >= some {
				continue
			}
			m.solid[m.at(x, y)] = cellWall
			if r.IntN(256) < lean {
				step := sideStep[r.IntN(2)]
				m.solid[m.at(x+step[0], y+step[1])] = cellWall
			}
		}
	}
}

// maze carves corridors through a solid map: a walk that goes back where it is stuck reaches every odd cell once.
// Some of 256 of the walls left between two corridors then fall, so that there is more than one way.
func (m *roomMap) maze(r *world.Rand, some int) {
	var trail [roomSide * roomSide]int
	m.solid[m.at(1, 1)] = cellOpen
	trail[0] = m.at(1, 1)
	for n := 1; n > 0; {
		x, y := trail[n-1]%m.side, trail[n-1]/m.side
		var ways [4]int
		found := 0
		for way, step := range sideStep {
			nx, ny := x+2*step[0], y+2*step[1]
			if nx > 0 && ny > 0 && nx < m.side && ny < m.side && m.solid[m.at(nx, ny)] == cellWall {
				ways[found] = way
				found++
			}
		}
		if found == 0 {
			n--
			continue
		}
		step := sideStep[ways[r.IntN(found)]]
		m.solid[m.at(x+step[0], y+step[1])] = cellOpen
		trail[n] = m.at(x+2*step[0], y+2*step[1])
		m.solid[trail[n]] = cellOpen
		n++
	}
	for y := 1; y < m.side-1; y++ {
		for x := 1; x < m.side-1; x++ {
			if (x+y)%2 == 1 && m.solid[m.at(x, y)] == cellWall && r.IntN(256) < some {
				m.solid[m.at(x, y)] = cellOpen
			}
		}
	}
}

// decorate hangs pictures on some of 256 of the walls, for finding one's way, and lays the other floor in a few cells.
func (m *roomMap) decorate(r *world.Rand, some int) {
	for i := range m.side * m.side {
		for side := range m.face[i] {
			m.face[i][side] = pictureWall
			if r.IntN(256) < some {
				m.face[i][side] = picturePoster + uint8(r.IntN(posters))
			}
		}
		if r.IntN(8) == 0 {
			m.floor[i] = pictureFloorToo
		}
	}
}

// anywhere takes an open cell by chance and gives its middle.
func (m *roomMap) anywhere(r *world.Rand) (x, y int) {
	for {
		cx, cy := r.IntN(m.side), r.IntN(m.side)
		if m.solid[m.at(cx, cy)] == cellOpen {
			return roomMiddle(cx), roomMiddle(cy)
		}
	}
}

func roomMiddle(cell int) int { return cell<<16 + fixOne/2 }

// sees reports whether the straight line between two places has no solid cell. It tests every sixteenth of a cell.
func (m *roomMap) sees(x0, y0, x1, y1 int) bool {
	n := max(fixAbs(x1-x0), fixAbs(y1-y0))>>12 + 1
	dx, dy := (x1-x0)/n, (y1-y0)/n
	for range n - 1 {
		x0, y0 = x0+dx, y0+dy
		if !m.open(x0, y0) {
			return false
		}
	}
	return true
}

func fixAbs(x int) int { return max(x, -x) }
