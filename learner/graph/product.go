package graph

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"impalab/learner/program"
)

// product is a matrix product C [m, n], plain or with one side transposed. The three are closed under
// differentiation: each one's derivatives are two of the others.
type product uint8

const (
	productAB product = iota // A [m, k] · B [k, n]
	productAT                // A [k, m]ᵀ · B [k, n]: weight gradients
	productBT                // A [m, k] · B [n, k]ᵀ: input gradients
)

func (p product) label() string { return [...]string{"A·B", "Aᵀ·B", "A·Bᵀ"}[p] }
func (product) ranks() []int    { return []int{2, 2, 2} }

// dims reads C's shape off the inputs, and the length to sum over as A and as B have it.
func (p product) dims(a, b tensor.Shape) (m, n, kA, kB int) {
	switch p {
	case productAT:
		return a[1], b[1], a[0], b[0]
	case productBT:
		return a[0], b[0], a[1], b[1]
	}
	return a[0], b[1], a[1], b[0]
}

func (p product) shape(in []tensor.Shape) (tensor.Shape, error) {
	m, n, kA, kB := p.dims(in[0], in[1])
	if kA != kB {
		return nil, misfit(p, "the lengths to sum over differ", in)
	}
	return tensor.Shape{m, n}, nil
}

func (p product) step(in []tensor.Shape) program.Step {
	m, n, k, _ := p.dims(in[0], in[1])
	op := [...]program.Op{program.ProductAB, program.ProductAT, program.ProductBT}[p]
	return program.Step{Op: op, Size: sizes(m, n, k)}
}

func (p product) reverse(in gorgonia.Nodes, _, g *gorgonia.Node) (gorgonia.Nodes, error) {
	a, b := in[0], in[1]
	switch p {
	case productAT:
		return applyTwo(productBT, b, g, productAB, a, g) // ∂A = B·Gᵀ, ∂B = A·G
	case productBT:
		return applyTwo(productAB, g, b, productAT, g, a) // ∂A = G·B, ∂B = Gᵀ·A
	}
	return applyTwo(productBT, g, b, productAT, a, g) // ∂A = G·Bᵀ, ∂B = Aᵀ·G
}

func applyTwo(p rule, a, b *gorgonia.Node, q rule, c, d *gorgonia.Node) (gorgonia.Nodes, error) {
	first, err := apply(p, a, b)
	if err != nil {
		return nil, err
	}
	second, err := apply(q, c, d)
	return gorgonia.Nodes{first, second}, err
}
