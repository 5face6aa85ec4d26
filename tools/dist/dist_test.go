package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	at    = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	files = []entry{{name: "impalab", text: []byte("program"), runs: true}, {name: "docs/hosting.md", text: []byte("how")},
		{name: "LICENSE", text: []byte("MIT")}}
)

func TestTheSameFilesMakeTheSameBytesInAnyOrder(t *testing.T) {
	turned := slices.Clone(files)
	slices.Reverse(turned)
	for _, to := range []target{{os: "linux", arch: "amd64"}, {os: "windows", arch: "amd64"}} {
		first, err := pack(to, "impalab-1", files, at)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		second, err := pack(to, "impalab-1", turned, at.In(time.FixedZone("elsewhere", 3600)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("%s: two archives of the same files differ", to)
		}
		if later, err := pack(to, "impalab-1", files, at.Add(time.Hour)); err != nil || bytes.Equal(first, later) {
			t.Errorf("%s: the date of the commit is not in the archive (%v)", to, err)
		}
	}
}

func TestAnArchiveHoldsOneFolderWithAProgramThatRuns(t *testing.T) {
	want := "impalab-1/LICENSE 644 MIT, impalab-1/docs/hosting.md 644 how, impalab-1/impalab 755 program"
	packed, err := pack(target{os: "linux", arch: "amd64"}, "impalab-1", files, at)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		text, err := io.ReadAll(r)
		if err != nil || !h.ModTime.Equal(at) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%+v %v", h, err)
		}
		got = append(got, line(h.Name, os.FileMode(h.Mode), text))
	}
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("tar: %s\nwant %s", all, want)
	}
	if packed, err = pack(target{os: "windows", arch: "amd64"}, "impalab-1", files, at); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil || !f.Modified.Equal(at) {
			t.Errorf("%s is of %v, %v", f.Name, f.Modified, err)
		}
		got = append(got, line(f.Name, f.Mode(), text))
	}
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("zip: %s\nwant %s", all, want)
	}
}

func line(name string, mode os.FileMode, text []byte) string {
	return name + " " + map[os.FileMode]string{0o644: "644", 0o755: "755"}[mode.Perm()] + " " + string(text)
}

func TestWorkOfOthersWithoutALicenceIsRefused(t *testing.T) {
	dir := t.TempDir()
	var text bytes.Buffer
	if err := licence(&text, "example.org/x v1", dir); err == nil || !strings.Contains(err.Error(), "example.org/x v1") {
		t.Errorf("no licence: %v", err)
	}
	for _, name := range []string{"LICENSE", "COPYING.txt", "NOTICE"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("words of "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := licence(&text, "example.org/x v1", dir); err != nil || strings.Count(text.String(), "words of ") != 3 {
		t.Errorf("%v:\n%s", err, text.String())
	}
}

func TestAProgramThatNeedsALoaderIsRefused(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("a program of Linux that needs a loader is wanted: ", err)
	}
	if shell, err = filepath.EvalSymlinks(shell); err != nil {
		t.Fatal(err)
	}
	if err := static(shell); err == nil || !strings.Contains(err.Error(), "libc") {
		t.Errorf("%s: %v", shell, err)
	}
}

func TestTheReleaseIsReadAndUnknownSystemsAreNamed(t *testing.T) {
	d := &dist{root: "../.."}
	if release, err := d.release(); err != nil || strings.Count(release, ".") != 2 {
		t.Errorf("%q, %v", release, err)
	}
	if _, err := choose("linux/amd64,plan9/386"); err == nil || !strings.Contains(err.Error(), "plan9/386") {
		t.Error(err)
	}
	if got, err := choose("darwin/arm64"); err != nil || len(got) != 1 || got[0].arch != "arm64" {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := choose("linux/amd64/opencl"); err != nil || len(got) != 1 || !got[0].opencl {
		t.Errorf("%v, %v", got, err)
	}
}
