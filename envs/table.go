package envs

import (
	"fmt"
	"strings"

	"impalab/envs/bodies"
	"impalab/envs/rooms"
)

// Entry is one world that can be asked for by name.
type Entry struct {
	Spec *Spec
	New  func() World // a copy that waits for Reset or SetState
	Bare *Spec        // of a wrapped world: the one within, alone; Random and Solved are its own. nil elsewhere

	// Sized makes the entry with other sizes than the usual ones. Options says which there are; nil: none.
	Options []Option
	Sized   func(values []float64) Entry // in the order of Options
}

// Table lists every world, in the order in which people meet them. ARCHITECTURE.md lists the edits for a new world.
var Table = []Entry{
	usual(catchSized, catchOptions),
	{Spec: &cartPoleSpec, New: func() World { return new(cartPole) }},
	{Spec: &mountainCarSpec, New: func() World { return new(mountainCar) }},
	{Spec: &mountainCarContinuousSpec, New: func() World { return new(mountainCarContinuous) }},
	{Spec: &acrobotSpec, New: func() World { return new(acrobot) }},
	{Spec: &pendulumSpec, New: func() World { return new(pendulum) }},
	{Spec: &swingUpSpec, New: func() World { return new(swingUp) }},
	{Spec: &reacherSpec, New: func() World { return new(reacher) }},
	ofFamily(bodies.Hopper),
	ofFamily(bodies.Walker),
	ofFamily(bodies.Cheetah),
	ofFamily(bodies.Humanoid),
	{Spec: &cliffSpec, New: newCliff},
	{Spec: &fourRoomsSpec, New: newFourRooms},
	usual(garnetSized, garnetOptions),
	usual(tMazeSized, tMazeOptions),
	usual(deepSeaSized, seaOptions),
	usual(chainSized, chainOptions),
	usual(banditSized, banditOptions),
	usual(reverseSized, reverseOptions),
	{Spec: &breakoutSpec, New: newBreakout},
	{Spec: &asterixSpec, New: newAsterix},
	{Spec: &freewaySpec, New: newFreeway},
	{Spec: &seaquestSpec, New: newSeaquest},
	{Spec: &invadersSpec, New: newInvaders},
	ofFamily(&rooms.WaterMaze),
	ofFamily(&rooms.Keys),
	ofFamily(&rooms.LaserTag),
	ofFamily(&rooms.Explore),
	ofFamily(&rooms.Collect),
}

// family is a task of a family of worlds, which has a package of its own.
type family interface {
	Options() []Option
	Sized(values []float64) (spec *Spec, fresh func() World)
}

func ofFamily(task family) Entry {
	return usual(func(values []float64) Entry {
		spec, fresh := task.Sized(values)
		return Entry{Spec: spec, New: fresh}
	}, task.Options())
}

// Lookup finds a world by name, or by name and options: "t-maze:length=20".
func Lookup(name string) (*Entry, error) {
	plain, options, sized := strings.Cut(name, ":")
	for i := range Table {
		e := &Table[i]
		if e.Spec.Name == plain {
			if !sized {
				return e, nil
			}
			return e.with(options)
		}
	}
	return nil, fmt.Errorf("unknown world %.64q", plain)
}

// New makes one copy of a world; it waits for Reset or SetState.
func New(name string) (World, error) {
	e, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return e.New(), nil
}

// MaxVector bounds the copies in a Vector.
const MaxVector = 1 << 16

// NewVector makes n copies of a world, or of a suite's worlds in turn, 1 to MaxVector, and starts them from the seed.
func NewVector(name string, n int, seed uint64) (Vector, error) {
	if s, err := LookupSuite(name); err == nil {
		return s.Vector(n, seed)
	}
	e, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return e.Vector(n, seed)
}

// Vector makes n copies of this world, 1 to MaxVector, and starts them from the seed.
func (e *Entry) Vector(n int, seed uint64) (Vector, error) {
	if n < 1 || n > MaxVector {
		return nil, fmt.Errorf("envs: %d copies of a world: choose 1 to %d", n, MaxVector)
	}
	return newVector(e.Spec, func(int) World { return e.New() }, n, seed), nil
}
