//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"fmt"
	"testing"

	"impalab/learner"
)

// The transfers and launches of an update, as docs/speed.md lists them. PoCL's times would say nothing about a GPU's.
func TestAnUpdateMakesFewCallsOfADevice(t *testing.T) {
	d := underTest(t, usual)
	for i, c := range []struct {
		preset, changes string
		want            string // launches, waits, bytes sent and fetched
	}{
		{"cartpole", "", "15 launches, 4 waits, 4632 bytes there, 20972 back"},
		{"cartpole", "optimiser=adam", "15 launches, 4 waits, 4628 bytes there, 20972 back"},
		{"stac", "", "39 launches, 8 waits, 79664 bytes there, 40664 back"},
		{"vmpo", "", "18 launches, 5 waits, 43184 bytes there, 22124 back"},
		{"catch", "lstm=16", "30 launches, 5 waits, 9764 bytes there, 56720 back"},
		{"breakout", "", "16 launches, 4 waits, 38100 bytes there, 535964 back"},
		{"breakout", "torso=deep", "106 launches, 4 waits, 38104 bytes there, 465820 back"},
	} {
		if testing.Short() && i > 0 {
			break
		}
		w := &watchedDevice{Device: d}
		cfg := config(t, c.preset, "steps=0 mode=reference "+c.changes)
		cfg.Steps = uint64(4 * cfg.Fresh() * cfg.UnrollLen)
		l, err := onDevice(t, w).New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		var before, one spent
		if _, err := l.Run(t.Context(), learner.Hooks{Between: func(*learner.Learner) error {
			now := w.spent()
			one, before = spent{now.launches - before.launches, now.sent - before.sent, now.fetched - before.fetched,
				now.waits - before.waits}, now
			return nil
		}}); err != nil {
			t.Fatal(err)
		}
		l.Close()
		got := fmt.Sprintf("%d launches, %d waits, %d bytes there, %d back", one.launches, one.waits, one.sent, one.fetched)
		if got != c.want {
			t.Errorf("%s %s: %s; want %s", c.preset, c.changes, got, c.want)
		}
	}
}

// spent is what all that was made on the device has asked of it.
func (w *watchedDevice) spent() (all spent) {
	add := func(q *queue) {
		all.launches += q.spent.launches
		all.sent += q.spent.sent
		all.fetched += q.spent.fetched
		all.waits += q.spent.waits
	}
	for _, p := range w.plans {
		add(p.q)
	}
	for _, r := range w.rows {
		add(r.q)
	}
	return all
}
