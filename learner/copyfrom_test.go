package learner

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"slices"
	"testing"

	"impalab/internal/kit"
)

// mind returns everything CopyFrom copies, as bytes that compare.
func mind(l *Learner) string {
	s := saved(l)
	s.Chance, s.Actors, s.Built, s.Replayers = [2]uint64{}, nil, 0, nil
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		panic(err)
	}
	return b.String()
}

func saved(l *Learner) snapshot {
	s, err := l.save()
	if err != nil {
		panic(err)
	}
	return s
}

func TestACopiedStateIsTheOthersBitForBit(t *testing.T) {
	long(t)
	for _, c := range varied() {
		if cfg := kit.Config(t, c.preset, c.changes); cfg.Sharers > 0 {
			continue
		}
		pair := make([]*Learner, 2)
		for i := range pair {
			cfg := kit.Config(t, c.preset, c.changes+fmt.Sprintf(" steps=%d seed=%d", 400+300*i, 5+i))
			l, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if _, err := l.Run(t.Context(), Hooks{}); err != nil {
				t.Fatal(err)
			}
			pair[i] = l
		}
		own, other := pair[0], pair[1]
		before, err := other.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		ages := func() (out []uint64) {
			for _, u := range own.store.All() {
				out = append(out, own.updates-u.Version)
			}
			return out
		}
		aged := ages()
		if mind(own) == mind(other) {
			t.Fatalf("%s %s: two seeds learned the same", c.preset, c.changes)
		}
		if err := own.CopyFrom(other); err != nil {
			t.Fatalf("%s %s: %v", c.preset, c.changes, err)
		}
		if mind(own) != mind(other) {
			t.Errorf("%s %s: the copy differs", c.preset, c.changes)
		}
		if !slices.Equal(ages(), aged) {
			t.Errorf("%s %s: what waits in the replay has another age", c.preset, c.changes)
		}
		if own.replayers != nil && len(own.replayers.all) > 0 {
			t.Errorf("%s %s: a replayed episode continues with another's memory", c.preset, c.changes)
		}
		// It is a copy: what one learns from here on stays its own.
		own.cfg.Steps += 600
		blob, err := own.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		end, err := own.Run(t.Context(), Hooks{})
		if err != nil || end.Diverged != "" {
			t.Fatalf("%s %s: %v %s", c.preset, c.changes, err, end.Diverged)
		}
		// The copied state is complete: a snapshot taken then continues the same way.
		again, err := Resume(blob)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if resumed, err := again.Run(t.Context(), Hooks{}); err != nil || !equal(resumed, end) {
			t.Errorf("%s %s: resumed %+v (%v), itself %+v", c.preset, c.changes, resumed, err, end)
		}
		if after, err := other.Snapshot(); err != nil || !bytes.Equal(after, before) || mind(own) == mind(other) {
			t.Errorf("%s %s: the two are still one", c.preset, c.changes)
		}
	}
}
