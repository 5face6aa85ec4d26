package onnx

import (
	"fmt"

	"impalab/learner/net"
)

// The graph of a model: its nodes and constants.

// graph collects the parts of a model. Values are named by their layer's index.
type graph struct {
	theta  []float32
	layers []net.Layer
	states []string // next state of each LSTM, in the order of a row of states

	nodes, constants, inputs, outputs []message
	made                              int // names that fresh returned
}

func (g *graph) add(kind string, m message) {
	if kind == "input" {
		g.inputs = append(g.inputs, m)
	} else {
		g.outputs = append(g.outputs, m)
	}
}

// node adds an operation with one output and returns the output's name. out may be "": a new name.
func (g *graph) node(op string, inputs []string, out string, attributes ...attribute) string {
	if out == "" {
		out = g.fresh()
	}
	g.nodes = append(g.nodes, node(op, inputs, []string{out}, attributes...))
	return out
}

func (g *graph) fresh() string {
	g.made++
	return fmt.Sprintf("x%d", g.made)
}

func (g *graph) constant(m message, name string) string {
	g.constants = append(g.constants, m)
	return name
}

func (g *graph) floats(name string, values []float32, dims ...int) string {
	return g.constant(floats(name, values, dims...), name)
}

func (g *graph) ints(values ...int) string {
	name := g.fresh()
	return g.constant(ints(name, values...), name)
}

// columns returns columns from to to−1 of a matrix.
func (g *graph) columns(of string, from, to int, out string) string {
	return g.node("Slice", []string{of, g.ints(from), g.ints(to), g.ints(1)}, out)
}
