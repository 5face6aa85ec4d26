// Package formula is a small language of formulas, for a page in which somebody writes a recursion down: equations for
// values at places, which may stand on themselves at another place. Nothing else repeats, so all a text can do is
// compute, and how long, how deep and how far is bounded.
//
//	rho[t] = min(rhoBar, is[t])
//	vs[T]  = V[T]
//	vs[t]  = V[t] + rho[t]*(r[t] + discount[t]*V[t+1] - V[t])
//
// Look at Compile first, then at Machine.
package formula

import (
	"fmt"
	"slices"
)

// Bounds of a text and of what it computes. They are generous: V-trace takes five equations and a depth of the unroll.
const (
	MaxLength    = 2000 // bytes of a text
	MaxEquations = 40
	maxNesting   = 40  // of brackets, signs and conditions in one equation
	maxPlaces    = 3   // places that one value may have, like f[s, t]
	maxDepth     = 300 // values that wait for each other
)

// Given are the names that a text may use beside its own. A number has one value, a series one at each place from 0 on.
type Given struct {
	Numbers []string
	Series  []string
	Also    map[string]string // other ways to write these names
}

// Program is a text that has been read.
type Program struct {
	given  Given
	values []*value
}

// value is what the equations of one name say.
type value struct {
	name      string
	places    int
	equations []equation // those with fewer open places first
}

// equation is one line.
type equation struct {
	line  int
	heads []head
	body  *node
}

// head is one place of an equation's left side: a letter that stands for any, or a number that is meant alone.
type head struct {
	letter string
	only   *node // a number, or one that is given; nil: any place
}

func (e *equation) open() (n int) {
	for _, h := range e.heads {
		if h.only == nil {
			n++
		}
	}
	return n
}

// Error is what is wrong with a text, or with what it computes.
type Error struct {
	Line int // from 1; 0: it is of no line
	Say  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Say
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Say)
}

// Compile reads a text. All that can be wrong before there is anything to compute is an *Error with a sentence.
func Compile(text string, given Given) (*Program, error) {
	if len(text) > MaxLength {
		return nil, &Error{0, fmt.Sprintf("the text is too long: %d bytes, and %d are enough", len(text), MaxLength)}
	}
	p := &parser{program: &Program{given: given}}
	if err := p.scan(text); err != nil {
		return nil, err
	}
	if err := p.equations(); err != nil {
		return nil, err
	}
	if err := p.resolve(); err != nil {
		return nil, err
	}
	for _, v := range p.program.values {
		slices.SortStableFunc(v.equations, func(a, b equation) int { return a.open() - b.open() })
	}
	return p.program, nil
}

// Has reports whether the text says what a name is, at so many places.
func (p *Program) Has(name string, places int) bool {
	return slices.ContainsFunc(p.values, func(v *value) bool { return v.name == name && v.places == places })
}

// node is a part of an expression.
type node struct {
	op    op
	line  int
	of    []*node // operands, or places
	x     float64 // of a constant
	index int     // of what is given, of a place of the equation's own, or of a value
	name  string
}

type op uint8

const (
	constant op = iota
	place       // a letter of the equation's left side
	given       // a number that is given
	series      // given, at a place
	call        // a value at its places
	negate
	add
	subtract
	multiply
	divide
	least
	most
	absolute
	choose // of: left, right, then, otherwise; index: the comparison
)

// Comparisons, as choose's index has them.
const (
	less = iota
	lessEqual
	greater
	greaterEqual
	equal
	unequal
)
