package envs

// Grid worlds are drawn with runes, as they look: '#' wall, '.' floor, 'S' start, 'G' goal, 'x' a fall. Goal and
// fall end the episode. All cells but walls are states, numbered in reading order.

// grid is a map of cells and the numbers of the cells that are not wall.
type grid struct {
	rows   []string
	number [][]int // [row][column]; −1: wall
	cells  []cell
}

type cell struct{ row, col int }

// pay is the reward for arriving in a cell.
type pay struct{ goal, fall, step float32 }

func (p pay) at(rune byte) float32 {
	switch rune {
	case 'G':
		return p.goal
	case 'x':
		return p.fall
	}
	return p.step
}

// The four ways to go, in the order of the actions.
var (
	compass     = []string{"up", "right", "down", "left"}
	compassMove = [4]cell{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}
)

func newGrid(rows ...string) *grid {
	g := &grid{rows: rows}
	for r, row := range rows {
		g.number = append(g.number, make([]int, len(row)))
		for c := range row {
			g.number[r][c] = -1
			if row[c] != '#' {
				g.number[r][c] = len(g.cells)
				g.cells = append(g.cells, cell{r, c})
			}
		}
	}
	return g
}

func (g *grid) rune(c cell) byte { return g.rows[c.row][c.col] }

// mdp lets an action go its way with probability 1−slip and any of the four ways, this one too, with probability slip.
// A step into a wall or off the map leaves the agent where it is. Episodes begin on 'S', or, if there is none,
// anywhere.
func (g *grid) mdp(slip float64, pay pay) *MDP {
	n := len(g.cells)
	m := &MDP{States: n, Actions: 4, Next: make([][]Branch, 4*n), Over: make([]bool, n), Start: make([]float64, n)}
	var starts, floors []int
	for s, at := range g.cells {
		switch g.rune(at) {
		case 'G', 'x':
			m.Over[s] = true
			continue
		case 'S':
			starts = append(starts, s)
		}
		floors = append(floors, s)
		for action := range compassMove {
			m.Next[4*s+action] = g.branches(s, action, slip, pay)
		}
	}
	if starts == nil {
		starts = floors
	}
	for _, s := range starts {
		m.Start[s] = 1 / float64(len(starts))
	}
	return m
}

// branches lists where an action may lead, each cell once, the intended one first.
func (g *grid) branches(from, action int, slip float64, pay pay) []Branch {
	var list []Branch
	for turn := range 4 {
		p := slip / 4
		if turn == 0 {
			p += 1 - slip
		}
		to := g.step(from, (action+turn)%4)
		known := false
		for i := range list {
			if list[i].To == to {
				list[i].P += p
				known = true
			}
		}
		if !known && p > 0 {
			list = append(list, Branch{p, to, pay.at(g.rune(g.cells[to]))})
		}
	}
	return list
}

func (g *grid) step(from, way int) int {
	at, move := g.cells[from], compassMove[way]
	row, col := at.row+move.row, at.col+move.col
	if row < 0 || row >= len(g.rows) || col < 0 || col >= len(g.rows[row]) || g.number[row][col] < 0 {
		return from
	}
	return g.number[row][col]
}

// draw paints the map, the trail and the agent; a cell is a unit square.
func (g *grid) draw(c Canvas, w *finite) {
	height, width := float32(len(g.rows)), float32(len(g.rows[0]))
	floor(c, width, height)
	for r, row := range g.rows {
		for i := range row {
			x, y := float32(i), float32(r)
			switch row[i] {
			case '#':
				c.Rect(x, y, 1, 1, Wall)
			case 'x':
				c.Rect(x, y, 1, 1, Harm)
			case 'G':
				c.Rect(x+.12, y+.12, .76, .76, Prize)
			}
		}
	}
	for i, s := range w.trail {
		if s >= 0 {
			at := g.cells[s]
			c.Circle(float32(at.col)+.5, float32(at.row)+.5, .17-.022*float32(i), Past)
		}
	}
	at := g.cells[w.at]
	c.Circle(float32(at.col)+.5, float32(at.row)+.5, .33, Agent)
}

// floor paints a board of unit cells, width × height of them, with hairlines between.
func floor(c Canvas, width, height float32) {
	c.Rect(0, 0, width, height, Ground)
	for x := float32(1); x < width; x++ {
		c.Line(x, 0, x, height, .02, Faint)
	}
	for y := float32(1); y < height; y++ {
		c.Line(0, y, width, y, .02, Faint)
	}
}

// bar is a rectangle with round ends.
func bar(c Canvas, x, y, w, h float32, ink Ink) {
	r := h / 2
	c.Circle(x+r, y+r, r, ink)
	c.Circle(x+w-r, y+r, r, ink)
	c.Rect(x+r, y, w-h, h, ink)
}
