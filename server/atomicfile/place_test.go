//go:build linux

package atomicfile

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// null makes the device that discards everything, in a folder of the test.
func null(t *testing.T, path string) {
	t.Helper()
	err := unix.Mknod(path, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3)))
	if errors.Is(err, unix.EPERM) {
		t.Skip("only root may make a device")
	}
	must(t, err)
}

// No file replaces a device, a pipe or a link.
func TestWhatIsNotAFileStaysThere(t *testing.T) {
	const content = "all of it"
	for _, c := range []struct {
		name     string
		make     func(t *testing.T, path string)
		discards bool
	}{
		{"device", null, true},
		{"pipe", func(t *testing.T, path string) { must(t, unix.Mkfifo(path, 0o600)) }, false},
		{"link to a device", func(t *testing.T, path string) {
			null(t, path+".device")
			must(t, os.Symlink(path+".device", path))
		}, true},
		{"link to a pipe", func(t *testing.T, path string) {
			must(t, unix.Mkfifo(path+".pipe", 0o600))
			must(t, os.Symlink(filepath.Base(path)+".pipe", path))
		}, false},
		{"link to a file", func(t *testing.T, path string) {
			must(t, os.WriteFile(path+".file", nil, 0o644))
			must(t, os.Symlink(filepath.Base(path)+".file", path))
		}, false},
		{"link to no file yet", func(t *testing.T, path string) {
			must(t, os.Symlink(filepath.Base(path)+".file", path))
		}, false},
		{"link to a link to no file yet", func(t *testing.T, path string) {
			must(t, os.Mkdir(path+".folder", 0o755))
			must(t, os.Symlink(path+".folder", path+".elsewhere"))
			must(t, os.Symlink("file", path+".folder/link"))
			must(t, os.Symlink(path+".elsewhere/link", path))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a")
			c.make(t, path)
			before, err := os.Lstat(path)
			must(t, err)
			must(t, Writable(path))
			var read chan string
			if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
				read = make(chan string)
				go func() { // ends with the writer's close
					got, err := os.ReadFile(path)
					if err != nil {
						t.Error(err)
					}
					read <- string(got)
				}()
			}
			must(t, WriteFile(path, []byte(content), 0o644))
			after, err := os.Lstat(path)
			must(t, err)
			if !os.SameFile(before, after) || before.Mode() != after.Mode() {
				t.Fatalf("%v became %v", before.Mode(), after.Mode())
			}
			got, want := "", content
			if read != nil {
				got = <-read
			} else {
				text, err := os.ReadFile(path)
				must(t, err)
				got = string(text)
			}
			if c.discards {
				want = ""
			}
			if got != want {
				t.Errorf("the reader gets %q, want %q", got, want)
			}
		})
	}
}

// streamsTo names a path for the process that TestTheOpenOutputIsWrittenThrough starts.
const streamsTo = "ATOMICFILE_WRITES"

// A path can name the standard output, which may be a pipe or a file.
func TestTheOpenOutputIsWrittenThrough(t *testing.T) {
	if path := os.Getenv(streamsTo); path != "" {
		must(t, WriteFile(path, []byte("content,"), 0o644))
		os.Stdout.WriteString("later,")
		return
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	must(t, err)
	defer file.Close()
	for name, to := range map[string]*os.File{"pipe": nil, "file": file} { // nil: into a pipe
		again := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		again.Env, again.Stderr = append(os.Environ(), streamsTo+"=/proc/self/fd/1"), t.Output()
		var got []byte
		if to == nil {
			got, err = again.Output()
		} else {
			again.Stdout = to
			must(t, again.Run())
			got, err = os.ReadFile(file.Name())
		}
		if err != nil || !strings.HasPrefix(string(got), "content,later,") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestAFileKeepsItsModeAndItsOwner(t *testing.T) {
	for _, mode := range []os.FileMode{0o600, 0o640, 0o664, 0o666, 0o755, 0o200} {
		path := filepath.Join(t.TempDir(), "a")
		must(t, os.WriteFile(path, []byte("old"), 0o600))
		must(t, os.Chmod(path, mode))
		uid, gid := os.Getuid(), os.Getgid()
		if uid == 0 {
			uid, gid = 12345, 54321
			must(t, os.Chown(path, uid, gid))
		}
		must(t, WriteFile(path, []byte("new"), 0o644))
		info, err := os.Stat(path)
		must(t, err)
		owner := info.Sys().(*syscall.Stat_t)
		if info.Mode() != mode || int(owner.Uid) != uid || int(owner.Gid) != gid {
			t.Errorf("%v of %d and %d became %v of %d and %d", mode, uid, gid, info.Mode(), owner.Uid, owner.Gid)
		}
	}
}

// A refusal leaves the path as it was, and names it.
func TestWhatMustNotBeWrittenIsRefused(t *testing.T) {
	fill := func(io.Writer) error { return errors.New("it was filled") }
	for _, c := range []struct {
		name, want string
		make       func(path string) error
	}{
		{"folder", "a folder", func(path string) error { return os.Mkdir(path, 0o755) }},
		{"read-only file", "read-only", func(path string) error { return os.WriteFile(path, nil, 0o444) }},
		{"link to a read-only file", "read-only", func(path string) error {
			return errors.Join(os.WriteFile(path+".file", nil, 0o400), os.Symlink(path+".file", path))
		}},
		{"socket", "a socket", func(path string) error {
			l, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { l.Close() })
			}
			return err
		}},
		{"link to itself", "too many levels", func(path string) error { return os.Symlink(path, path) }},
		{"link into no folder", "no such file", func(path string) error { return os.Symlink(path+".folder/a", path) }},
	} {
		path := filepath.Join(t.TempDir(), "a")
		must(t, c.make(path))
		before, err := os.Lstat(path)
		must(t, err)
		if err := Write(path, 0o644, fill); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if err := Writable(path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v before it is written", c.name, err)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: it was replaced (%v)", c.name, err)
		}
	}
}
