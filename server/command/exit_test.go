package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDocumentHasTheTableOfExitCodes(t *testing.T) {
	text, err := os.ReadFile("../../docs/command-line.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	rows.WriteString("| ---: | --- | --- |\n")
	for _, e := range Exits {
		fmt.Fprintf(&rows, "| %d | %s | %s |\n", e.Code, e.Name, e.Meaning)
	}
	if !strings.Contains(string(text), rows.String()+"\n") {
		t.Errorf("docs/command-line.md must have these rows and no others:\n%s", rows.String())
	}
}

func TestEachErrorHasOneExitCode(t *testing.T) {
	for code, errs := range map[int][]error{
		ExitOK:          {nil},
		ExitFailed:      {errors.New("a disk is full")},
		ExitUsage:       {UsageError{errors.New("--jobs")}, fmt.Errorf("more: %w", Usage(errors.New("--jobs")))},
		ExitDiffers:     {fmt.Errorf("1 of 2: %w", errDiffers)},
		ExitNotFound:    {UsageError{fmt.Errorf("x: %w", fs.ErrNotExist)}, missing(errors.New("a track"))},
		ExitInterrupted: {errors.Join(ErrInterrupted, errors.New("also"))},
	} {
		for _, err := range errs {
			if got := ExitCode(err); got != code {
				t.Errorf("%v: code %d, want %d", err, got, code)
			}
		}
	}
}

func TestAMissingFileHasTheSameCodeEverywhere(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range []string{
		"eval nope", "train --resume nope", "replay nope", "restore nope", "restore nope --data new", "backup x --data nope",
		"board close --data nope", "board export out --tracks nope", "board tracks --tracks nope",
		"board try nope", "board tracks nope", "worker --data nope", "serve --tracks nope",
		"serve --tls-cert nope --tls-key nope", "train --save nope/x", "train --tape nope/x", "train --plot nope/x.svg",
		"healthcheck --tls-cert nope",
	} {
		code, stdout, stderr := run(t, strings.Fields(line)...)
		if code != ExitNotFound || stdout != "" || !strings.Contains(stderr, "nope") {
			t.Errorf("%s: exit code %d, %q, %q", line, code, stdout, stderr)
		}
		for _, private := range []string{"stat ", "open ", "mkdir ", "lstat ", "check."} {
			if strings.Contains(stderr, private) {
				t.Errorf("%s: %q names a system call", line, stderr)
			}
		}
	}
	if made, _ := filepath.Glob("*"); len(made) > 0 {
		t.Errorf("these files were made: %v", made)
	}
}
