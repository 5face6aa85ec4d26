package seedjob

import (
	"fmt"
	"strings"
	"testing"

	"impalab/learner/schedule"
)

// A stack has the arguments of functions in it. One of them is the seed.
func TestNoReasonTellsASecretSeed(t *testing.T) {
	o := Order{Seeds: []uint64{123456789, 987654321}, Names: []string{"secret:0", "secret:1"}}
	fault := schedule.Catch(func() error { panic("index 987654321 out of range") })
	if err := fmt.Errorf("seed secret:1: %w", fault); !strings.Contains(err.Error(), "goroutine") {
		t.Fatalf("a fault without its stack: %v", err)
	} else if got, want := o.reason(err), "a fault of ours: index secret:1 out of range"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := o.reason(fmt.Errorf("seed=%d: it broke", 123456789)), "seed=secret:0: it broke"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
