package command

import (
	"testing"
	"time"
)

func TestNothingIsClosedPastTheEnd(t *testing.T) {
	e := newEnding()
	closed := false
	e.close(func() { closed = true })
	if !closed {
		t.Error("close came back before what it closes had ended")
	}
	stuck := make(chan struct{})
	defer close(stuck)
	e.in(50 * time.Millisecond)
	for range 2 {
		e.close(func() { <-stuck }) // the test hangs where this waits
	}
}
