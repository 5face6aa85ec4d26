package watch

import "time"

// A run takes snapshots regularly, to resume quickly, and before changes by hand, because people return there. The
// first snapshot comes soon, so that a run progresses even if its server is killed repeatedly.
const (
	snapshotFirst = time.Second
	snapshotEvery = 10 * time.Second
	snapshotShare = 0.02                   // largest share of the run's time for snapshots
	snapshotQuick = 100 * time.Millisecond // longest time of a snapshot before a change
	markEvery     = time.Second            // changes within this time count as one
)

// Keeping schedules a run's snapshots. It belongs to the run's goroutine.
type Keeping struct {
	next   time.Time
	took   time.Duration // time of the last snapshot
	marked time.Time     // time of the last snapshot before a change
}

// Due reports whether it is time for a snapshot.
func (k *Keeping) Due() bool {
	now := time.Now()
	if k.next.IsZero() {
		k.next = now.Add(snapshotFirst)
	}
	return now.After(k.next)
}

// Mark reports whether to take a snapshot before a change, and counts it as taken. It returns false if the snapshot
// would make people wait.
func (k *Keeping) Mark() bool {
	now := time.Now()
	if now.Sub(k.marked) < markEvery || k.took >= snapshotQuick {
		return false
	}
	k.marked = now
	return true
}

// Schedule sets the time of the next snapshot, after a snapshot that began at the given time.
func (k *Keeping) Schedule(began time.Time) {
	k.took = time.Since(began)
	k.Later(max(snapshotEvery, time.Duration(float64(k.took)/snapshotShare)))
}

// Later delays the next snapshot.
func (k *Keeping) Later(wait time.Duration) { k.next = time.Now().Add(wait) }
