package graph

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"gorgonia.org/gorgonia"

	"impalab/learner/net"
	"impalab/learner/program"
)

// Lower builds the graph of spec for t ≥ 1 steps of b ≥ 1 trajectories, walks it once and leaves a program, so that at
// run time the graph costs nothing. With tangent the program knows its directional derivative too, which takes half as
// much memory again, and which few algorithms need.
func Lower(spec net.Spec, t, b int, tangent bool) (*program.Program, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if t < 1 || b < 1 {
		return nil, fmt.Errorf("a program for %d steps of %d trajectories: give at least 1 of each", t, b)
	}
	if tangent && spec.TrXL > 0 {
		return nil, errors.New("the directional derivative of attention is not known: a metagradient needs an LSTM, or no " +
			"core")
	}
	nw, err := newNetwork(spec, t, b)
	if err != nil {
		return nil, fmt.Errorf("the graph of the network: %w", err)
	}
	p := &program.Program{Network: spec.Text(), T: t, B: b}
	return p, nw.lower(p, tangent)
}

// lower writes the network down in p.
func (nw *network) lower(p *program.Program, tangent bool) error {
	l := newLowering()
	// What lies in Work finds its place later.
	segment := program.Theta
	open := func(s program.Segment) { segment, p.Segments[s].At = s, l.align() }
	put := func(n *gorgonia.Node, off int) {
		from := p.Segments[segment].At
		l.assign(n, from+off)
		p.Segments[segment].N = max(p.Segments[segment].N, off+n.Shape().TotalSize())
		l.end = max(l.end, from+p.Segments[segment].N)
	}
	whole := map[program.Segment]*gorgonia.Node{
		program.Input: nw.input, program.State: nw.state, program.Keep: nw.keep,
		program.DLogits: nw.dLogits, program.DValues: nw.dValues, program.Logits: nw.logits, program.Values: nw.value,
	}
	if tangent {
		whole[program.TLogits], whole[program.TValues] = nw.tLogits, nw.tValues
	}
	for s := range program.Segment(program.Segments) {
		open(s)
		if n := whole[s]; n != nil {
			put(n, 0)
		}
		for _, w := range nw.params {
			switch {
			case s == program.Theta:
				put(w.theta, w.off)
			case s == program.Grad:
				put(w.grad, w.off)
			case s == program.Direction && tangent:
				put(w.u, w.off)
			}
		}
	}

	var err error
	if p.Forward, err = l.list(nw.logits, nw.value); err != nil {
		return err
	}
	for _, c := range nw.cores {
		p.Cores = append(p.Cores, program.Core{At: l.at[c.cells], Width: c.cells.Shape()[1], Units: c.units, State: c.at,
			Memory: c.memory})
	}
	forward := maps.Clone(l.done)
	if p.Backward, err = l.list(nw.grads()...); err != nil {
		return err
	}
	l.done = forward // Tangent may follow a Forward without its Backward
	if tangent {
		if p.Tangent, err = l.list(nw.tLogits, nw.tValues); err != nil {
			return err
		}
	}
	p.Segments[program.Work].N = l.end - p.Segments[program.Work].At
	return p.Validate()
}

// line is the number of float32 in a cache line. Every node begins at a line.
const line = 16

// lowering knows the place of each node. Every node has memory of its own and keeps its value until the next run, so a
// later list may use an earlier one's results.
type lowering struct {
	at   map[*gorgonia.Node]int  // in the arena
	kept map[*gorgonia.Node]bool // it lies where it was put, and nothing takes its memory over
	done map[*gorgonia.Node]bool // computed by a step of some list
	end  int                     // of the arena so far
}

func newLowering() *lowering {
	return &lowering{
		at:   map[*gorgonia.Node]int{},
		kept: map[*gorgonia.Node]bool{},
		done: map[*gorgonia.Node]bool{},
	}
}

// assign sets where n lives in the arena.
func (l *lowering) assign(n *gorgonia.Node, at int) { l.at[n], l.kept[n] = at, true }

// align moves the end to the next line.
func (l *lowering) align() int {
	l.end = (l.end + line - 1) / line * line
	return l.end
}

