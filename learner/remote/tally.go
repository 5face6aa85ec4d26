package remote

import (
	"fmt"
	"math"
	"sync"

	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// Tally counts a remote actor's blocks. It outlives a connection if its owner passes the same Tally to the next one:
// forged blocks from before a reconnect stay counted.
type Tally struct {
	mu      sync.Mutex
	forged  uint64
	row     int    // forged blocks since the last genuine one
	learned uint64 // unrolls that were learned from, and…
	steps   uint64 // …their steps
	lags    uint64 // over those: the sum of the updates between the acting and the learning parameters
	returns [tallied]float32
	ended   uint64 // episodes in the accepted blocks
}

// tallied is how many of an actor's last episodes its return is the mean of.
const tallied = 20

// Count is the contents of a Tally.
type Count struct {
	Unrolls, Steps uint64  // learned from
	Forged         uint64  // dropped blocks that differ from their order
	Lag            float64 // mean over the unrolls learned from, in updates; NaN before the first
	Return         float64 // mean of its last 20 episodes; NaN before the first
}

// Count returns the counts so far.
func (t *Tally) Count() Count {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := Count{Unrolls: t.learned, Steps: t.steps, Forged: t.forged, Lag: float64(t.lags) / float64(t.learned),
		Return: math.NaN()}
	if n := min(t.ended, tallied); n > 0 {
		c.Return = 0
		for _, r := range t.returns[:n] {
			c.Return += float64(r) / float64(n)
		}
	}
	return c
}

// learnedFrom counts an unroll that the learner has used at an update.
func (t *Tally) learnedFrom(u *traj.Unroll, updates uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.learned++
	t.steps += uint64(u.T)
	t.lags += updates - u.Version
}

// count counts the episodes that ended in an accepted block.
func (t *Tally) count(episodes []telemetry.Episode) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.row = 0
	for _, e := range episodes {
		t.returns[t.ended%tallied] = e.Return
		t.ended++
	}
}

// MostForged is how many blocks in a row an actor may forge before it is dismissed.
const MostForged = 20

// ErrForger dismisses an actor that forged too many blocks in a row.
var ErrForger = fmt.Errorf("%d blocks in a row did not match their orders", MostForged)

// Forges counts a forged block. It returns ErrForger when the actor must be dismissed.
func (t *Tally) Forges() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forged++
	if t.row++; t.row >= MostForged {
		return ErrForger
	}
	return nil
}
