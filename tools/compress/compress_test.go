package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func TestBothFormsUnpackToTheFile(t *testing.T) {
	dir, to := t.TempDir(), t.TempDir()
	body := bytes.Repeat([]byte("the same again and again, "), 1000)
	file := filepath.Join(dir, "app.wasm")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	if err := squeeze(&log, file, to, 5); err != nil {
		t.Fatal(err)
	}
	for ext, unpack := range map[string]func(io.Reader) (io.Reader, error){
		".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	} {
		packed, err := os.ReadFile(filepath.Join(to, "app.wasm"+ext))
		if err != nil {
			t.Fatal(err)
		}
		r, err := unpack(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, body) {
			t.Errorf("%s: %d bytes come back, %v, want %d", ext, len(got), err, len(body))
		}
		if len(packed) > len(body)/10 {
			t.Errorf("%s: %d bytes for %d that repeat", ext, len(packed), len(body))
		}
		if !strings.Contains(log.String(), "app.wasm"+ext) {
			t.Errorf("the log does not name %s: %s", ext, log.String())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(to, "*.part")); len(left) > 0 {
		t.Errorf("half files are left: %v", left)
	}
}

func TestAFailureLeavesTheOldFileAlone(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "app.wasm.br")
	if err := os.WriteFile(old, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := squeeze(io.Discard, filepath.Join(dir, "app.wasm"), dir, 5); err == nil ||
		!strings.Contains(err.Error(), "app.wasm") {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(old); string(got) != "old" {
		t.Errorf("the old file holds %q", got)
	}
}
