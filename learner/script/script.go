// Package script runs a function of numbers that a person writes in Starlark, a dialect of Python. All numbers are
// float64. There are no texts, no lists, no loops without an end and no recursion, and nothing that one call leaves
// behind for the next. So a function takes bounded time and memory, and has the same result on every machine. Start
// with Compile.
package script

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

const (
	MaxBytes = 4000 // of a program
	maxSteps = 1000 // of the interpreter in one call; a formula takes some twenty
)

// Function is a compiled function. Any number of goroutines may call it, each by Calls of its own.
type Function struct {
	fn    *starlark.Function
	reads map[string]int // the line in which the program first uses each name
}

var options = &syntax.FileOptions{}

// Compile reads a program that defines the function name with these parameters. The error is a sentence for its author,
// with the line.
func Compile(source, name string, parameters ...string) (*Function, error) {
	if len(source) > MaxBytes {
		return nil, fmt.Errorf("it has %d bytes, and at most %d are allowed", len(source), MaxBytes)
	}
	parsed, err := options.Parse(File, source, 0)
	var reads map[string]int
	if err == nil {
		reads = namesRead(parsed)
		err = numbersAlone(parsed)
	}
	if err != nil {
		return nil, sentence(err)
	}
	if err := namesAlone(source, parameters); err != nil {
		return nil, err
	}
	program, err := starlark.FileProgram(parsed, builtins.Has)
	if err != nil {
		return nil, sentence(err)
	}
	thread := &starlark.Thread{}
	thread.SetMaxExecutionSteps(maxSteps)
	globals, err := program.Init(thread, builtins)
	if err != nil {
		return nil, sentence(err)
	}
	fn, ok := globals[name].(*starlark.Function)
	if !ok || fn.NumParams() != len(parameters) || fn.HasVarargs() || fn.HasKwargs() {
		return nil, fmt.Errorf("it defines no function def %s(%s)", name, strings.Join(parameters, ", "))
	}
	return &Function{fn, reads}, nil
}

// Reads returns the line in which the program first uses the name, besides in a list of parameters; 0: it does not.
func (f *Function) Reads(name string) int { return f.reads[name] }

// namesRead returns the first line of each name that a program uses, without its lists of parameters.
func namesRead(program *syntax.File) map[string]int {
	reads, parameters := map[string]int{}, map[syntax.Node]bool{}
	syntax.Walk(program, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			for _, p := range n.Params {
				parameters[p] = true
			}
		case *syntax.Ident:
			if line := int(n.NamePos.Line); !parameters[n] && reads[n.Name] == 0 {
				reads[n.Name] = line
			}
		}
		return true
	})
	return reads
}

// namesAlone refuses names that are neither defined in the program nor in builtins.
func namesAlone(source string, parameters []string) error {
	parsed, err := options.Parse(File, source, 0) // again, because the resolver writes into it
	if err != nil {
		return sentence(err)
	}
	constant := func(name string) bool { return name == "True" || name == "False" }
	err = resolve.File(parsed, builtins.Has, constant)
	var names resolve.ErrorList
	if !errors.As(err, &names) {
		return err
	}
	if unknown, ok := strings.CutPrefix(names[0].Msg, "undefined: "); ok {
		unknown, _, _ = strings.Cut(unknown, " ") // the resolver adds what it thinks was meant
		return fmt.Errorf("line %d: there is no %s here; a program can use %s, and %s", names[0].Pos.Line, unknown,
			strings.Join(parameters, ", "), strings.Join(builtins.Keys(), ", "))
	}
	return sentence(err)
}

// numbersAlone makes all numbers of a program float64, and refuses everything that is not made of numbers.
func numbersAlone(program *syntax.File) (err error) {
	refuse := func(n syntax.Node, what string) {
		if start, _ := n.Span(); err == nil {
			err = fmt.Errorf("line %d: %s", start.Line, what)
		}
	}
	syntax.Walk(program, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil, *syntax.File, *syntax.DefStmt, *syntax.AssignStmt, *syntax.ExprStmt, *syntax.IfStmt, *syntax.ReturnStmt,
			*syntax.BranchStmt, *syntax.ForStmt, *syntax.Ident, *syntax.ParenExpr, *syntax.CallExpr, *syntax.CondExpr:
		case *syntax.UnaryExpr:
			if n.Op == syntax.STAR || n.Op == syntax.STARSTAR || n.Op == syntax.TILDE {
				refuse(n, n.Op.String()+" is not available in front of a name")
			}
		case *syntax.BinaryExpr:
			switch n.Op {
			case syntax.IN, syntax.NOT_IN, syntax.PIPE, syntax.AMP, syntax.CIRCUMFLEX, syntax.LTLT, syntax.GTGT, syntax.EQ:
				refuse(n, n.Op.String()+" is not available between two values")
			}
		case *syntax.Literal:
			switch v := n.Value.(type) {
			case int64:
				n.Token, n.Value = syntax.FLOAT, float64(v)
			case *big.Int:
				n.Value, _ = new(big.Float).SetInt(v).Float64()
				n.Token = syntax.FLOAT
			case float64:
			default:
				refuse(n, "texts are not available; all values are numbers")
			}
		case *syntax.WhileStmt:
			refuse(n, "while is not available; for i in range(n) is")
		case *syntax.ListExpr, *syntax.TupleExpr, *syntax.DictExpr, *syntax.Comprehension, *syntax.IndexExpr,
			*syntax.SliceExpr:
			refuse(n, "lists are not available; all values are numbers")
		default:
			refuse(n, "only numbers, names, if, for, def and return are available")
		}
		return err == nil
	})
	return err
}

// Calls makes calls of a function, one after another.
type Calls struct {
	f      *Function
	thread starlark.Thread
}

// Calls prepares calls from one goroutine.
func (f *Function) Calls() *Calls { return &Calls{f: f} }

// Call returns the number that the function returns for these numbers. The error is a sentence with the line.
func (c *Calls) Call(numbers ...float64) (float64, error) {
	values := make(starlark.Tuple, len(numbers))
	for i, x := range numbers {
		values[i] = starlark.Float(x)
	}
	from := c.thread.ExecutionSteps()
	c.thread.SetMaxExecutionSteps(from + maxSteps)
	value, err := starlark.Call(&c.thread, c.f.fn, values, nil)
	switch number, ok := value.(starlark.Float); {
	case err != nil && c.thread.ExecutionSteps() >= from+maxSteps:
		return 0, errors.New(At(err, fmt.Sprintf("stopped after %d steps: a loop is too long", maxSteps)))
	case err != nil:
		return 0, sentence(err)
	case !ok:
		return 0, fmt.Errorf("it returned %s, not a number", value)
	default:
		return float64(number), nil
	}
}
