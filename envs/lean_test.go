package envs

import (
	"math"
	"testing"
)

func TestTheLeanOfAnObservationIsTheSticks(t *testing.T) {
	for _, name := range []string{"cartpole", "cartpole;perturb=1"} {
		w, err := New(name)
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		chance := NewRand(1, 1)
		w.Reset(&chance)
		w.Step(&chance, 1)
		obs := make([]float32, w.Spec().Size())
		w.Observe(obs)
		stick, ok := StickOf(w)
		if lean := Lean(w, obs); !ok || lean != stick.Lean {
			t.Errorf("%s: the observation leans %v, the stick %v", name, lean, stick.Lean)
		}
	}
	catch, err := New("catch")
	if err != nil {
		t.Fatal(err)
	}
	if lean := Lean(catch, make([]float32, catch.Spec().Size())); lean == lean {
		t.Errorf("Catch leans %v", lean)
	}
	pendulum, err := New("pendulum")
	if err != nil {
		t.Fatal(err)
	}
	if lean := Lean(pendulum, []float32{0, 1, 0}); math.Abs(float64(lean)-math.Pi/2) > 1e-6 {
		t.Errorf("a pendulum at cos 0, sin 1 leans %v", lean)
	}
}
