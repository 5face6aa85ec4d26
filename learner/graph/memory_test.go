package graph

import (
	"maps"
	"testing"

	"gorgonia.org/gorgonia"

	"impalab/learner/program"
)

// memory is a lowering of a test's graph, with values for its inputs.
type memory struct {
	*lowering
	data  map[*gorgonia.Node][]float32
	arena []float32
}

func newMemory(data map[*gorgonia.Node][]float32) *memory {
	m := &memory{lowering: newLowering(), data: maps.Clone(data)}
	for n, x := range data {
		m.assign(n, m.align())
		m.end += len(x)
	}
	return m
}

func (m *memory) mustList(t *testing.T, outputs ...*gorgonia.Node) []program.Step {
	t.Helper()
	steps, err := m.list(outputs...)
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// bind follows the last list.
func (m *memory) bind(steps []program.Step) program.Calls {
	if m.arena == nil {
		m.arena = make([]float32, m.end)
		for n, x := range m.data {
			copy(m.of(n), x)
		}
	}
	return program.Bind(steps, m.arena)
}

// of is where n lies.
func (m *memory) of(n *gorgonia.Node) []float32 {
	at := m.at[n]
	return m.arena[at : at+n.Shape().TotalSize()]
}

// value computes a node through the lowering.
func value(t *testing.T, data map[*gorgonia.Node][]float32, n *gorgonia.Node) []float32 {
	t.Helper()
	m := newMemory(data)
	m.bind(m.mustList(t, n)).Run()
	return m.of(n)
}
