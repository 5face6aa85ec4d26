package command

import (
	"context"
	"testing"
)

func TestNothingIsClosedPastTheEnd(t *testing.T) {
	end, over := context.WithCancel(t.Context())
	closed := false
	within(end, func() { closed = true })
	if !closed {
		t.Error("within returned before the function had ended")
	}
	stuck := make(chan struct{})
	defer close(stuck)
	over()
	for range 2 {
		within(end, func() { <-stuck }) // the test hangs where this waits
	}
}
