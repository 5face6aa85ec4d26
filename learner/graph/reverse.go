package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// Gorgonia's own Grad skips nodes that already have a derivative, so a second call on the same graph is silently wrong.
// reverse stores nothing in the nodes.

// reverse extends the graph by ∂/∂wrt of Σᵢ ⟨seedsᵢ, outputsᵢ⟩: a vector-Jacobian product, one node for
// each of wrt. It may be applied to its own results.
func reverse(outputs, seeds, wrt gorgonia.Nodes) (gorgonia.Nodes, error) {
	terms := map[*gorgonia.Node]gorgonia.Nodes{} // the contributions of the consumers to a node's gradient
	for i, out := range outputs {
		if !out.Shape().Eq(seeds[i].Shape()) {
			return nil, fmt.Errorf("the cotangent of %v has shape %v, not %v", out, seeds[i].Shape(), out.Shape())
		}
		terms[out] = append(terms[out], seeds[i])
	}
	sorted, err := gorgonia.Sort(outputs[0].Graph()) // every node before its inputs
	if err != nil {
		return nil, err
	}
	active := dependents(sorted, wrt)

	grads := map[*gorgonia.Node]*gorgonia.Node{}
	for _, n := range sorted {
		if !active[n] || len(terms[n]) == 0 {
			continue
		}
		if grads[n], err = total(terms[n]); err != nil {
			return nil, err
		}
		if n.Op() == nil {
			continue
		}
		in := inputs(n)
		back, err := n.Op().(op).reverse(in, n, grads[n])
		if err != nil {
			return nil, err
		}
		for i, x := range in {
			switch {
			case !active[x]:
			case back[i] == nil:
				return nil, fmt.Errorf("%v does not know its derivative with respect to input %d", n, i)
			default:
				terms[x] = append(terms[x], back[i])
			}
		}
	}

	var result gorgonia.Nodes
	for _, x := range wrt {
		if grads[x] == nil {
			return nil, fmt.Errorf("no output depends on %v", x)
		}
		result = append(result, grads[x])
	}
	return result, nil
}

// dependents marks wrt and every node that depends on a node of wrt.
func dependents(sorted, wrt gorgonia.Nodes) map[*gorgonia.Node]bool {
	marks := map[*gorgonia.Node]bool{}
	for _, n := range wrt {
		marks[n] = true
	}
	for i := len(sorted) - 1; i >= 0; i-- {
		for _, x := range inputs(sorted[i]) {
			marks[sorted[i]] = marks[sorted[i]] || marks[x]
		}
	}
	return marks
}

// total is the sum of the contributions to one gradient, in the order they came.
func total(terms gorgonia.Nodes) (*gorgonia.Node, error) {
	if len(terms) == 1 {
		return terms[0], nil
	}
	return apply(sum{n: len(terms), rank: terms[0].Dims()}, terms...)
}
