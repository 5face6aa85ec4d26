package goldens

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// refused is a test that notes how far it came.
type refused struct {
	testing.TB
	complaints int
}

func (r *refused) Helper()               {}
func (r *refused) Errorf(string, ...any) { r.complaints++ }
func (r *refused) Fatal(...any)          { r.complaints++; panic(r) }
func (r *refused) Fatalf(string, ...any) { r.Fatal() }

// refuses counts the complaints of a test that calls do.
func refuses(do func(t testing.TB)) int {
	r := &refused{}
	func() {
		defer func() {
			if fault := recover(); fault != nil && fault != any(r) {
				panic(fault)
			}
		}()
		do(r)
	}()
	return r.complaints
}

func TestAnotherFolderCanBeNamed(t *testing.T) {
	if os.Getenv("GOLDENS") == "" && len(Names(t, "*.json*")) < 10 {
		t.Error("the project's own reference files were not found")
	}
	folder := t.TempDir()
	t.Setenv("GOLDENS", folder)
	const text = `{"Cases": [[1, 2], [[3]], true, false]}`
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(text))
	w.Close()
	for name, blob := range map[string][]byte{"a.json": []byte(text), "a.json.gz": packed.Bytes(), "b.gz": []byte(text)} {
		if err := os.WriteFile(filepath.Join(folder, name), blob, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if names := Names(t, "a*"); !slices.Equal(names, []string{"a.json", "a.json.gz"}) {
		t.Errorf("the folder holds %v", names)
	}
	for _, name := range Names(t, "a*") {
		var file struct{ Cases Nested }
		if Decode(t, name, &file); !slices.Equal(file.Cases, []float64{1, 2, 3, 1, 0}) {
			t.Errorf("%s: %v", name, file.Cases)
		}
	}
	for what, do := range map[string]func(testing.TB){
		"no such file":     func(t testing.TB) { Read(t, "none.json") },
		"no such files":    func(t testing.TB) { Names(t, "none*") },
		"not packed":       func(t testing.TB) { Read(t, "b.gz") },
		"of another shape": func(t testing.TB) { Decode(t, "a.json", &struct{ Cases int }{}) },
		"a number too few": func(t testing.TB) { Compare(t, "x", []float32{1}, []float64{1, 2}, Tolerance{}) },
		"a number too far": func(t testing.TB) {
			Compare(t, "x", []float64{1, 3}, []float64{1, 2},
				Tolerance{Atol: 0.9})
		},
		"not a number at all": func(t testing.TB) {
			Compare(t, "x", []float64{math.NaN()}, []float64{1},
				Tolerance{Atol: 9})
		},
		"a number that is ours": func(t testing.TB) { Compare(t, "x", []float64{2}, []float64{1}, Tolerance{Rtol: 0.9}) },
	} {
		if refuses(do) != 1 {
			t.Errorf("%s: not refused", what)
		}
	}
	Compare(t, "at the edge", []float32{3.5}, []float64{2}, Tolerance{Rtol: 0.5, Atol: 0.5})
}

func TestWordsAmongNumbersAreRefused(t *testing.T) {
	for _, text := range []string{`"NaN"`, `[1, null]`, `{"a": 1}`, `[[1], ["2"]]`} {
		var n Nested
		if err := json.Unmarshal([]byte(text), &n); err == nil {
			t.Errorf("%s was read as %v", text, n)
		}
	}
}
