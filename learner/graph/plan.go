package graph

import (
	"fmt"

	"impalab/learner/net"
)

// Plan runs one network forwards and backwards on a fixed number of rows. It owns every buffer, allocates
// nothing after New, and belongs to one goroutine. Plans share θ by reading it.
type Plan struct {
	forward, backward, tangent []step

	theta, obs, dLogits, dValues, grad, u argument

	out outputs
}

// outputs is where a plan leaves its results: logits [rows, Actions], values [rows], and the tangents of both.
type outputs struct{ logits, values, tLogits, tValues []float32 }

func newOutputs(rows, actions int) outputs {
	return outputs{
		logits: make([]float32, rows*actions), values: make([]float32, rows),
		tLogits: make([]float32, rows*actions), tValues: make([]float32, rows),
	}
}

// rows is the part of rows from to to, where a shard leaves its results.
func (o outputs) rows(from, to int) outputs {
	actions := len(o.logits) / len(o.values)
	return outputs{
		logits: o.logits[from*actions : to*actions], values: o.values[from:to],
		tLogits: o.tLogits[from*actions : to*actions], tValues: o.tValues[from:to],
	}
}

// New builds the graph of spec for rows ≥ 1 rows and lowers it.
func New(spec net.Spec, rows int) (*Plan, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if rows < 1 {
		return nil, fmt.Errorf("a plan for %d rows: give at least 1", rows)
	}
	nw, err := newNetwork(spec, rows)
	if err != nil {
		return nil, fmt.Errorf("the graph of the network: %w", err)
	}
	return nw.plan(newOutputs(rows, spec.Actions))
}

// plan lowers the network, with its results in out.
func (nw *network) plan(out outputs) (*Plan, error) {
	p := &Plan{out: out}
	l := newLowering()
	l.memory[nw.logits], l.memory[nw.tLogits] = out.logits, out.tLogits
	l.memory[nw.values], l.memory[nw.tValues] = out.values, out.tValues
	l.window(nw.obs, &p.obs, 0)
	l.window(nw.dLogits, &p.dLogits, 0)
	l.window(nw.dValues, &p.dValues, 0)
	for _, t := range nw.params {
		l.window(t.theta, &p.theta, t.off)
		l.window(t.grad, &p.grad, t.off)
		l.window(t.u, &p.u, t.off)
	}

	var err error
	if p.forward, err = l.list(nw.logits, nw.values); err != nil {
		return nil, err
	}
	if p.backward, err = l.list(nw.grads()...); err != nil {
		return nil, err
	}
	p.tangent, err = l.list(nw.tLogits, nw.tValues)
	return p, err
}

// Forward computes logits [rows, Actions] and values [rows] of obs [rows, Obs] under θ. The results are
// views of the plan's buffers, good until the next Forward.
func (p *Plan) Forward(theta, obs []float32) (logits, values []float32) {
	p.theta.bind(theta)
	p.obs.bind(obs)
	run(p.forward)
	return p.out.logits, p.out.values
}

// Backward writes the gradient of the last Forward: grad = Jᵀ·(dLogits, dValues), the whole of it, in the
// layout of θ. θ and obs must still be what that Forward saw.
func (p *Plan) Backward(grad, dLogits, dValues []float32) {
	p.grad.bind(grad)
	p.dLogits.bind(dLogits)
	p.dValues.bind(dValues)
	run(p.backward)
}

// Tangent gives the directional derivative of the last Forward's outputs, J·u: how logits and values
// begin to move when θ moves along u. The results are views of the plan's buffers.
func (p *Plan) Tangent(u []float32) (tLogits, tValues []float32) {
	p.u.bind(u)
	run(p.tangent)
	return p.out.tLogits, p.out.tValues
}
