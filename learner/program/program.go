// Package program is a network's forward pass, its gradient and its directional derivative as data: lists of operations
// with sizes and with places in one arena of float32. learner/graph writes a program once; running it needs no graph.
// Host runs a program with learner/kernel on slices and defines every operation's result: other executors are compared
// with it. Sharded distributes a batch over several hosts.
//
// Read Op first, for the operations, then Program and Host.
package program

import "impalab/learner/kernel"

// MaxArena is how many numbers an arena may have: an executor may count them in 32 bits.
const MaxArena = 1<<31 - 1

// Program is one network for T steps of B trajectories. Nothing changes it once it is made, and any number of executors
// may run it.
type Program struct {
	Network string // which network: net.Spec.Text
	T, B    int

	Segments [Segments]Span // in this order, one after the other
	Forward  []Step         // Theta, Input, State and Keep to Logits and Values
	Backward []Step         // DLogits and DValues to Grad; after Forward
	Tangent  []Step         // Direction to TLogits and TValues; after Forward. nil: it was not asked for
	Cores    []Core
}

// Segment is a part of the arena with a purpose. All but Work belong to the caller: an executor on the same memory
// points at them instead of copying. A row is one step of one trajectory; there are T·B.
type Segment uint8

const (
	Theta     Segment = iota // the parameters
	Input                    // [rows, Inputs]
	State                    // [B, States], of a recurrent network; else empty
	Keep                     // [rows], 0 where a recurrent network forgets its state before the step; else empty
	DLogits                  // [rows, Actions], ∂L/∂logits
	DValues                  // [rows, Values], ∂L/∂values
	Direction                // along which the parameters move; empty without Tangent
	Logits                   // [rows, Actions]
	Values                   // [rows, Values]
	TLogits                  // how Logits move; empty without Tangent
	TValues
	Grad // ∂L/∂θ
	Work // all that lies between

	Segments = iota
)

// Span is a stretch of the arena.
type Span struct{ At, N int }

func (s Span) has(at, n int) bool { return at >= s.At && at+n <= s.At+s.N }

// Core is one LSTM. Its cells [rows, Width] lie in Work from At on. Each row begins with h [Units] and c [Units]: the
// state [2·Units], from column State on of a row of states. With a Memory of some steps it is one attention instead:
// its n [rows, Units] lie from At on, Width is Units, and kernel.Attention describes the state.
type Core struct{ At, Width, Units, State, Memory int }

// states returns the size of its state.
func (c *Core) states() int {
	if c.Memory > 0 {
		return sumOf(1, volume(c.Memory, c.Units))
	}
	return 2 * c.Units
}

// Size is how many numbers the arena has.
func (p *Program) Size() int { last := p.Segments[Work]; return last.At + last.N }

// Rows is T·B.
func (p *Program) Rows() int { return p.T * p.B }

// Width is how many numbers a row of a segment has; of State, a trajectory's.
func (p *Program) Width(s Segment) int {
	if s == State {
		return p.Segments[s].N / p.B
	}
	return p.Segments[s].N / p.Rows()
}

// Params is the length of θ.
func (p *Program) Params() int { return p.Segments[Theta].N }

// segment returns the segment that holds n numbers from at.
func (p *Program) segment(at, n int) (Segment, bool) {
	for s, span := range p.Segments {
		if span.N > 0 && span.has(at, n) {
			return Segment(s), true
		}
	}
	return 0, false
}

const (
	maxInputs = 5
	maxSizes  = 8
)

// Step is one operation. It reads the numbers at At[1], At[2], … and writes the numbers at At[0]. Size gives their
// counts; see Op.
type Step struct {
	Op   Op
	Add  bool              // add to the numbers at At[0] instead; only if the operation has such a form
	Act  kernel.Activation // of the operations with an activation
	Size [maxSizes]int
	At   [1 + maxInputs]int
}

// Extents is how many numbers a step writes, then how many it reads from each of its inputs.
func (s *Step) Extents() []int {
	o := &operations[s.Op]
	extents := o.extents(&s.Size)
	return extents[:1+o.inputs]
}

func (s *Step) String() string { return operations[s.Op].name }