// list is the steps that compute outputs and all they need that no earlier list has computed.
func (l *lowering) list(outputs ...*gorgonia.Node) ([]program.Step, error) {
	sorted, err := gorgonia.Sort(outputs[0].Graph())
	if err != nil {
		return nil, err
	}
	slices.Reverse(sorted) // inputs first
	uses := l.uses(outputs)
	inSum := l.inSum(sorted, uses)
	var steps []program.Step
	for _, n := range sorted {
		if uses[n] == 0 || inSum[n] {
			continue
		}
		o, ok := n.Op().(op)
		if !ok {
			return nil, fmt.Errorf("%v is not one of our operations", n)
		}
		if _, isSum := o.rule.(sum); isSum {
			steps = append(steps, l.accumulate(n, inSum)...)
		} else {
			over := l.reuseInput(n, uses)
			steps = append(steps, l.step(n, n, false))
			l.forget(over)
		}
		l.done[n] = true
	}
	return steps, nil
}

// uses counts the consumers of every node that the outputs still need. An output has one more.
func (l *lowering) uses(outputs gorgonia.Nodes) map[*gorgonia.Node]int {
	uses := map[*gorgonia.Node]int{}
	var visit func(n *gorgonia.Node)
	visit = func(n *gorgonia.Node) {
		if n.Op() == nil || l.done[n] {
			return
		}
		uses[n]++
		if uses[n] == 1 {
			for _, x := range inputs(n) {
				visit(x)
			}
		}
	}
	for _, n := range outputs {
		visit(n)
	}
	return uses
}

// inSum marks the terms that need no memory: used by one sum only, they are computed straight into it.
func (l *lowering) inSum(sorted gorgonia.Nodes, uses map[*gorgonia.Node]int) map[*gorgonia.Node]bool {
	marks := map[*gorgonia.Node]bool{}
	for _, n := range sorted {
		o, ok := n.Op().(op)
		if !ok || uses[n] == 0 {
			continue
		}
		if _, isSum := o.rule.(sum); !isSum {
			continue
		}
		for _, t := range inputs(n) {
			if uses[t] != 1 {
				continue // an input, computed before, or wanted elsewhere too
			}
			o := t.Op().(op)
			_, nested := o.rule.(sum)
			marks[t] = !nested && o.step(shapes(inputs(t))).Op.Adds()
		}
	}
	return marks
}

// accumulate computes a sum: the first term overwrites its memory, and the others add to it, in the order of the terms.
func (l *lowering) accumulate(n *gorgonia.Node, inSum map[*gorgonia.Node]bool) []program.Step {
	var steps []program.Step
	for i, t := range inputs(n) {
		if inSum[t] {
			steps = append(steps, l.step(t, n, i > 0))
			continue
		}
		s := n.Op().(op).step(shapes(inputs(n)))
		s.Add, s.At[0], s.At[1] = i > 0, l.locate(n), l.locate(t)
		steps = append(steps, s)
	}
	return steps
}

// reuseInput gives n the memory of its first input, if n's operation works in place and no other reads
// that input. It returns the input, to be forgotten once n's step is made, or nil.
func (l *lowering) reuseInput(n *gorgonia.Node, uses map[*gorgonia.Node]int) *gorgonia.Node {
	in := inputs(n)
	if _, placed := l.at[n]; placed || !n.Op().(op).step(shapes(in)).Op.InPlace() {
		return nil
	}
	x := in[0]
	at, placed := l.at[x]
	if uses[x] != 1 || !placed || l.kept[x] {
		return nil
	}
	l.at[n] = at
	return x
}

// forget makes a later list that uses x recompute it.
func (l *lowering) forget(x *gorgonia.Node) {
	if x != nil {
		delete(l.at, x)
		l.done[x] = false
	}
}

// step computes n into the memory of node into, or adds n to it.
func (l *lowering) step(n, into *gorgonia.Node, add bool) program.Step {
	in := inputs(n)
	s := n.Op().(op).step(shapes(in))
	s.Add, s.At[0] = add, l.locate(into)
	for i, x := range in {
		s.At[1+i] = l.locate(x)
	}
	return s
}

// locate is where n lives, from now on if nowhere before.
func (l *lowering) locate(n *gorgonia.Node) int {
	at, placed := l.at[n]
	if !placed {
		if n.Op() == nil {
			panic("graph: an input of the graph is no part of any segment")
		}
		at = l.align()
		l.at[n], l.end = at, at+n.Shape().TotalSize()
	}
	return at
}
