package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"impalab/server/command"
)

// TestAResultThatCannotBePrintedIsAFailure writes to a device that is always full.
func TestAResultThatCannotBePrintedIsAFailure(t *testing.T) {
	for _, args := range []string{
		"version",
		"--help",
		"train --help",
		"worlds",
		"algos",
		"presets",
		"settings",
		"reproduce",
		"config",
		"train --world catch --steps 200",
		"train --world catch --steps 200 --json",
		"train --world catch --steps 200 --seeds 1-2",
		"train --world catch --steps 200 --seeds 1-2 --json",
		"evolve --world catch --steps 200 --members 2 --every 100",
		"evolve --world catch --steps 1000000000 --members 2 --every 100 --json", // ends with the first lost line
		"bench --world catch --seconds 0.01",
		"bench --world catch --seconds 0.01 --json",
		"serve --addr 127.0.0.1:0 --data " + t.TempDir(),
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip("this system has no /dev/full")
		}
		var stderr bytes.Buffer
		code := NewMain(nil, full, &stderr).Exec(t.Context(), strings.Fields(args))
		full.Close()
		if code != command.ExitFailed || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("impalab %s: exit code %d, %q", args, code, stderr.String())
		}
	}
}

// TestAClosedStandardOutputIsReported starts the program as the Go runtime starts it with a closed standard output.
func TestAClosedStandardOutputIsReported(t *testing.T) {
	for mode, said := range map[int]bool{os.O_RDWR: true, os.O_WRONLY: false} {
		null, err := os.OpenFile(os.DevNull, mode, 0)
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		code := NewMain(nil, null, &stderr).Exec(t.Context(), []string{"version"})
		null.Close()
		if code != command.ExitOK || strings.Contains(stderr.String(), "standard output is closed") != said {
			t.Errorf("opened as %d: exit code %d, %q", mode, code, stderr.String())
		}
	}
}
