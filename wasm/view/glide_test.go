package view

import (
	"fmt"
	"testing"

	"impalab/envs"
)

// said are the shapes of a reel in words.
func said(r *reel) (words string) {
	rest := r.numbers
	for _, s := range r.shapes {
		words += fmt.Sprintf("%d%v ", s.kind, rest[:s.n])
		rest = rest[s.n:]
	}
	return words
}

func TestShapesMoveFromWhereTheyWereToWhereTheyAre(t *testing.T) {
	var a, b, r reel
	a.Rect(0, 0, 2, 2, envs.Wall)
	a.Circle(0, 10, 1, envs.Agent)
	b.Rect(0, 0, 2, 2, envs.Wall)
	b.Circle(4, 20, 1, envs.Agent)
	for share, want := range map[float32]string{0: "0[0 0 2 2] 1[0 10 1] ", 0.5: "0[0 0 2 2] 1[2 15 1] ",
		1: "0[0 0 2 2] 1[4 20 1] "} {
		if r.between(&a, &b, share); said(&r) != want {
			t.Errorf("%v of the way: %s, want %s", share, said(&r), want)
		}
	}
}

func TestANewShapeAppearsAtOnceAndTheRestMoves(t *testing.T) {
	var a, b, r reel
	a.Circle(0, 0, 1, envs.Agent)
	a.Circle(0, 0, 2, envs.Strong)
	b.Circle(2, 2, 1, envs.Agent)
	b.Line(7, 7, 8, 8, 1, envs.Harm)
	b.Polygon([]float32{1, 2, 3, 4, 5, 6}, envs.Harm)
	b.Circle(4, 4, 2, envs.Strong)
	if r.between(&a, &b, 0.5); said(&r) != "1[1 1 1] 2[7 7 8 8 1] 3[1 2 3 4 5 6] 1[2 2 2] " {
		t.Error(said(&r))
	}
	if r.between(&b, &a, 0.5); said(&r) != "1[1 1 1] 1[2 2 2] " {
		t.Error("and went: ", said(&r))
	}
}

func TestAPictureIsDrawnAsTheWorldDrawsIt(t *testing.T) {
	for _, e := range envs.Table {
		w := e.New()
		chance := envs.NewRand(1, 0)
		w.Reset(&chance)
		if !glides(w) {
			continue
		}
		var direct, through reel
		var f film
		for i := range 5 {
			w.Step(&chance, i%len(e.Spec.Actions))
			f.add(w, true)
		}
		w.Draw(&direct)
		show(&f, &through, 1)
		if direct.bitmap || said(&direct) != said(&through) {
			t.Errorf("%s:\n%s\n%s", e.Spec.Name, said(&direct), said(&through))
		}
	}
}

func TestTheFloorOfAFiniteWorldComesBeforeTheAgent(t *testing.T) {
	for _, e := range envs.Table {
		w, ok := e.New().(envs.Mapped)
		if !ok {
			continue
		}
		var r reel
		chance := envs.NewRand(1, 0)
		w.Reset(&chance)
		w.Draw(&r)
		if foot := r.foot(); foot == 0 || foot == len(r.shapes) {
			t.Errorf("%s: %d of %d shapes are floor", e.Spec.Name, foot, len(r.shapes))
		}
	}
}

func TestMotionGlidesAndBoardsStep(t *testing.T) {
	for name, want := range map[string]bool{
		"cartpole": true, "pendulum": true, "acrobot": true, "reacher": true, "mountain-car": true, "swing-up": true,
		"walker": true, "hopper": true, "cheetah": true, "humanoid": true,
		"catch": false, "cliff": false, "breakout": false, "rooms-collect": false, "chain": false,
		"reverse": false, "reverse:extra=2": false,
	} {
		w, err := envs.New(name)
		if err != nil {
			t.Fatal(err)
		}
		if glides(w) != want {
			t.Errorf("%s glides: %v", name, !want)
		}
	}
}

func TestAfterAJumpNothingGlides(t *testing.T) {
	w, _ := envs.New("cartpole")
	chance := envs.NewRand(1, 0)
	w.Reset(&chance)
	var f film
	var at, now reel
	f.add(w, true)
	show(&f, &at, 1)
	w.Reset(&chance)
	f.add(w, false)
	show(&f, &at, 0)
	w.Draw(&now)
	at.clear()
	show(&f, &at, 0)
	if said(&at) != said(&now) {
		t.Error("the picture moves from an episode into the next")
	}
}

// show draws the picture of a film at a share of the way.
func show(f *film, c envs.Canvas, share float32) {
	shown := f.at(share)
	shown.draw(c, 0, len(shown.shapes))
}
