// Package envs holds the worlds agents learn in: one file each, exact to its public definition,
// deterministic, able to draw itself. It uses the standard library only, so the same code trains on
// the server and plays in the browser. Look at Table first, then at catch.go, the smallest world.
package envs

import "impalab/envs/world"

// The parts of worlds, under the names that their users know. They live in package world, so families of worlds in
// packages of their own can be in the table.
type (
	Spec     = world.Spec
	World    = world.World
	Driven   = world.Driven
	Vector   = world.Vector
	Control  = world.Control
	Outcome  = world.Outcome
	End      = world.End
	Option   = world.Option
	Canvas   = world.Canvas
	Ink      = world.Ink
	Rand     = world.Rand
	Recorded = world.Recorded
	Draw     = world.Draw
)

const (
	Running    = world.Running
	Terminated = world.Terminated
	Truncated  = world.Truncated

	Ground = world.Ground
	Wall   = world.Wall
	Faint  = world.Faint
	Strong = world.Strong
	Agent  = world.Agent
	Harm   = world.Harm
	Prize  = world.Prize
	Past   = world.Past
)

// NewRand begins stream number stream of a seed.
func NewRand(seed, stream uint64) Rand { return world.NewRand(seed, stream) }
