package view

import (
	"image/color"
	"slices"
	"testing"

	"impalab/envs/bodies"
)

// An episode whose body is at x = step, with a trunk of 1 m.
func (g *gait) walkTo(steps ...int) {
	for _, n := range steps {
		x := float32(n)
		g.course.add(&bodies.Pose{Step: n, X: x, Limbs: []bodies.Limb{
			{X0: x, Z0: .5, X1: x, Z1: 1.5, Radius: .1, Trunk: true},
			{X0: x, Z0: .5, X1: x + .2, Z1: 0, Radius: .1}}})
	}
}

func TestAGhostStandsWhereTheOtherBodyWasAtTheSameStep(t *testing.T) {
	var g gait
	if limbs := g.ghost(nil, 3, 1); len(limbs) > 0 {
		t.Errorf("before the first pose a ghost has %d limbs", len(limbs))
	}
	g.walkTo(0, 1, 2, 4, 5) // the viewer missed a frame
	for _, c := range []struct {
		say   string
		step  int
		share float32
		want  float32
	}{
		{"at a step", 2, 1, 2}, {"at a missed step", 3, 1, 2}, {"between two", 5, .25, 4.25}, {"ahead of it", 9, 1, 5},
		{"at the beginning", 0, .5, 0},
	} {
		if limbs := g.ghost(nil, c.step, c.share); len(limbs) != 2 || limbs[0].X0 != c.want {
			t.Errorf("%s: limbs %v, want them at x = %g", c.say, limbs, c.want)
		}
	}
	g.last = g.course
	g.course = course{}
	g.walkTo(0, 1)
	if young, old := g.ghost(nil, 1, 1), g.ghost(nil, 4, 1); young[0].X0 != 1 || old[0].X0 != 4 {
		t.Errorf("a young episode shows %v, and the last one %v", young, old)
	}
	g.fell = 3
	if limbs := g.ghost(nil, 4, 1); limbs[0].X0 != 1 {
		t.Errorf("a body that fell at x = 1 is shown at %g", limbs[0].X0)
	}
}

func TestAGaitKeepsTheCourseOfTheLastWholeEpisode(t *testing.T) {
	g, body, w, chance := walked(t, 60)
	before := slices.Clone(g.course.at(50))
	w.Reset(chance)
	g.add(body, false, false)
	if limbs := g.ghost(nil, 50, 1); !slices.Equal(limbs, before) {
		t.Errorf("the last episode's limbs at step 50 are %v, want %v", limbs, before)
	}
	for range 30 {
		w.Step(chance, 0)
	}
	g.add(body, false, false) // joins in the middle
	w.Reset(chance)
	g.add(body, false, false)
	if steps := g.last.steps; len(steps) == 0 || steps[0] != 0 {
		t.Errorf("the last course has the steps %v: it does not begin at 0", steps)
	}
}

func TestAGhostIsDrawnAtItsMetresAndNamedAboveItsTrunk(t *testing.T) {
	var g gait
	g.walkTo(0, 1, 2, 3)
	f := floorOf(box{0, 0, 600, 200}, 1, 2, 4, 1) // the picture's own body is at 1 m
	var m mesh
	ink := color.RGBA{100, 100, 100, 255}
	x, y := m.ghost(&f, g.ghost(nil, 3, 1), ink)
	if left, top := f.at(3, 1.6); x != left || y != top {
		t.Errorf("its highest point is at (%g, %g), want (%g, %g)", x, y, left, top)
	}
	low, high := f.at(2.85, 0)
	right, _ := f.at(3.35, 0)
	if len(m.vertices) == 0 {
		t.Fatal("nothing is drawn")
	}
	for _, v := range m.vertices {
		if v.x < low || v.x > right || v.y > high+.15*f.scale || v.y < y-2 {
			t.Fatalf("a corner at (%g, %g): the body stands from %g to %g px", v.x, v.y, low, right)
		}
	}
}
