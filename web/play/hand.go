package play

import (
	"math"

	"impalab/envs"
	"impalab/web/wire"
)

// Hand is a copy of a world that a person plays. One goroutine may use it.
type Hand struct {
	world  envs.World
	chance envs.Rand
	frame  wire.Frame
}

// NewHand returns a world that waits for Begin.
func NewHand(world envs.World, chance envs.Rand) *Hand {
	nan := float32(math.NaN()) // a person's actions have no value and no ratio
	return &Hand{world: world, chance: chance, frame: wire.Frame{World: world.Spec().Name, Value: nan, Ratio: nan,
		Rho: nan}}
}

// Spec returns the world's spec.
func (h *Hand) Spec() *envs.Spec { return h.world.Spec() }

// Begin starts an episode and returns its first frame, which belongs to the caller.
func (h *Hand) Begin() *wire.Frame {
	h.world.Reset(&h.chance)
	f := &h.frame
	f.Number++
	f.Reward, f.Return, f.Length, f.End = 0, 0, 0, uint8(envs.Running)
	f.State = h.world.State(nil)
	shown := *f
	return &shown
}

// Step takes a named action. After an End the caller must call Begin.
func (h *Hand) Step(action int) *wire.Frame {
	h.frame.Action = uint8(action)
	return after(&h.frame, h.world, h.world.Step(&h.chance, action))
}

// Tally counts a person's episodes.
type Tally struct {
	Episodes         int
	Last, Best, Mean float64 // returns; undefined before the first
}

// Add adds an episode.
func (t *Tally) Add(episode float64) {
	if t.Episodes == 0 || episode > t.Best {
		t.Best = episode
	}
	t.Episodes++
	t.Last = episode
	t.Mean += (episode - t.Mean) / float64(t.Episodes)
}
