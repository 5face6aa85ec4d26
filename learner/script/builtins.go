package script

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"
)

// builtins are the functions that a program can use. Starlark's own builtins take and make texts and lists.
var builtins = starlark.StringDict{
	"min":   extreme("min", math.Min),
	"max":   extreme("max", math.Max),
	"abs":   function("abs", math.Abs),
	"exp":   function("exp", Exp),
	"log":   function("log", logarithm),
	"sqrt":  function("sqrt", math.Sqrt),
	"range": starlark.NewBuiltin("range", count),
}

// function makes a function of one number available.
func function(name string, f func(float64) float64) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
		_ []starlark.Tuple) (starlark.Value, error) {
		x, err := floats(b, args)
		if err != nil {
			return nil, err
		}
		if len(x) != 1 {
			return nil, fmt.Errorf("%s takes one number, not %d", b.Name(), len(x))
		}
		return starlark.Float(f(x[0])), nil
	})
}

// extreme makes the least or the greatest of some numbers available.
func extreme(name string, of func(x, y float64) float64) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
		_ []starlark.Tuple) (starlark.Value, error) {
		x, err := floats(b, args)
		if err != nil {
			return nil, err
		}
		if len(x) < 2 {
			return nil, fmt.Errorf("%s takes two numbers or more, not %d", b.Name(), len(x))
		}
		for _, y := range x[1:] {
			x[0] = of(x[0], y)
		}
		return starlark.Float(x[0]), nil
	})
}

func floats(b *starlark.Builtin, args starlark.Tuple) (all []float64, err error) {
	for _, a := range args {
		x, ok := a.(starlark.Float)
		if !ok {
			return nil, fmt.Errorf("%s takes numbers, not a %s", b.Name(), a.Type())
		}
		all = append(all, float64(x))
	}
	return all, nil
}

// count is range(n), whose elements are 0 to n−1.
func count(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	x, err := floats(b, args)
	if err != nil {
		return nil, err
	}
	if len(x) != 1 {
		return nil, fmt.Errorf("range takes one number, not %d", len(x))
	}
	return upTo(x[0]), nil
}

// upTo is a range: it can be gone through, and nothing else.
type upTo float64

func (u upTo) String() string             { return fmt.Sprintf("range(%g)", float64(u)) }
func (upTo) Type() string                 { return "range" }
func (upTo) Freeze()                      {}
func (upTo) Truth() starlark.Bool         { return true }
func (upTo) Hash() (uint32, error)        { return 0, fmt.Errorf("a range is not a number") }
func (u upTo) Iterate() starlark.Iterator { return &counter{end: float64(u)} }

type counter struct{ at, end float64 }

func (c *counter) Next(p *starlark.Value) bool {
	if !(c.at < c.end) {
		return false
	}
	*p = starlark.Float(c.at)
	c.at++
	return true
}

func (*counter) Done() {}
