// Command server is impalab on the command line: it opens the Lab, trains without a page, measures, and
// explains what can be set. main is thin so that tests can run a whole Main in process.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1   // the work failed, and standard error says why
	exitUsage       = 2   // the command line or the environment is wrong
	exitInterrupted = 130 // a signal ended training early; what there was has been printed
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	m := NewMain(os.Environ(), os.Stdout, os.Stderr)
	code := m.Exec(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// Main is the whole program. Everything it takes from the world comes in through its fields.
type Main struct {
	Env    []string // KEY=value, as os.Environ gives it
	Stdout io.Writer
	Stderr io.Writer

	// Opened is called with the page's address once the server listens; nil: not called.
	Opened func(url string)

	command parsed
}

// NewMain is a program that waits for its command line.
func NewMain(env []string, stdout, stderr io.Writer) *Main {
	return &Main{Env: env, Stdout: stdout, Stderr: stderr}
}

// Exec parses, runs and closes, prints what went wrong, and gives the exit code.
func (m *Main) Exec(ctx context.Context, args []string) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := &output{to: m.Stdout, failed: stop}
	m.Stdout = out
	parsing := m.ParseFlags(args)
	err := parsing
	if err == nil {
		err = m.Run(ctx)
	}
	if lost := out.check(); lost != nil && (err == nil || errors.Is(err, lost) || errors.Is(err, errInterrupted)) {
		parsing, err = nil, lost
	}
	if out.discarded() {
		fmt.Fprintln(m.Stderr, "impalab: standard output is closed: what was printed there is lost")
	}
	if err == nil {
		return exitOK
	}
	fmt.Fprintln(m.Stderr, "impalab:", err)
	switch {
	case parsing != nil:
		fmt.Fprintln(m.Stderr, "Run with --help to see what there is.")
		return exitUsage
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	}
	return exitFailed
}

// errInterrupted says that a signal came before the work was done.
var errInterrupted = errors.New("interrupted before the budget was spent")

// usageError is a value that no run can use: the user's to mend, on the command line or in the environment.
type usageError struct{ error }
