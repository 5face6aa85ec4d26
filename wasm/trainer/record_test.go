package trainer

import (
	"math"
	"testing"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/web/watch"
)

// The past thins out, and where the run stands stays: it is what a page comes back to most.
func TestTheNewestSnapshotStaysWhenOthersGo(t *testing.T) {
	cfg, err := hyper.FromPreset("catch")
	if err != nil {
		t.Fatal(err)
	}
	cfg.BatchSize, cfg.UnrollLen, cfg.Hidden, cfg.Speed = 1, 2, "2", math.Inf(1)
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := newRecord("test", &cfg)
	_, err = l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		if err := c.take(l, watch.Reported{}); err != nil {
			return err
		}
		if s, ok := c.newest(); !ok || s.update != l.Updates() {
			t.Errorf("of %d snapshots behind update %d the newest is of update %d", len(c.snapshots), l.Updates(), s.update)
		}
		if len(c.snapshots) > maxSnapshots {
			t.Errorf("%d snapshots are kept", len(c.snapshots))
		}
		if l.Updates() == 3*maxSnapshots {
			return errDropped
		}
		return nil
	}})
	if err != errDropped {
		t.Fatal(err)
	}
	for i, s := range c.snapshots[1:] {
		if before := c.snapshots[i]; s.update <= before.update {
			t.Errorf("a snapshot of update %d comes after one of update %d", s.update, before.update)
		}
	}
}
