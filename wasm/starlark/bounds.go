package starlark

// One expression may ask for a thousand million elements: range(n) or [0] * n. Both are refused here, with their line.

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func rangeUpTo(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	all, err := starlark.Call(thread, starlark.Universe["range"], args, kwargs)
	if err == nil && starlark.Len(all) > maxLength {
		return nil, fmt.Errorf("%s is too long: at most %d elements are allowed", all, maxLength)
	}
	return all, err
}

// operandName cannot be the name of a student's own function: it contains a space.
const operandName = "operand of *"

// boundRepetitions replaces x * y by operandOf(x) * operandOf(y), and x *= y by x = operandOf(x) * operandOf(y).
func boundRepetitions(program *syntax.File) {
	wrap := func(e syntax.Expr) syntax.Expr {
		start, end := e.Span()
		return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: start, Name: operandName}, Lparen: start,
			Args: []syntax.Expr{e}, Rparen: end}
	}
	syntax.Walk(program, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			if n.Op == syntax.STAR_EQ {
				n.Op, n.RHS = syntax.EQ, &syntax.BinaryExpr{X: n.LHS, OpPos: n.OpPos, Op: syntax.STAR, Y: n.RHS}
			}
		case *syntax.BinaryExpr:
			if n.Op == syntax.STAR {
				n.X, n.Y = wrap(n.X), wrap(n.Y)
			}
		}
		return true
	})
}

// sequence is a list, tuple or string beside *.
type sequence struct{ starlark.Value }

// operandOf returns a number as it is, and wraps a list, tuple or string in a sequence.
func operandOf(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
	_ []starlark.Tuple) (starlark.Value, error) {
	if starlark.Len(args[0]) < 0 {
		return args[0], nil
	}
	return sequence{args[0]}, nil
}

// Binary repeats the sequence, unless the result would be too long.
func (s sequence) Binary(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	if other, ok := y.(sequence); ok {
		y = other.Value
	}
	n, err := starlark.AsInt32(y)
	if _, whole := y.(starlark.Int); whole && (err != nil || n > 0 && starlark.Len(s.Value) > maxLength/n) {
		return nil, fmt.Errorf("this %s would be too long: at most %d elements are allowed", s.Type(), maxLength)
	}
	return starlark.Binary(op, s.Value, y)
}
