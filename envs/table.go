package envs

import (
	"fmt"
	"strings"
)

// Entry is one world that can be asked for by name.
type Entry struct {
	Spec *Spec
	New  func() World // a copy that waits for Reset or SetState
}

// Table is every world there is, in the order in which people meet them. Adding one is one file and one line.
var Table = []Entry{
	{&catchSpec, func() World { return new(catch) }},
	{&cartPoleSpec, func() World { return new(cartPole) }},
	{&cliffSpec, newCliff},
	{&fourRoomsSpec, newFourRooms},
	{&garnetSpec, newGarnet},
}

// Lookup finds a world by name; its error names the worlds there are.
func Lookup(name string) (*Entry, error) {
	names := make([]string, len(Table))
	for i := range Table {
		if Table[i].Spec.Name == name {
			return &Table[i], nil
		}
		names[i] = Table[i].Spec.Name
	}
	return nil, fmt.Errorf("envs: no world is called %.64q: choose one of %s", name, strings.Join(names, ", "))
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

// NewVector makes n copies of a world, 1 to MaxVector, and starts them from the seed.
func NewVector(name string, n int, seed uint64) (Vector, error) {
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
	return newVector(e, n, seed), nil
}
