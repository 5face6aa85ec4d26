// Package schedule lets the goroutines of runs share a process. Cores divides the machine between runs, and a Pool does
// one job on several cores. A panic on any goroutine becomes the run's error, a Fault.
package schedule

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// Fault is a caught panic with its stack.
type Fault struct {
	Value any
	Stack []byte
}

// Error returns the panic and its stack, for the log.
func (f *Fault) Error() string { return fmt.Sprintf("panic: %v\n%s", f.Value, f.Stack) }

// Catch calls f and returns its error, or its panic as a *Fault. A Fault keeps its first stack when it is thrown again.
// ErrClosed is returned as it is.
func Catch(f func() error) (err error) {
	defer func() {
		p := recover()
		switch known, isError := p.(error); {
		case p == nil:
		case isError && (known == ErrClosed || errors.As(known, new(*Fault))):
			err = known
		default:
			err = &Fault{p, debug.Stack()}
		}
	}()
	return f()
}
