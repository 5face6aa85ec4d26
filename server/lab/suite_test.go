package lab

import (
	"math"
	"testing"

	"impalab/envs"
	"impalab/web/wire"
)

// The page is shown an episode of each world in turn, by its own name, state and actions, and scores for returns.
func TestASuiteIsWatchedOneTaskAfterAnother(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=control-7 hidden=8 batch=7"))
	p := await(v, func(p *wire.Point) bool { return !math.IsNaN(float64(p.High)) })
	if p.High > 1 {
		t.Errorf("a score of %v", p.High)
	}
	f := await[*wire.Frame](v, nil)
	world, err := envs.New(f.World)
	if err != nil {
		t.Fatal(err)
	}
	if err := world.SetState(f.State); err != nil {
		t.Error(err)
	}
	n := len(world.Spec().Actions)
	sum := float32(0)
	for _, p := range f.Target {
		sum += p
	}
	if f.World != "cartpole" || len(f.Target) != n || len(f.Behaviour) != n || int(f.Action) >= n ||
		math.Abs(float64(sum)-1) > 1e-5 {
		t.Errorf("frame %+v", f)
	}
	await(v, func(f *wire.Frame) bool { return f.World == "mountain-car" })
}

// Each task's return arrives by itself: the mean score waits for all of them, people should not have to.
func TestASuiteTellsTheReturnOfEachTask(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=tiny hidden=8"))
	await(v, func(x *wire.XRay) bool {
		return len(x.Returns) == 6 && !math.IsNaN(float64(x.Returns[0]))
	})
	v, _ = visit(t, newLab(t, Options{}), link("p=catch"))
	if x := await[*wire.XRay](v, nil); len(x.Returns) != 0 {
		t.Errorf("catch by itself has returns %v", x.Returns)
	}
}
