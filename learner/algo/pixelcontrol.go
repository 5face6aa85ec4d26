package algo

import (
	"math"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// pixelControl computes pixel control (loss/control.go). The network's rows have its columns behind the policy's. It
// removes them, so the algorithms see a policy alone. Its zero value changes nothing.
type pixelControl struct {
	cells          loss.Cells
	actions, width int // of the policy; columns of a row of the network, without the values

	batch    *traj.Batch // in the update in progress
	wide     []float32   // [T·B, width] outputs of the network
	logits   []float32   // [T·B, actions]
	dWide    []float32   // [T·B, width]
	returns  []float32   // [T·B, cells] pseudo-rewards, then R
	discount []float32   // [T·B]
	final    []float32   // [B + cuts, cells] max_a Q of the rows of the batch's Tail
	sums     []float64   // losses of each part of the batch
	see      func(t int) // changes, bound once
}

func newControl(spec *net.Spec, cfg *hyper.Config, parts int) pixelControl {
	h, w, c := spec.Image[0], spec.Image[1], spec.Image[2]
	rows, flat := cfg.UnrollLen*cfg.Share(), spec.Flat()
	return pixelControl{
		cells:   loss.Cells{Height: h, Width: w, Channels: c, Side: spec.CellSide},
		actions: spec.Actions, width: flat.Actions, logits: make([]float32, rows*spec.Actions),
		dWide: make([]float32, rows*flat.Actions), returns: make([]float32, rows*spec.Cells()),
		discount: make([]float32, rows), sums: make([]float64, parts),
	}
}

func (c *pixelControl) on() bool { return c.width > 0 }

// begin computes the pseudo-rewards of a batch, which need no network.
func (c *pixelControl) begin(b *traj.Batch, crew *schedule.Pool) {
	if !c.on() {
		return
	}
	if c.see == nil {
		c.see = c.changes
	}
	n := (b.B + len(b.Cuts)) * c.cells.Count()
	c.batch, c.final = b, grow(c.final, n)
	crew.Each(b.T, c.see)
	for k, at := range b.Cuts {
		c.change(at, b.Tail[(b.B+k)*b.Size:])
	}
}

// changes does the work of begin for step t of the trajectories that continue after it.
func (c *pixelControl) changes(t int) {
	b, n := c.batch, c.cells.Count()
	for i := range b.B {
		row := t*b.B + i
		c.discount[row] = loss.ControlDiscount
		after := b.Tail[i*b.Size:]
		if t+1 < b.T {
			after = b.Obs[(row+b.B)*b.Size:]
		}
		if envs.End(b.End[row]) == envs.Running {
			c.change(row, after)
			continue
		}
		c.discount[row] = 0
		clear(c.returns[row*n : (row+1)*n])
	}
}

func (c *pixelControl) change(row int, after []float32) {
	n, b := c.cells.Count(), c.batch
	size := c.cells.Height * c.cells.Width * c.cells.Channels // the feedback behind it does not count
	loss.Change(c.returns[row*n:(row+1)*n], c.cells, b.Obs[row*b.Size:row*b.Size+size], after[:size])
}

// policy returns the policy's columns of all rows of the network's outputs. Rows from to to−1 are new.
func (c *pixelControl) policy(wide []float32, from, to int) []float32 {
	if !c.on() {
		return wide
	}
	c.narrow(c.logits[from*c.actions:to*c.actions], wide[from*c.width:])
	return c.logits
}

// narrow copies the policy's columns out of the network's rows.
func (c *pixelControl) narrow(logits, wide []float32) {
	if !c.on() {
		copy(logits, wide)
		return
	}
	for i := range len(logits) / c.actions {
		copy(logits[i*c.actions:(i+1)*c.actions], wide[i*c.width:])
	}
}

// tail takes the outputs of n rows of the batch's Tail from row from on.
func (c *pixelControl) tail(from, n int, wide []float32) {
	if !c.on() {
		return
	}
	cells := c.cells.Count()
	for i := range n {
		to := (from + i) * cells
		loss.ControlRange(nil, c.final[to:to+cells], wide[i*c.width+c.actions:(i+1)*c.width])
	}
}

// target computes the returns of trajectories from to to−1. Their rows of the Tail are present.
func (c *pixelControl) target(from, to int) {
	if !c.on() {
		return
	}
	b, n := c.batch, c.cells.Count()
	for k, at := range b.Cuts {
		if at%b.B < from || at%b.B >= to {
			continue
		}
		for i, q := range c.final[(b.B+k)*n : (b.B+k+1)*n] {
			c.returns[at*n+i] += float32(loss.ControlDiscount * q)
		}
	}
	loss.ControlReturns(c.returns, c.discount, c.final[:b.B*n], b.B, n, from, to)
}

// losses computes the loss of rows from to to−1, which belong to one part, and its derivative.
func (c *pixelControl) losses(part, from, to int, cfg *hyper.Config) {
	if !c.on() {
		return
	}
	b, n := c.batch, c.cells.Count()
	cost := cfg.PixelControl * scaleOf(b, cfg)
	for row := from; row < to; row++ {
		head, w := c.wide[row*c.width+c.actions:(row+1)*c.width], b.Weight[row]
		c.sums[part] += float64(float64(w) * loss.Control(c.dWide[row*c.width+c.actions:(row+1)*c.width], head,
			c.returns[row*n:(row+1)*n], int(b.Action[row]), float32(cost)*w))
	}
}

// widen joins the derivatives of the policy's columns and of control's own, for rows from to to−1.
func (c *pixelControl) widen(dLogits []float32, from, to int) []float32 {
	if !c.on() {
		return dLogits
	}
	for row := from; row < to; row++ {
		copy(c.dWide[row*c.width:row*c.width+c.actions], dLogits[row*c.actions:(row+1)*c.actions])
	}
	return c.dWide
}

// learn runs target and losses on a whole batch, after its Forward and Tail.
func (c *pixelControl) learn(cfg *hyper.Config) {
	if c.on() {
		c.target(0, c.batch.B)
		clear(c.sums)
		c.losses(0, 0, c.batch.T*c.batch.B, cfg)
	}
}

// report reports the error of the cells' values.
func (c *pixelControl) report(out *telemetry.Update) {
	if !c.on() {
		return
	}
	total := 0.0
	for _, sum := range c.sums {
		total += sum
	}
	out.AlgoValues.Add(telemetry.ControlError, math.Sqrt(total/float64(len(c.returns))), math.Inf(1))
}
