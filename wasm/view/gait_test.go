package view

import (
	"testing"

	"impalab/envs"
	"impalab/envs/bodies"
)

func TestAWorldWithABodyHasAGaitAndABoardHasNone(t *testing.T) {
	for name, want := range map[string]bool{
		"walker": true, "hopper:terrain=1": true, "cheetah:obs-noise=0.1": true, "humanoid": true,
		"cartpole": false, "catch:stack=2": false,
	} {
		w, err := envs.New(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := newGait(bodies.Of(w), w.Spec()) != nil; got != want {
			t.Errorf("%s has a gait: %v", name, got)
		}
	}
}

// walked is a gait after so many steps of a limp walker.
func walked(t *testing.T, steps int) (*gait, bodies.Posed, envs.World, *envs.Rand) {
	w, err := envs.New("walker:fall=0")
	if err != nil {
		t.Fatal(err)
	}
	chance := envs.NewRand(1, 0)
	w.Reset(&chance)
	body := bodies.Of(w)
	g := newGait(body, w.Spec())
	g.add(body, false, false)
	for range steps {
		w.Step(&chance, 0)
		g.add(body, true, false)
	}
	return g, body, w, &chance
}

func TestAGaitKeepsFiveAfterimagesAQuarterOfASecondApart(t *testing.T) {
	g, _, _, _ := walked(t, 100)
	if len(g.images) != imagesKept || len(g.head) != 2*headKept {
		t.Fatalf("%d afterimages, %d numbers of the head's way", len(g.images), len(g.head))
	}
	for i := 1; i < imagesKept; i++ {
		if d := g.images[i].Step - g.images[i-1].Step; d != 10 { // of 25 ms
			t.Errorf("afterimages %d steps apart", d)
		}
	}
	for i := range g.images { // none shares its limbs with another
		for j := range i {
			if &g.images[i].Limbs[0] == &g.images[j].Limbs[0] {
				t.Errorf("afterimages %d and %d are one", i, j)
			}
		}
	}
}

func TestAGaitForgetsTheLastEpisode(t *testing.T) {
	g, body, w, chance := walked(t, 60)
	w.Reset(chance)
	g.add(body, false, false)
	if len(g.head) != 2 || len(g.stances[0]) > 1 || g.now.Step != 0 {
		t.Errorf("after a new beginning: %d numbers of the head's way, %d stances", len(g.head), len(g.stances[0]))
	}
}

func TestAStanceIsTheWayOfTheRootWhileALegTouches(t *testing.T) {
	var g gait
	for x, down := range []bool{false, true, true, true, false, false, true} {
		g.stand(0, float32(x), down)
	}
	want := []stance{{1, 3, false}, {6, 6, true}}
	if len(g.stances[0]) != 2 || g.stances[0][0] != want[0] || g.stances[0][1] != want[1] {
		t.Errorf("stances %v, want %v", g.stances[0], want)
	}
	for x := range 200 {
		g.stand(1, float32(x), x%2 == 0)
	}
	if len(g.stances[1]) != stancesKept {
		t.Errorf("%d stances are kept", len(g.stances[1]))
	}
}

func TestBetweenTwoPosesLimbsAreBetween(t *testing.T) {
	g, _, _, _ := walked(t, 7)
	var p bodies.Pose
	for _, share := range []float32{0, .5, 1} {
		g.between(&p, share)
		want := g.before.Limbs[3].X1 + (g.now.Limbs[3].X1-g.before.Limbs[3].X1)*share
		if d := p.Limbs[3].X1 - want; d > 1e-6 || d < -1e-6 {
			t.Errorf("at %v: %v, want %v", share, p.Limbs[3].X1, want)
		}
	}
}

func TestTheCameraKeepsTheHipInItsPlace(t *testing.T) {
	for _, b := range []box{{0, 0, 1366, 300}, {10, 20, 390, 160}, {0, 0, 120, 60}} {
		f := floorOf(b, 1, 1.65, 2.4, 7.2)
		x, ground := f.at(7.2, 0)
		if share := (x - b.x) / b.w; share < .56 || share > .6 {
			t.Errorf("%v: the hip is at %v of the width", b, share)
		}
		if _, top := f.at(7.2, 1.6); top < b.y || ground > b.y+b.h-20 {
			t.Errorf("%v: from %v to %v", b, top, ground)
		}
		first, last, each := f.metres(1)
		if first > 7 || last < 7 || (each == 1) != (f.scale >= 60) {
			t.Errorf("%v: metres %d to %d, each %d at %v px/m", b, first, last, each, f.scale)
		}
	}
}

func TestAScoreIsTheWayAndTheMeanSpeedOrTheFall(t *testing.T) {
	g := gait{seconds: .025, now: bodies.Pose{X: 7.9, Step: 200}}
	if way, how := g.score(); way != "7 m" || how != "1.6 m/s" {
		t.Errorf("7.9 m in 5 s are %q %q", way, how)
	}
	g.fell = 212
	if way, how := g.score(); way != "7 m" || how != "fell after 212 steps" {
		t.Errorf("after its fall: %q %q", way, how)
	}
	if way, how := (&gait{seconds: .025}).score(); way != "0 m" || how != "" {
		t.Errorf("at its start: %q %q", way, how)
	}
}
