package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const stored = "../../static/corrections.json"

func TestTheFileIsTheOracles(t *testing.T) {
	text, err := write()
	if err != nil {
		t.Fatal(err)
	}
	if file, err := os.ReadFile(stored); err != nil || !bytes.Equal(file, text) {
		t.Errorf("static/corrections.json is not what the oracle computes: run go -C tools run ./vectors (%v)", err)
	}
}

// python returns a Python that has NumPy. tools/numpy.sh installs Debian's.
func python(t *testing.T) string {
	for _, path := range []string{"/usr/bin/python3", "python3"} {
		if exec.CommandContext(t.Context(), path, "-c", "import numpy").Run() == nil {
			return path
		}
	}
	if os.Getenv("NEED_NUMPY") != "" {
		t.Fatal("there is no python3 with NumPy, and NEED_NUMPY is set")
	}
	t.Skip("there is no python3 with NumPy")
	return ""
}

// The twin in NumPy makes the same numbers. It notices a weight with another sign.
func TestTheTwinInNumPyAgrees(t *testing.T) {
	python := python(t)
	compare := func(path string) (string, error) {
		said, err := exec.CommandContext(t.Context(), python, "../../notebooks/corrections.py", path).CombinedOutput()
		return string(said), err
	}
	if said, err := compare(stored); err != nil {
		t.Errorf("the twin disagrees: %v\n%s", err, said)
	}
	text, err := os.ReadFile(stored)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.json")
	text = bytes.Replace(text, []byte(`"weight":[`), []byte(`"weight":[-`), 1)
	if err := os.WriteFile(other, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if said, err := compare(other); err == nil {
		t.Errorf("the twin does not notice another weight: %s", said)
	}
}
