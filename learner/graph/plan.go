package graph

import (
	"fmt"

	"impalab/learner/net"
)

// Plan runs one network forwards and backwards on T steps of B trajectories. It owns every buffer, allocates
// nothing after New, and belongs to one goroutine. Plans share θ by reading it.
type Plan struct {
	forward, backward, tangent []step

	theta, input, state, keep, dLogits, dValues, grad, u argument

	out   outputs
	cores []coreCells

	lowerTangent func() error
}

// outputs is where a plan leaves its results: logits [rows, Actions], values [rows, Values], and the tangents of both.
type outputs struct {
	logits, values, tLogits, tValues []float32
	actions, perRow                  int
}

func newOutputs(rows, actions, values int) outputs {
	return outputs{
		logits: make([]float32, rows*actions), values: make([]float32, rows*values),
		tLogits: make([]float32, rows*actions), tValues: make([]float32, rows*values),
		actions: actions, perRow: values,
	}
}

// rows is the part of rows from to to, where a shard leaves its results.
func (o outputs) rows(from, to int) outputs {
	a, v := o.actions, o.perRow
	return outputs{
		logits: o.logits[from*a : to*a], values: o.values[from*v : to*v],
		tLogits: o.tLogits[from*a : to*a], tValues: o.tValues[from*v : to*v],
		actions: a, perRow: v,
	}
}

// coreCells is one LSTM: its cells as the last Forward wrote them.
type coreCells struct {
	cells            []float32
	width, units, at int
}

// New builds the graph of spec for t ≥ 1 steps of b ≥ 1 trajectories and lowers it.
func New(spec net.Spec, t, b int) (*Plan, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if t < 1 || b < 1 {
		return nil, fmt.Errorf("a plan for %d steps of %d trajectories: give at least 1 of each", t, b)
	}
	nw, err := newNetwork(spec, t, b)
	if err != nil {
		return nil, fmt.Errorf("the graph of the network: %w", err)
	}
	return nw.plan(newOutputs(t*b, spec.Actions, nw.values))
}

// plan lowers the network, with its results in out.
func (nw *network) plan(out outputs) (*Plan, error) {
	p := &Plan{out: out}
	l := newLowering()
	l.memory[nw.logits], l.memory[nw.tLogits] = out.logits, out.tLogits
	l.memory[nw.value], l.memory[nw.tValues] = out.values, out.tValues
	l.window(nw.input, &p.input, 0)
	if nw.state != nil {
		l.window(nw.state, &p.state, 0)
		l.window(nw.keep, &p.keep, 0)
	}
	l.window(nw.dLogits, &p.dLogits, 0)
	l.window(nw.dValues, &p.dValues, 0)
	for _, t := range nw.params {
		l.window(t.theta, &p.theta, t.off)
		l.window(t.grad, &p.grad, t.off)
		l.window(t.u, &p.u, t.off)
	}

	var err error
	if p.forward, err = l.list(nw.logits, nw.value); err != nil {
		return nil, err
	}
	for _, c := range nw.cores {
		p.cores = append(p.cores, coreCells{l.memory[c.cells], c.cells.Shape()[1], c.units, c.at})
	}
	if p.backward, err = l.list(nw.grads()...); err != nil {
		return nil, err
	}
	p.lowerTangent = func() (err error) {
		p.tangent, err = l.list(nw.tLogits, nw.tValues)
		return err
	}
	return p, nil
}

// PrepareTangent makes Tangent possible, before the first Forward. It takes half as much memory again, and few
// algorithms need it.
func (p *Plan) PrepareTangent() error { return p.lowerTangent() }

// Forward computes logits [rows, Actions] and values [rows, Values] of input [rows, Inputs] under θ. A recurrent
// network begins from state [B, States], and forgets it before the steps where keep [rows] is 0; others look at
// neither. The results are views of the plan's buffers, good until the next Forward.
func (p *Plan) Forward(theta, input, state, keep []float32) (logits, values []float32) {
	p.theta.bind(theta)
	p.input.bind(input)
	if len(p.cores) > 0 {
		p.state.bind(state)
		p.keep.bind(keep)
	}
	run(p.forward)
	return p.out.logits, p.out.values
}

// StateAfter writes the recurrent state [States] that the last Forward left after a row.
func (p *Plan) StateAfter(row int, state []float32) {
	for _, c := range p.cores {
		copy(state[c.at:c.at+2*c.units], c.cells[row*c.width:]) // h, then c, lead each row of the cells
	}
}

// Backward writes the gradient of the last Forward: grad = Jᵀ·(dLogits, dValues), the whole of it, in the
// layout of θ. θ and what went in must still be what that Forward saw.
func (p *Plan) Backward(grad, dLogits, dValues []float32) {
	p.grad.bind(grad)
	p.dLogits.bind(dLogits)
	p.dValues.bind(dValues)
	run(p.backward)
}

// Tangent gives the directional derivative of the last Forward's outputs, J·u: how logits and values
// begin to move when θ moves along u. The results are views of the plan's buffers.
func (p *Plan) Tangent(u []float32) (tLogits, tValues []float32) {
	if p.tangent == nil {
		panic("graph: Tangent needs PrepareTangent")
	}
	p.u.bind(u)
	run(p.tangent)
	return p.out.tLogits, p.out.tValues
}
