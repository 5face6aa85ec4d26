package view

import (
	"slices"
	"testing"

	"impalab/envs"
	"impalab/web/wire"
)

func TestTheTraceIsTheProductOfTheLastCs(t *testing.T) {
	var tr trace
	for i, c := range []float32{1, 0.5, 0.5} {
		tr.add(&wire.Frame{Number: uint64(i + 1), C: c})
	}
	var out [traceSteps]float32
	if n := tr.reach(&out); !slices.Equal(out[:n], []float32{0.5, 0.25, 0.25}) {
		t.Errorf("reach is %v", out[:n])
	}
}

func TestEndsAndGapsAreWalls(t *testing.T) {
	var tr trace
	var out [traceSteps]float32
	tr.add(&wire.Frame{Number: 1, C: 1})
	tr.add(&wire.Frame{Number: 2, C: 1, End: uint8(envs.Terminated)})
	tr.add(&wire.Frame{Number: 3, C: 1})
	if n := tr.reach(&out); n != 1 {
		t.Errorf("the trace crosses an episode's end: %d steps", n)
	}
	tr.add(&wire.Frame{Number: 5, C: 1})
	if n := tr.reach(&out); n != 1 {
		t.Errorf("the trace crosses a gap: %d steps", n)
	}
	for i := range uint64(100) {
		tr.add(&wire.Frame{Number: 6 + i, C: 1})
	}
	if n := tr.reach(&out); n != traceSteps {
		t.Errorf("the trace has %d steps, want %d", n, traceSteps)
	}
}
