package play

import (
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/web/wire"
)

// cells reads pixel control for people: the squares of the observation, and how far the actions move their values.
type cells struct {
	loss.Cells
	least, most []float32 // min_a Q and max_a Q of each cell
}

// newCells returns nil for a network without pixel control.
func newCells(spec *net.Spec) *cells {
	if spec.CellSide == 0 {
		return nil
	}
	n := spec.Cells()
	return &cells{
		Cells: loss.Cells{Height: spec.Image[0], Width: spec.Image[1], Channels: spec.Image[2], Side: spec.CellSide},
		least: make([]float32, n), most: make([]float32, n),
	}
}

// see returns the cells of an observation, whose columns of pixel control are head.
func (c *cells) see(obs, head []float32) []wire.Cell {
	if c == nil {
		return nil
	}
	loss.ControlRange(c.least, c.most, head)
	seen := make([]wire.Cell, c.Count())
	for i := range seen {
		seen[i] = wire.Cell{Light: c.light(obs, i), Reach: c.most[i] - c.least[i]}
	}
	return seen
}

// light is the mean of the numbers of cell i.
func (c *cells) light(obs []float32, i int) (mean float32) {
	at, wide := c.Offset(i), c.Side*c.Channels
	for range c.Side {
		for _, x := range obs[at : at+wide] {
			mean += x
		}
		at += c.Width * c.Channels
	}
	return mean / float32(c.Side*wide)
}
