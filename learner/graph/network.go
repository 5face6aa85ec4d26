package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/net"
)

// network is a net.Spec as a Gorgonia graph for a fixed number of rows. Outputs, gradients and
// directional derivatives are nodes of one graph; a plan is lowered from whichever are asked for.
type network struct {
	obs    *gorgonia.Node // [rows, Obs]
	params []param        // in the order of θ

	logits, values   *gorgonia.Node // [rows, Actions], [rows, 1]
	dLogits, dValues *gorgonia.Node // ∂L/∂logits, ∂L/∂values: inputs, the algorithm's own mathematics

	tLogits, tValues *gorgonia.Node // J·u: how the outputs move when θ moves along u
}

// param is one tensor of parameters and its window of θ, of the gradient and of a direction u.
type param struct {
	theta, grad, u *gorgonia.Node
	off, n         int
}

func newNetwork(spec net.Spec, rows int) (*network, error) {
	g := gorgonia.NewGraph()
	nw := &network{
		obs:     matrix(g, "obs", rows, spec.Obs),
		dLogits: matrix(g, "dLogits", rows, spec.Actions),
		dValues: matrix(g, "dValues", rows, 1),
	}
	if err := nw.forward(g, spec); err != nil {
		return nil, err
	}
	if err := nw.backward(); err != nil {
		return nil, err
	}
	return nw, nil
}

// forward is the place where a network's shape is written down: a new kind of layer is applied here.
func (nw *network) forward(g *gorgonia.ExprGraph, spec net.Spec) (err error) {
	x := nw.obs
	for _, l := range spec.Layers() {
		w := matrix(g, l.Name+".W", l.In, l.Out)
		b := vector(g, l.Name+".b", l.Out)
		nw.params = append(nw.params,
			param{theta: w, u: matrix(g, "u."+l.Name+".W", l.In, l.Out), off: l.W, n: l.In * l.Out},
			param{theta: b, u: vector(g, "u."+l.Name+".b", l.Out), off: l.B, n: l.Out})
		if x, err = apply(dense{l.Act}, x, w, b); err != nil {
			return err
		}
	}
	if nw.logits, err = apply(columns{0, spec.Actions}, x); err != nil {
		return err
	}
	nw.values, err = apply(columns{spec.Actions, 1}, x)
	return err
}

func (nw *network) backward() error {
	var theta, u gorgonia.Nodes
	for _, p := range nw.params {
		theta, u = append(theta, p.theta), append(u, p.u)
	}
	cotangents := gorgonia.Nodes{nw.dLogits, nw.dValues}

	// c ↦ Jᵀ·c: the gradient of ⟨c, outputs⟩.
	grads, err := reverse(gorgonia.Nodes{nw.logits, nw.values}, cotangents, theta)
	if err != nil {
		return err
	}
	for i := range nw.params {
		nw.params[i].grad = grads[i]
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
