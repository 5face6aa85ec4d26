package command

// Standard output carries results. One that cannot be written is a failure: the work stops, and the exit code is 1.

import (
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/term"
)

// Output passes writes on to standard output and remembers the first that failed. Several goroutines may write.
type Output struct {
	to     io.Writer
	failed func() // called once, at the first error: what follows would be lost too

	mu    sync.Mutex
	err   error
	wrote bool
}

// NewOutput writes to w, and calls failed at the first error.
func NewOutput(w io.Writer, failed func()) *Output { return &Output{to: w, failed: failed} }

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	o.wrote = true
	n, err := o.to.Write(p)
	if err != nil {
		o.err = fmt.Errorf("the result could not be printed: %w", err)
		o.failed()
	}
	return n, o.err
}

// Err is the first error, or nil.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Discarded reports whether output was lost without an error: standard output is closed.
func (o *Output) Discarded() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	file, ok := o.to.(*os.File)
	return ok && o.wrote && discards(file)
}

// isTerminal says whether a person sees at once what is written to w.
func isTerminal(w io.Writer) bool {
	if o, ok := w.(*Output); ok {
		w = o.to
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
