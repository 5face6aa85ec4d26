package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/kernel"
	"impalab/learner/net"
)

// network is a net.Spec as a Gorgonia graph for T steps of B trajectories, a row each. Outputs, gradients and
// directional derivatives are nodes of one graph, and a program is lowered from the requested nodes.
type network struct {
	rows, values int            // T·B, and values in a row
	input        *gorgonia.Node // [rows, Inputs]
	state, keep  *gorgonia.Node // of a recurrent network: [B, States], [rows]; nil otherwise
	params       []param        // in the order of θ
	cores        []core         // its LSTMs
	outs         gorgonia.Nodes // of each layer, [rows, Out]

	logits, value    *gorgonia.Node // [rows, Actions], [rows, Values]
	dLogits, dValues *gorgonia.Node // ∂L/∂logits, ∂L/∂values: inputs, the algorithm's own mathematics

	tLogits, tValues *gorgonia.Node // J·u: how the outputs move when θ moves along u
}

// param is one tensor of parameters and its window of θ, of the gradient and of a direction u.
type param struct {
	theta, grad, u *gorgonia.Node
	off, n         int
}

// core is one LSTM: its cells node, which holds h and c of every step, and where its state lies in a row of states.
// With a memory it is one attention, and its cells are n of every step, which it remembers.
type core struct {
	cells             *gorgonia.Node
	units, at, memory int
}

func newNetwork(spec net.Spec, t, b int) (*network, error) {
	g := gorgonia.NewGraph()
	rows := t * b
	nw := &network{
		rows:    rows,
		values:  max(1, spec.Values),
		input:   matrix(g, "input", rows, spec.Inputs()),
		dLogits: matrix(g, "dLogits", rows, spec.Actions),
		dValues: matrix(g, "dValues", rows, max(1, spec.Values)),
	}
	if spec.States() > 0 {
		nw.state, nw.keep = matrix(g, "state", b, spec.States()), vector(g, "keep", rows)
	}
	if err := nw.forward(g, spec, t); err != nil {
		return nil, err
	}
	// Attention does not know the derivatives of its own derivatives.
	if err := nw.backward(spec.TrXL == 0); err != nil {
		return nil, err
	}
	return nw, nil
}

func (nw *network) forward(g *gorgonia.ExprGraph, spec net.Spec, t int) (err error) {
	obs, feedback := nw.input, (*gorgonia.Node)(nil)
	if spec.Feedback > 0 {
		if obs, err = apply(columns{0, spec.Obs}, nw.input); err != nil {
			return err
		}
		if feedback, err = apply(columns{spec.Obs, spec.Feedback}, nw.input); err != nil {
			return err
		}
	}
	layers := spec.Layers()
	for i := range layers {
		l := &layers[i]
		in := make(gorgonia.Nodes, len(l.From))
		for j, from := range l.From {
			switch from {
			case net.Observation:
				in[j] = obs
			case net.Feedback:
				in[j] = feedback
			default:
				in[j] = nw.outs[from]
			}
		}
		y, err := nw.layer(g, l, in, t)
		if err != nil {
			return fmt.Errorf("layer %s: %w", l.Name, err)
		}
		nw.outs = append(nw.outs, y)
	}
	heads := nw.outs[len(layers)-1]
	if nw.logits, err = apply(columns{0, spec.Actions}, heads); err != nil {
		return err
	}
	nw.value, err = apply(columns{spec.Actions, nw.values}, heads)
	return err
}

