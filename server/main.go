// Command server is impalab: it opens the Lab, trains without a page, measures, and lists the settings. main is thin,
// so that tests can run Main in their process.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"impalab/server/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	m := NewMain(os.Environ(), os.Stdout, os.Stderr)
	code := m.Exec(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// Main is the program. Its fields are all that it takes from its environment.
type Main struct {
	Env []string // KEY=value, as os.Environ gives it
	command.Program

	parsed parsed
}

// NewMain returns a program that has no command line yet.
func NewMain(env []string, stdout, stderr io.Writer) *Main {
	return &Main{Env: env, Program: command.Program{Stdout: stdout, Stderr: stderr}}
}

// Exec runs a command line, prints its error and returns the exit code.
func (m *Main) Exec(ctx context.Context, args []string) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := command.NewOutput(m.Stdout, stop)
	m.Stdout = out
	parsing := m.ParseFlags(args)
	err := parsing
	if err == nil {
		err = m.Run(ctx)
	} else {
		err = command.Usage(err)
	}
	if lost := out.Err(); lost != nil && (err == nil || errors.Is(err, lost) || errors.Is(err, command.ErrInterrupted)) {
		parsing, err = nil, lost
	}
	if out.Discarded() {
		fmt.Fprintln(m.Stderr, "impalab: standard output is closed, so the output is lost")
	}
	if err != nil {
		fmt.Fprintln(m.Stderr, "impalab:", err)
	}
	if parsing != nil {
		fmt.Fprintf(m.Stderr, "Run %s --help for help.\n", m.parsed.path)
	}
	return command.ExitCode(err)
}
