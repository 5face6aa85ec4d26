// Package goldens reads the reference cases in learner/testdata/goldens: numbers that others computed, which tests hold
// against ours. $GOLDENS names another folder to read instead. Only tests import it.
package goldens

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder is $GOLDENS, or the project's copy, sought from the folder in which a test runs upwards.
func folder() (string, error) {
	if given := os.Getenv("GOLDENS"); given != "" {
		return given, nil
	}
	at, err := os.Getwd()
	for ; err == nil; at = filepath.Dir(at) {
		if found := filepath.Join(at, "learner", "testdata", "goldens"); exists(found) {
			return found, nil
		}
		if at == filepath.Dir(at) {
			return "", errors.New("no learner/testdata/goldens above this folder; name one in GOLDENS")
		}
	}
	return "", err
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Names are the files whose names match a pattern, of which there must be some.
func Names(t testing.TB, pattern string) (names []string) {
	t.Helper()
	from, err := folder()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(from, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s holds no %s (%v)", from, pattern, err)
	}
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	return names
}

// Read is a file's text, unpacked where its name ends in .gz.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	from, err := folder()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(from, name))
	if err == nil && strings.HasSuffix(name, ".gz") {
		var packed *gzip.Reader
		if packed, err = gzip.NewReader(bytes.NewReader(text)); err == nil {
			text, err = io.ReadAll(packed)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return text
}

// Decode reads a file's JSON.
func Decode(t testing.TB, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(Read(t, name), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Tolerance is how far from a reference number ours may be: |got − want| ≤ Atol + Rtol·|want|.
type Tolerance struct{ Rtol, Atol float64 }

// Near reports whether got is near enough; NaN never is.
func (tol Tolerance) Near(got, want float64) bool {
	return math.Abs(got-want) <= tol.Atol+tol.Rtol*math.Abs(want)
}

// Compare reports the first of our numbers that is too far from the reference's.
func Compare[F ~float32 | ~float64](t testing.TB, what string, got []F, want []float64, tol Tolerance) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		if !tol.Near(float64(got[i]), want[i]) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

// Nested is an array of arrays of any depth, flattened; true and false read as 1 and 0, a lone number as one of one,
// null as none.
type Nested []float64

// UnmarshalJSON makes Nested a json.Unmarshaler.
func (n *Nested) UnmarshalJSON(data []byte) error {
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return err
	}
	if *n = nil; tree == nil {
		return nil
	}
	flat, err := flatten(nil, tree)
	*n = flat
	return err
}

func flatten(flat []float64, tree any) (_ []float64, err error) {
	switch v := tree.(type) {
	case []any:
		for _, branch := range v {
			if flat, err = flatten(flat, branch); err != nil {
				return nil, err
			}
		}
		return flat, nil
	case float64:
		return append(flat, v), nil
	case bool:
		if v {
			return append(flat, 1), nil
		}
		return append(flat, 0), nil
	}
	return nil, fmt.Errorf("%v among numbers", tree)
}