// layer turns each kind of layer into operations. A new kind of layer gets its case here.
func (nw *network) layer(g *gorgonia.ExprGraph, l *net.Layer, in gorgonia.Nodes, t int) (*gorgonia.Node, error) {
	var w, b *gorgonia.Node
	if rows, cols, bias := l.Shape(); rows > 0 {
		w = matrix(g, l.Name+".W", rows, cols)
		nw.params = append(nw.params, param{theta: w, u: matrix(g, "u."+l.Name+".W", rows, cols), off: l.W, n: rows * cols})
		if bias > 0 {
			b = vector(g, l.Name+".b", bias)
			nw.params = append(nw.params, param{theta: b, u: vector(g, "u."+l.Name+".b", bias), off: l.B, n: bias})
		}
	}
	switch l.Kind {
	case net.Dense:
		return apply(dense{l.Act}, in[0], w, b)
	case net.Conv:
		return apply(convLayer{l.Filter, l.Act}, in[0], w, b)
	case net.Pool:
		return apply(pool{l.Window}, in[0])
	case net.Activate:
		return apply(activate{l.Act}, in[0])
	case net.Add:
		return apply(sum{n: 2, rank: 2}, in...)
	case net.Join:
		parts, at := make(gorgonia.Nodes, len(in)), 0
		for i, x := range in {
			var err error
			if parts[i], err = apply(place{at, l.Out}, x); err != nil {
				return nil, err
			}
			at += x.Shape()[1]
		}
		return apply(sum{n: len(parts), rank: 2}, parts...)
	case net.LSTM:
		state, err := apply(columns{l.State, 2 * l.Out}, nw.state)
		if err != nil {
			return nil, err
		}
		cells, err := apply(lstm{t}, in[0], w, state, nw.keep)
		if err != nil {
			return nil, err
		}
		nw.cores = append(nw.cores, core{cells: cells, units: l.Out, at: l.State})
		return apply(columns{0, l.Out}, cells)
	case net.Norm:
		return apply(norm{}, in[0])
	case net.Multiply:
		return apply(multiply{}, in...)
	case net.Mix:
		return mix(in[0], in[1], in[2])
	case net.Attend:
		state, err := apply(columns{l.State, kernel.MemorySize(l.Out, l.Memory)}, nw.state)
		if err != nil {
			return nil, err
		}
		cells, err := apply(attend{t, l.Heads, l.Memory}, in[0], in[1], w, state, nw.keep)
		if err != nil {
			return nil, err
		}
		nw.cores = append(nw.cores, core{cells: in[0], units: l.Out, at: l.State, memory: l.Memory})
		return apply(columns{0, l.Out}, cells)
	}
	return nil, fmt.Errorf("kind %d is unknown", l.Kind)
}

func (nw *network) backward(tangent bool) error {
	var theta, u gorgonia.Nodes
	for _, p := range nw.params {
		theta, u = append(theta, p.theta), append(u, p.u)
	}
	cotangents := gorgonia.Nodes{nw.dLogits, nw.dValues}

	// c ↦ Jᵀ·c: the gradient of ⟨c, outputs⟩.
	grads, err := reverse(gorgonia.Nodes{nw.logits, nw.value}, cotangents, theta)
	if err != nil {
		return err
	}
	for i := range nw.params {
		nw.params[i].grad = grads[i]
	}
	if !tangent {
		return nil
	}
	// Jᵀ·c is linear in c, so its own derivative along u is the transpose of Jᵀ: J·u. Forward mode
	// comes from the same operations, without a second set of rules.
	tangents, err := reverse(grads, u, cotangents)
	if err != nil {
		return err
	}
	nw.tLogits, nw.tValues = tangents[0], tangents[1]
	return nil
}

func (nw *network) grads() gorgonia.Nodes {
	var grads gorgonia.Nodes
	for _, p := range nw.params {
		grads = append(grads, p.grad)
	}
	return grads
}

func matrix(g *gorgonia.ExprGraph, name string, rows, cols int) *gorgonia.Node {
	return gorgonia.NewMatrix(g, tensor.Float32, gorgonia.WithShape(rows, cols), gorgonia.WithName(name))
}

func vector(g *gorgonia.ExprGraph, name string, n int) *gorgonia.Node {
	return gorgonia.NewVector(g, tensor.Float32, gorgonia.WithShape(n), gorgonia.WithName(name))
}
