package learner

import (
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
	row     int    // blocks forged since the last that was genuine
	learned uint64 // unrolls that were learned from, and…
	steps   uint64 // …their steps
	lags    uint64 // over those: updates between what played and what learned, added up
	returns [tallied]float32
	ended   uint64 // episodes of it in the blocks that were taken
}

// tallied is how many of an actor's last episodes its return is the mean of.
const tallied = 20

// Count is the contents of a Tally.
type Count struct {
	Unrolls, Steps uint64  // learned from
	Forged         uint64  // blocks that were something else than was ordered, and were dropped
	Lag            float64 // mean over the unrolls learned from, in updates; NaN before the first
	Return         float64 // mean of its last 20 episodes; NaN before the first
}

// Count is the tally as it stands.
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

// learnedFrom counts an unroll that the learner has taken, when so many updates had been made.
func (t *Tally) learnedFrom(u *traj.Unroll, newest uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.learned++
	t.steps += uint64(u.T)
	t.lags += newest - u.Version
}

// took counts the episodes that ended in a block that was taken.
func (t *Tally) took(episodes []telemetry.Episode) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.row = 0
	for _, e := range episodes {
		t.returns[t.ended%tallied] = e.Return
		t.ended++
	}
}

// mostForged is how many blocks in a row an actor may forge before it is sent away.
const mostForged = 20

// Forges counts a block that was something else than was ordered. It returns ErrForger when the actor has to go.
func (t *Tally) Forges() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forged++
	if t.row++; t.row >= mostForged {
		return ErrForger
	}
	return nil
}
