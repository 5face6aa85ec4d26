package store

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// history takes a snapshot every `every` updates and thins after each, as a run does.
func history(n int, every int64, bytes int64, marked int, mark func(i int) bool) (kept []Snapshot) {
	for i := range n {
		kept = append(kept, Snapshot{Update: int64(i) * every, Bytes: 10, Marked: mark(i)})
		gone := map[int64]bool{}
		for _, s := range thin(kept, bytes, marked) {
			gone[s.Update] = true
		}
		rest := kept[:0]
		for _, s := range kept {
			if !gone[s.Update] {
				rest = append(rest, s)
			}
		}
		kept = rest
	}
	return kept
}

func never(int) bool { return false }

func TestGapsGrowNoFasterThanAge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, every := rapid.IntRange(1, 2000).Draw(t, "snapshots"), rapid.Int64Range(1, 1000).Draw(t, "every")
		kept := history(n, every, math.MaxInt64, 0, never)
		newest := int64(n-1) * every
		if kept[0].Update != 0 || kept[len(kept)-1].Update != newest {
			t.Fatalf("kept %v to %v", kept[0], kept[len(kept)-1])
		}
		for i, s := range kept[1:] {
			gap, age := s.Update-kept[i].Update, newest-kept[i].Update
			if gap > every && float64(gap) > gapPerAge*float64(age) {
				t.Fatalf("a gap of %d updates at the age of %d", gap, age)
			}
		}
		if most := 2*math.Log(float64(n))/math.Log(1.5) + 4; float64(len(kept)) > most {
			t.Fatalf("%d of %d snapshots are kept, more than %.0f", len(kept), n, most)
		}
	})
}

func TestMarkedSnapshotsStayWhileThereIsRoom(t *testing.T) {
	t.Parallel()
	seventh := func(i int) bool { return i%7 == 0 }
	count := func(kept []Snapshot) (marked int) {
		for _, s := range kept {
			if s.Marked {
				marked++
			}
		}
		return marked
	}
	if got := count(history(210, 10, math.MaxInt64, 64, seventh)); got != 30 {
		t.Errorf("%d of 30 marked snapshots are kept", got)
	}
	if got := count(history(700, 10, math.MaxInt64, 64, seventh)); got != 64 {
		t.Errorf("%d of 100 marked snapshots are kept where 64 may be", got)
	}
}

func TestTheBoundInBytesHoldsAndTheNewestStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, bound := rapid.IntRange(1, 200).Draw(t, "snapshots"), rapid.Int64Range(0, 300).Draw(t, "bytes")
		share := rapid.IntRange(1, 9).Draw(t, "marked, one in")
		kept := history(n, 1, bound, 64, func(i int) bool { return i%share == 0 })
		if len(kept) > 1 && total(kept) > bound {
			t.Fatalf("%d bytes are kept, of %d", total(kept), bound)
		}
		if kept[len(kept)-1].Update != int64(n-1) {
			t.Fatalf("the newest is gone: %v", kept)
		}
	})
}

func TestUnmarkedSnapshotsGiveWayBeforeMarkedOnes(t *testing.T) {
	t.Parallel()
	var all []Snapshot
	for i := range int64(10) {
		all = append(all, Snapshot{Update: i * 1000, Bytes: 10, Marked: i%2 == 1})
	}
	for _, s := range thin(all, 70, 64) {
		if s.Marked {
			t.Errorf("the marked snapshot of update %d is dropped", s.Update)
		}
	}
}
