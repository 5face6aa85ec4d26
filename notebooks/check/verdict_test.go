package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func parse(t *testing.T, outputs ...string) *notebook {
	t.Helper()
	cells := []string{`{"cell_type":"markdown","source":"# V"}`}
	for _, o := range outputs {
		cells = append(cells, `{"cell_type":"code","outputs":[`+o+`]}`)
	}
	n := new(notebook)
	if err := json.Unmarshal([]byte(`{"cells":[`+strings.Join(cells, ",")+`]}`), n); err != nil {
		t.Fatal(err)
	}
	return n
}

const (
	fine   = `{"output_type":"stream","name":"stdout","text":["v\n","ok\n"]}`
	pieces = `{"output_type":"stream","name":"stdout","text":"v\no"},{"output_type":"stream","name":"stdout","text":"k\n"}`
	panics = `{"output_type":"stream","name":"stderr","text":"panic: does not hold"}`
	stops  = `{"output_type":"error","ename":"ERROR","evalue":"1","traceback":["undefined: x"]}`
)

func TestNotebookHoldsOnlyWhenNothingComplainsAndItEndsWithOK(t *testing.T) {
	for _, c := range []struct {
		name    string
		outputs []string
		want    []string // one for each fault
	}{
		{"as it should be", []string{"", fine}, nil},
		{"printed in pieces", []string{pieces}, nil},
		{"a panic in an early cell", []string{panics, fine}, []string{"cell 1 complained:\npanic: does not hold"}},
		{"a panic after ok", []string{fine + "," + panics}, []string{"cell 1 complained"}},
		{"a cell that does not compile", []string{stops, fine}, []string{"undefined: x"}},
		{"ok too early", []string{fine, ""}, []string{"the last code cell 2"}},
		{"ok as the end of a word", []string{`{"output_type":"stream","name":"stdout","text":"book\n"}`}, []string{`"book"`}},
		{"only words", nil, []string{"no code"}},
	} {
		got := parse(t, c.outputs...).faults()
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %d faults", c.name, got, len(c.want))
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: %q does not tell %q", c.name, got[i], want)
			}
		}
	}
}

func TestChangedOutputIsNoticedAndPiecesAreNot(t *testing.T) {
	if got := parse(t, pieces).changes(parse(t, fine)); len(got) != 0 {
		t.Errorf("the same text in pieces counts as changed: %q", got)
	}
	if got := parse(t, fine).changes(parse(t, "")); len(got) != 1 || !strings.Contains(got[0], "-write") {
		t.Errorf("new text is not noticed: %q", got)
	}
}
