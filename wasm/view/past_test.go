package view

import (
	"image/color"
	"testing"

	"impalab/envs"
)

// played takes so many steps of a world.
func played(t *testing.T, name string, steps int) (p past) {
	t.Helper()
	w, err := envs.New(name)
	if err != nil {
		t.Fatal(err)
	}
	chance := envs.NewRand(3, 0)
	w.Reset(&chance)
	for i := range steps {
		if len(w.Spec().Controls) > 0 {
			w.(envs.Driven).Drive(&chance, []float32{1})
		} else {
			w.Step(&chance, i%len(w.Spec().Actions))
		}
		p.add(w, i > 0)
	}
	return p
}

func TestAnAgentLeavesRodsOrDots(t *testing.T) {
	for name, want := range map[string]struct{ rods, dots bool }{"pendulum": {true, false}, "acrobot": {true, false},
		"catch": {false, true}, "four-rooms": {false, true}} {
		p := played(t, name, 20)
		var m mesh
		p.show(&m, 0, 0, 10, color.RGBA{}, want.rods)
		if len(m.vertices) == 0 {
			t.Errorf("%s leaves nothing behind", name)
		}
		if len(p.rods) > rodsKept+1 || len(p.dots) > dotsKept+1 {
			t.Errorf("%s leaves %d rods and %d dots", name, len(p.rods), len(p.dots))
		}
		if want.rods && len(p.rods[0]) == 0 {
			t.Errorf("%s has no rod", name)
		}
		if want.dots && len(p.dots) < 3 {
			t.Errorf("%s was in %d places", name, len(p.dots))
		}
	}
}

// A new episode, and a room's picture, leave nothing.
func TestANewEpisodeBeginsWithoutImages(t *testing.T) {
	p := played(t, "catch", 9)
	w, _ := envs.New("catch")
	chance := envs.NewRand(4, 0)
	w.Reset(&chance)
	p.add(w, false)
	if len(p.dots) != 1 || len(p.rods) != 1 {
		t.Errorf("%d dots and %d rods of the episode before", len(p.dots), len(p.rods))
	}
	if p := played(t, "rooms-keys-doors", 3); len(p.dots) > 0 {
		t.Errorf("a room has %d dots over its picture", len(p.dots))
	}
}
