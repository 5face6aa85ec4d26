package graph

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
)

// Lowering walks the graph once and leaves a flat list of kernel calls on memory allocated beforehand,
// so that at run time the graph costs nothing.

// step is one kernel call: args[0] is written, the others are read.
type step struct {
	run  call
	args [][]float32
}

func run(steps []step) {
	for i := range steps {
		s := &steps[i]
		s.run(s.args[0], s.args[1:])
	}
}

// argument is a flat vector that comes with each call: θ, the observations, a gradient to fill. Several
// nodes may be windows of it; binding it points their places in the steps at it. Nothing is copied.
type argument struct {
	slots []slot
	size  int
}

type slot struct {
	at     *[]float32
	off, n int
}

func (a *argument) bind(flat []float32) {
	if len(flat) != a.size {
		panic("graph: a vector has not the length its plan was made for")
	}
	for _, s := range a.slots {
		*s.at = flat[s.off : s.off+s.n : s.off+s.n]
	}
}

// window is where a node lives when it is part of an argument.
type window struct {
	arg *argument
	off int
}

// lowering knows where each node lives. Every node has memory of its own and keeps its value until the
// next run, so a later list may use what an earlier one computed.
type lowering struct {
	windows map[*gorgonia.Node]window
	memory  map[*gorgonia.Node][]float32
	done    map[*gorgonia.Node]bool // computed by a step of some list
}

func newLowering() *lowering {
	return &lowering{
		windows: map[*gorgonia.Node]window{},
		memory:  map[*gorgonia.Node][]float32{},
		done:    map[*gorgonia.Node]bool{},
	}
}

// window says that n lives in arg from off on.
func (l *lowering) window(n *gorgonia.Node, arg *argument, off int) {
	l.windows[n] = window{arg, off}
	arg.size = max(arg.size, off+n.Shape().TotalSize())
}

// list is the steps that compute outputs and all they need that no earlier list has computed.
func (l *lowering) list(outputs ...*gorgonia.Node) ([]step, error) {
	sorted, err := gorgonia.Sort(outputs[0].Graph())
	if err != nil {
		return nil, err
	}
	slices.Reverse(sorted) // inputs first
	uses := l.uses(outputs)
	inSum := l.inSum(sorted, uses)
	var steps []step
	for _, n := range sorted {
		if uses[n] == 0 || inSum[n] {
			continue
		}
		o, ok := n.Op().(*op)
		if !ok {
			return nil, fmt.Errorf("%v is not one of our operations", n)
		}
		if _, isSum := o.rule.(sum); isSum {
			steps = append(steps, l.accumulate(n, inSum)...)
		} else {
			over := l.takeOver(n, uses)
			steps = append(steps, l.step(n, n, false))
			l.forget(over)
		}
		l.done[n] = true
	}
	return steps, nil
}

// uses counts the consumers of every node that is still to be computed for outputs; an output has one more.
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
		o, ok := n.Op().(*op)
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
			o := t.Op().(*op)
			_, nested := o.rule.(sum)
			marks[t] = !nested && o.kernel(shapes(inputs(t)), true) != nil
		}
	}
	return marks
}

// accumulate computes a sum: first what overwrites its memory, then what adds to it, in the order of the terms.
func (l *lowering) accumulate(n *gorgonia.Node, inSum map[*gorgonia.Node]bool) []step {
	var steps []step
	for i, t := range inputs(n) {
		if inSum[t] {
			steps = append(steps, l.step(t, n, i > 0))
			continue
		}
		s := step{sum{n: 1}.kernel(nil, i > 0), make([][]float32, 2)}
		l.locate(&s.args[0], n)
		l.locate(&s.args[1], t)
		steps = append(steps, s)
	}
	return steps
}

// takeOver gives n the memory of its first input, if n's operation works in place and no other reads
// that input. It returns the input, to be forgotten once n's step is made, or nil.
func (l *lowering) takeOver(n *gorgonia.Node, uses map[*gorgonia.Node]int) *gorgonia.Node {
	if _, ok := n.Op().(*op).rule.(inPlace); !ok || l.placed(n) {
		return nil
	}
	x := inputs(n)[0]
	if uses[x] != 1 || l.memory[x] == nil {
		return nil
	}
	l.memory[n] = l.memory[x]
	return x
}

// forget makes a later list that wants x compute it anew.
func (l *lowering) forget(x *gorgonia.Node) {
	if x != nil {
		delete(l.memory, x)
		l.done[x] = false
	}
}

// placed reports whether n already has somewhere to live.
func (l *lowering) placed(n *gorgonia.Node) bool {
	_, ok := l.windows[n]
	return ok || l.memory[n] != nil
}

// step computes n into the memory of node into, or adds n to it.
func (l *lowering) step(n, into *gorgonia.Node, add bool) step {
	in := inputs(n)
	args := make([][]float32, len(in)+1)
	l.locate(&args[0], into)
	for i, x := range in {
		l.locate(&args[i+1], x)
	}
	return step{n.Op().(*op).kernel(shapes(in), add), args}
}

// locate points arg at n's memory, now or whenever the argument it is a window of is bound.
func (l *lowering) locate(arg *[]float32, n *gorgonia.Node) {
	size := n.Shape().TotalSize()
	if w, ok := l.windows[n]; ok {
		w.arg.slots = append(w.arg.slots, slot{arg, w.off, size})
		return
	}
	if l.memory[n] == nil {
		if n.Op() == nil {
			panic("graph: an input of the graph is no part of any argument")
		}
		l.memory[n] = make([]float32, size)
	}
	*arg = l.memory[n]
}
