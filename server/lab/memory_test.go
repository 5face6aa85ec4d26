package lab

import (
	"slices"
	"testing"
	"time"
)

func TestMemoryIsReturnedOnceMoreWhenNothingIsGivenBackAnyLonger(t *testing.T) {
	var m memory
	start := time.Now()
	var due []int
	for second, freed := range []float64{0, 1e6, 500e6, 500e6, 200e6, 20e6, 20e6, 0, 0, 0, 0, 30e6, 30e6, 0, 0, 0, 0} {
		if m.due(start.Add(time.Duration(second)*time.Second), freed) {
			due = append(due, second)
		}
	}
	// At 2 there is much, at 6 much again of what came since; at 10 the rest, and what came at 11 and 12 is little.
	if want := []int{2, 6, 10}; !slices.Equal(due, want) {
		t.Errorf("it is returned at %v s instead of %v", due, want)
	}
}
