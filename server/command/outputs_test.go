//go:build linux

package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Every flag that names a file to write keeps a pipe and a mode, and refuses a file that must not be written.
func TestAnOutputLeavesPipesAndModesAsTheyAre(t *testing.T) {
	for _, flag := range []string{"save", "plot"} {
		path := filepath.Join(t.TempDir(), "out.svg")
		train := func(before os.FileMode, code int, says string) os.FileMode {
			t.Helper()
			got, _, stderr := run(t, "train", "--preset", "catch", "--steps", "500", "--"+flag, path)
			if got != code || !strings.Contains(stderr, says) {
				t.Errorf("--%s over %v: exit code %d, %s", flag, before, got, stderr)
			}
			info, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			return info.Mode()
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []os.FileMode{0o600, 0o664} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if after := train(mode, ExitOK, ""); after != mode {
				t.Errorf("--%s: %v became %v", flag, mode, after)
			}
		}
		if err := os.Chmod(path, 0o444); err != nil {
			t.Fatal(err)
		}
		if train(0o444, ExitUsage, "--"+flag+` "`+path+`": it is read-only: allow writing with chmod u+w`) != 0o444 {
			t.Errorf("--%s: the read-only file changed", flag)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		// Open for reading and writing, a pipe blocks nobody, and holds more than either file.
		pipe, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := unix.FcntlInt(pipe.Fd(), unix.F_SETPIPE_SZ, 1<<20); err != nil {
			t.Fatal(err)
		}
		if after := train(os.ModeNamedPipe, ExitOK, ""); after&os.ModeNamedPipe == 0 {
			t.Fatalf("--%s: the pipe became %v", flag, after)
		}
		first := make([]byte, 4)
		if n, err := pipe.Read(first); n != len(first) || err != nil {
			t.Errorf("--%s: the pipe has %q, %v", flag, first[:n], err)
		}
		pipe.Close()
	}
}
