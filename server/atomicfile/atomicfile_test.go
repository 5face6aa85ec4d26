package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// alone fails unless folder holds nothing but a file of this name and content; "": nothing at all.
func alone(t *testing.T, folder, name, content string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != name {
		t.Fatalf("the folder holds %q, want %q", got, name)
	}
	if name == "" {
		return
	}
	if got, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(got) != content {
		t.Errorf("%s holds %q (%v), want %q", name, got, err, content)
	}
}

func TestAFileIsReplacedWhole(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	for _, content := range []string{"first, and longer", "second"} {
		if err := WriteFile(path, []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
		alone(t, folder, "a", content)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&^0o640 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// A disk that fills up half-way shows as an error of a write, and so does one that the writer makes itself.
func TestAWriteThatFailsLeavesEverythingAsItWas(t *testing.T) {
	full := errors.New("no space left on device")
	half := func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			return err
		}
		return full
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	if err := Write(path, 0o644, half); !errors.Is(err, full) {
		t.Fatalf("error %v", err)
	}
	alone(t, folder, "", "")
	if err := WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, 0o644, half); !errors.Is(err, full) {
		t.Fatalf("error %v", err)
	}
	alone(t, folder, "a", "old")
}

func TestALinkStaysALink(t *testing.T) {
	folder := t.TempDir()
	target, link := filepath.Join(t.TempDir(), "target"), filepath.Join(folder, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "new" {
		t.Errorf("the target holds %q, %v", got, err)
	}
	if to, err := os.Readlink(link); err != nil || to != target {
		t.Errorf("the link points to %q, %v", to, err)
	}
}

func TestAMissingFolderIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "a")
	if err := WriteFile(path, nil, 0o644); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
}

func TestCheckSaysWhyAFolderTakesNoFiles(t *testing.T) {
	folder := t.TempDir()
	if err := Check(folder); err != nil {
		t.Errorf("a folder that can be written: %v", err)
	}
	alone(t, folder, "", "")
	if err := Check(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	for _, full := range []string{"/sys", "/proc"} { // not even root makes files there
		if _, err := os.Stat(full); err == nil && Check(full) == nil {
			t.Errorf("files can be made in %s", full)
		}
	}
}
