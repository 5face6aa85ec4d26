package page

import (
	"sync"

	"impalab/envs"
)

// room is the place of a state in the picture of the world four-rooms, in cells. Over: an episode ends there.
type room struct {
	X, Y float64
	Over bool
}

// fourRooms has the places of the world's states, in their order.
var fourRooms = sync.OnceValue(func() (all []room) {
	world, err := envs.New("four-rooms")
	if err != nil {
		panic(err) // a test draws it
	}
	mapped := world.(envs.Mapped)
	for s := range mapped.MDP().States {
		x, y, _, _ := mapped.Position(s)
		all = append(all, room{float64(x), float64(y), mapped.MDP().Over[s]})
	}
	return all
})
