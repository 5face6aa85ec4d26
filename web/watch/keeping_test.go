package watch

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestTheFirstSnapshotIsTakenSoon after a run began or resumed, and later ones every ten seconds.
func TestTheFirstSnapshotIsTakenSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var k Keeping
		began := time.Now()
		for _, want := range []time.Duration{time.Second, 11 * time.Second, 21 * time.Second} {
			for !k.Due() {
				time.Sleep(10 * time.Millisecond)
			}
			if at := time.Since(began); at < want || at > want+100*time.Millisecond {
				t.Errorf("a snapshot was taken after %v; want %v", at, want)
			}
			k.Schedule(time.Now())
		}
	})
}
