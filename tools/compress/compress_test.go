package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func TestItUnpacksToTheFile(t *testing.T) {
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
	packed, err := os.ReadFile(filepath.Join(to, "app.wasm.br"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed))); err != nil || !bytes.Equal(got, body) {
		t.Errorf("%d bytes come back, %v, want %d", len(got), err, len(body))
	}
	if len(packed) > len(body)/10 {
		t.Errorf("%d bytes for %d that repeat", len(packed), len(body))
	}
	if !strings.Contains(log.String(), "app.wasm.br") {
		t.Errorf("the log does not name it: %s", log.String())
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
