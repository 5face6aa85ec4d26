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

	logits, values   []float32
	tLogits, tValues []float32
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
	return nw.plan(make([]float32, rows*spec.Actions), make([]float32, rows))
}

// plan lowers the network. Its outputs land in logits and values, so that a shard can write its rows of
// a whole batch.
func (nw *network) plan(logits, values []float32) (*Plan, error) {
	p := &Plan{
		logits: logits, tLogits: make([]float32, len(logits)),
		values: values, tValues: make([]float32, len(values)),
	}
	l := newLowering()
	l.memory[nw.logits], l.memory[nw.tLogits] = logits, p.tLogits
	l.memory[nw.values], l.memory[nw.tValues] = values, p.tValues
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
	return p.logits, p.values
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
	return p.tLogits, p.tValues
}
