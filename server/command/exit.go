package command

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Exit codes. Exits says when a command ends with each of them.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitDiffers     = 3
	ExitNotFound    = 4
	ExitInterrupted = 130 // as shells report an interrupt: 128 + 2
)

// Exit is a row of the table of exit codes.
type Exit struct {
	Code    int
	Name    string
	Meaning string
}

// Exits is the table in --help and in docs/command-line.md.
var Exits = []Exit{
	{ExitOK, "ok", "The command did its work. A run that diverged is a result."},
	{ExitFailed, "failed", "The work failed. Standard error says why."},
	{ExitUsage, "usage", "The command line or the environment is wrong. Nothing was started."},
	{ExitDiffers, "differs", "A recomputed result differs from the stored one (replay)."},
	{ExitNotFound, "not found", "A file, folder, run or track that the command names does not exist."},
	{ExitInterrupted, "interrupted", "A signal ended the work early. Standard output has the result so far."},
}

// ExitCode returns the code of a command that ended with err.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, ErrInterrupted):
		return ExitInterrupted
	case errors.Is(err, fs.ErrNotExist): // also where the command line names it
		return ExitNotFound
	case errors.Is(err, errDiffers):
		return ExitDiffers
	case errors.As(err, new(UsageError)):
		return ExitUsage
	}
	return ExitFailed
}

// ExitHelp returns the table as --help prints it.
func ExitHelp() string {
	var b strings.Builder
	b.WriteString("Exit codes:")
	for _, row := range Exits {
		fmt.Fprintf(&b, "\n  %-3d  %s", row.Code, row.Meaning)
	}
	return b.String()
}

var (
	// ErrInterrupted says that a signal ended the work early.
	ErrInterrupted = errors.New("interrupted before the work was done")

	// errDiffers ends a comparison. The command has printed the difference.
	errDiffers = errors.New("the recomputed parameters differ from the stored ones")
)

// UsageError says that a value on the command line or in the environment is wrong.
type UsageError struct{ error }

// Usage returns err as a UsageError.
func Usage(err error) error { return UsageError{err} }

// usagef returns a UsageError with a formatted sentence.
func usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Unwrap returns the cause.
func (e UsageError) Unwrap() error { return e.error }

// notFound is an error about a run, a track or a folder that does not exist.
type notFound struct{ error }

// Is implements errors.Is.
func (notFound) Is(target error) bool { return target == fs.ErrNotExist }

// missing returns err as a notFound.
func missing(err error) error { return notFound{err} }

// Named returns an error about a file with the file's name and without the name of the system call.
func Named(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return fmt.Errorf("%s: %w", failed.Path, failed.Err)
	}
	return err
}

// cause returns an error about a file without the file's name, for sentences that contain it.
func cause(err error) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
