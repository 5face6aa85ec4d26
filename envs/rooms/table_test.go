package rooms_test

import (
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
	"impalab/envs/rooms"
)

// The rooms as the table of worlds shows them.

var tasks = []string{"rooms-watermaze", "rooms-keys-doors", "rooms-lasertag", "rooms-explore", "rooms-collect"}

func TestRoomsComeInManySizes(t *testing.T) {
	for _, options := range []string{"height=12,width=16", "height=13,width=17,repeat=1", "height=72,width=96",
		"height=96,width=128,repeat=8", "height=96,width=16"} {
		for _, task := range tasks {
			e, err := envs.Lookup(task + ":" + options)
			if err != nil {
				t.Fatal(err)
			}
			v, err := e.Vector(1, 1)
			if err != nil {
				t.Fatal(err)
			}
			r := envs.NewRand(2, 0)
			obs, out := make([]float32, e.Spec.Size()), make([]envs.Outcome, 1)
			for range 200 {
				v.Step([]int32{int32(r.IntN(9))}, out)
				v.Observe(obs)
			}
			if slices.Min(obs) < 0 || slices.Max(obs) > 1 {
				t.Errorf("%s: an observation from %v to %v", e.Spec.Name, slices.Min(obs), slices.Max(obs))
			}
		}
	}
	for _, options := range []string{"height=97", "width=15", "repeat=0", "repeat=2.5", "depth=3"} {
		if _, err := envs.Lookup("rooms-explore:" + options); err == nil || !strings.Contains(err.Error(), "from") {
			t.Errorf("%s: %v", options, err)
		}
	}
}

// A world's picture changes only on purpose. Scaled so that the view within is shown pixel by pixel.
func TestPicturesEqualTheStoredOnes(t *testing.T) {
	for _, task := range tasks {
		envtest.Picture(t, rooms.AtPlay(task), 345)
	}
}
