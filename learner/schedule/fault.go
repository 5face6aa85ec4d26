// Package schedule is how the goroutines of runs share a process: Cores divides the machine between runs, a Pool does
// one job on several cores, and a panic on any goroutine comes back, as a Fault, to the one that answers for the run.
package schedule

import (
	"fmt"
	"runtime/debug"
)

// Fault is a panic that was caught, with the stack it happened on.
type Fault struct {
	Value any
	Stack []byte
}

// Error is for the log: it has the stack.
func (f *Fault) Error() string { return fmt.Sprintf("panic: %v\n%s", f.Value, f.Stack) }

// Catch calls f and returns its error, or the panic that it ended in as a *Fault. A Fault that is thrown again keeps
// its first stack, and ErrClosed is no fault.
func Catch(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *Fault:
			err = p
		default:
			if p == ErrClosed {
				err = ErrClosed
			} else {
				err = &Fault{p, debug.Stack()}
			}
		}
	}()
	return f()
}
