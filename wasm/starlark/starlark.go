// Package starlark runs the program that a student writes in the page: a function vtrace in Starlark, a dialect of
// Python. Steps and lengths are bounded here. The page bounds memory and time (static/exercise.js). Start with Run.
package starlark

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"impalab/learner/script"
)

const (
	maxSteps   = 2_000_000 // of one run; the double sum of the paper takes a tenth
	maxLength  = 100_000   // elements of range(n) and of a repeated list or string
	maxPrinted = 4000      // bytes
)

// Unroll is the input of one call, in the JSON of the API's unrolls.
type Unroll struct {
	Reward    []float64 `json:"r"`
	Discount  []float64 `json:"discount"`
	Value     []float64 `json:"v"`
	Bootstrap float64   `json:"bootstrap"`
	Ratio     []float64 `json:"is"`
	RhoBar    *float64  `json:"rho_bar"` // nil: infinite
	CBar      *float64  `json:"c_bar"`   // nil: infinite
	Lambda    float64   `json:"lambda"`
}

// Targets is the output of one call, in the JSON that the API takes.
type Targets struct {
	VS        []float64 `json:"vs"`
	Advantage []float64 `json:"adv"`
}

// Result is the output of a program: targets for every unroll, or an error for its author.
type Result struct {
	Targets []Targets `json:"targets"`
	Printed string    `json:"printed"`
	Error   string    `json:"error"` // "": the program ran to its end
}

var options = &syntax.FileOptions{While: true, TopLevelControl: true, GlobalReassign: true}

// Run executes a program and calls its function vtrace once for each unroll.
func Run(source string, unrolls []Unroll) (r Result) {
	var printed strings.Builder
	thread := &starlark.Thread{Print: func(_ *starlark.Thread, line string) {
		if left := maxPrinted - printed.Len(); left > len(line) {
			printed.WriteString(line + "\n")
		} else if left > 0 {
			printed.WriteString(line[:left] + "\n… (the rest is not shown)\n")
		}
	}}
	thread.SetMaxExecutionSteps(maxSteps)
	all, err := run(thread, source, unrolls)
	r.Printed = printed.String()
	switch {
	case err == nil:
		r.Targets = all
	case thread.ExecutionSteps() >= maxSteps:
		r.Error = at(err, fmt.Sprintf("stopped after %d million steps. Does a loop never end?", maxSteps/1_000_000))
	default:
		r.Error = at(err, err.Error())
	}
	return r
}

func run(thread *starlark.Thread, source string, unrolls []Unroll) (all []Targets, err error) {
	defer func() {
		if fault := recover(); fault != nil { // Go refuses to allocate so much
			err = errors.New("the program needs too much memory")
		}
	}()
	names := starlark.StringDict{"range": starlark.NewBuiltin("range", rangeUpTo),
		operandName: starlark.NewBuiltin("*", operandOf)}
	parsed, err := options.Parse(script.File, source, 0)
	if err != nil {
		return nil, err
	}
	boundRepetitions(parsed)
	program, err := starlark.FileProgram(parsed, names.Has)
	if err != nil {
		return nil, err
	}
	globals, err := program.Init(thread, names)
	if err != nil {
		return nil, err
	}
	vtrace, ok := globals["vtrace"].(*starlark.Function)
	if !ok {
		return nil, errors.New("the function is missing: def vtrace(r, gamma, V, ratio, rho_bar, c_bar, lam)")
	}
	for i := range unrolls {
		u := &unrolls[i]
		value, err := starlark.Call(thread, vtrace, starlark.Tuple{list(u.Reward...), list(u.Discount...),
			list(append(u.Value[:len(u.Value):len(u.Value)], u.Bootstrap)...), list(u.Ratio...), ceiling(u.RhoBar),
			ceiling(u.CBar), starlark.Float(u.Lambda)}, nil)
		if err != nil {
			return nil, err
		}
		targets, err := targetsOf(value, len(u.Reward))
		if err != nil {
			return nil, err
		}
		all = append(all, targets)
	}
	return all, nil
}

func list(numbers ...float64) *starlark.List {
	values := make([]starlark.Value, len(numbers))
	for i, x := range numbers {
		values[i] = starlark.Float(x)
	}
	return starlark.NewList(values)
}

func ceiling(bar *float64) starlark.Float {
	if bar == nil {
		return starlark.Float(math.Inf(1))
	}
	return starlark.Float(*bar)
}

// targetsOf reads the value that vtrace returned for an unroll of n steps.
func targetsOf(value starlark.Value, n int) (t Targets, err error) {
	pair, ok := value.(starlark.Tuple)
	if !ok || len(pair) != 2 {
		return t, fmt.Errorf("vtrace must end with return vs, adv: it returned a %s", value.Type())
	}
	if t.VS, err = numbers("vs", pair[0], n); err != nil {
		return t, err
	}
	t.Advantage, err = numbers("adv", pair[1], n)
	return t, err
}

func numbers(name string, value starlark.Value, n int) (all []float64, err error) {
	sequence, ok := value.(starlark.Indexable)
	if !ok {
		return nil, fmt.Errorf("%s must be a list of numbers, not a %s", name, value.Type())
	}
	if sequence.Len() != n {
		return nil, fmt.Errorf("%s has %d elements for an unroll of %d steps", name, sequence.Len(), n)
	}
	for i := range n {
		x, ok := starlark.AsFloat(sequence.Index(i))
		if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s[%d] is %s, not a finite number", name, i, sequence.Index(i))
		}
		all = append(all, x)
	}
	return all, nil
}

// at puts the line of an error before a sentence, which begins with a capital letter.
func at(err error, say string) string {
	say = script.At(err, say)
	return strings.ToUpper(say[:1]) + say[1:]
}
