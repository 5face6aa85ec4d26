package command

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/alecthomas/kong"
)

// run runs a command line, which gets nothing from the environment, and returns its output.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = execute(t.Context(), &Program{Stdout: &out, Stderr: &errs}, args)
	return code, out.String(), errs.String()
}

// execute runs a command line and gives its exit code.
func execute(ctx context.Context, prog *Program, args []string) int {
	prog.Source = func(string) string { return "" }
	chosen, err := kong.Must(new(Grammar), Vars).Parse(args)
	if err == nil {
		chosen.BindTo(ctx, (*context.Context)(nil))
		err = chosen.Run(prog)
	} else {
		err = UsageError{err}
	}
	if err != nil {
		fmt.Fprintln(prog.Stderr, "impalab:", err)
	}
	return ExitCode(err)
}
