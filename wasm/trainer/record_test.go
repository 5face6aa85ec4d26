package trainer

import (
	"testing"

	"impalab/web/runloop"
)

// The past thins out, but the newest snapshot stays: pages return there most.
func TestTheNewestSnapshotStaysWhenOthersGo(t *testing.T) {
	r := &Run{record: &record{Record: new(runloop.Record)}}
	c := r.record
	for update := uint64(1); update <= 3*maxSnapshots; update++ {
		r.Save(runloop.Snapshot{Update: update, Blob: make([]byte, 10)})
		if n := len(c.snapshots); n > maxSnapshots || c.snapshots[n-1].Update != update {
			t.Errorf("after update %d there are %d snapshots, the newest of update %d", update, n, c.snapshots[n-1].Update)
		}
	}
	for i, s := range c.snapshots[1:] {
		if before := c.snapshots[i]; s.Update <= before.Update {
			t.Errorf("a snapshot of update %d comes after one of update %d", s.Update, before.Update)
		}
	}
	r.Save(runloop.Snapshot{Update: 1000, Blob: make([]byte, maxKept)})
	if n := len(c.snapshots); c.snapshots[n-1].Update != 1000 || n > 2 {
		t.Errorf("one snapshot fills the memory, and %d are kept", n)
	}
}
