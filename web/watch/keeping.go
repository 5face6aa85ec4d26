package watch

import "time"

// A run takes snapshots regularly, so that it resumes quickly, and before changes made by hand, because people return
// there. It takes the first soon after it began or resumed: so it progresses in a server that is killed repeatedly.
const (
	snapshotFirst = time.Second
	snapshotEvery = 10 * time.Second
	snapshotShare = 0.02                   // of the run's time, at most, is spent on snapshots
	snapshotQuick = 100 * time.Millisecond // one before a change may take no longer
	markEvery     = time.Second            // changes closer together are one
)

// Keeping is when a run is to be snapshotted. It belongs to the run's goroutine.
type Keeping struct {
	next   time.Time
	took   time.Duration // by the last one
	marked time.Time     // when one was last taken before a change
}

// Due reports whether it is time for a snapshot.
func (k *Keeping) Due() bool {
	now := time.Now()
	if k.next.IsZero() {
		k.next = now.Add(snapshotFirst)
	}
	return now.After(k.next)
}

// Mark reports whether one is to be taken before a change, which it then counts as taken. One that would keep people
// waiting is not.
func (k *Keeping) Mark() bool {
	now := time.Now()
	if now.Sub(k.marked) < markEvery || k.took >= snapshotQuick {
		return false
	}
	k.marked = now
	return true
}

// Took plans the next after one that began then.
func (k *Keeping) Took(began time.Time) {
	k.took = time.Since(began)
	k.Later(max(snapshotEvery, time.Duration(float64(k.took)/snapshotShare)))
}

// Later puts the next off for so long.
func (k *Keeping) Later(wait time.Duration) { k.next = time.Now().Add(wait) }
