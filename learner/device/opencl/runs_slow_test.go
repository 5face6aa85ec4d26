//go:build slow && linux && amd64 && !purego && !noopencl

package opencl

import (
	"errors"
	"testing"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
)

// every algorithm and every kind of network, on a board with few updates.
var (
	algorithms = []struct{ preset, changes string }{
		{"catch", ""}, {"catch", "algo=a2c"}, {"laser-catch", "mix=0.5"}, {"vmpo-catch", "target-every=2"},
		{"stac-catch", ""}, {"stacx", "world=catch heads=2"},
	}
	networks = []string{
		"hidden=12", "hidden=none", "hidden=12 head-hidden=8", "torso=shallow hidden=8", "torso=deep hidden=none",
		"hidden=8 lstm=6 feedback=on", "hidden=8 lstm=5 torsos=separate", "hidden=12 popart=on",
	}
)

// refused are the combinations that there are not: no metagradient with PopArt, and several heads share one torso.
const refused = 3

// everyRun visits them, with what each comes to in one go.
func everyRun(t *testing.T, arithmetic string, visit func(t *testing.T, cfg hyper.Config, want string)) {
	left := 0
	for _, a := range algorithms {
		for _, n := range networks {
			cfg := config(t, a.preset, "unroll=7 batch=4 steps=112 arithmetic="+arithmetic+" "+a.changes+" "+n)
			if err := cfg.Validate(); err != nil {
				t.Logf("left out: %v", err)
				left++
				continue
			}
			t.Run(a.preset+" "+a.changes+" "+n, func(t *testing.T) {
				l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
				visit(t, cfg, train(t, l, err).ParamsSHA256)
			})
		}
	}
	if left != refused {
		t.Errorf("%d combinations are refused, not %d", left, refused)
	}
}

// half is a run that stood still in its middle.
func half(t *testing.T, e learner.Engine, cfg hyper.Config) []byte {
	t.Helper()
	l, err := e.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	middle := errors.New("the middle")
	if _, err := l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		if l.Steps() >= cfg.Steps/2 {
			return middle
		}
		return nil
	}}); err != middle {
		t.Fatal(err)
	}
	blob, err := l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return blob
}

func TestEveryAlgorithmOnEveryNetworkContinuesOnADeviceAndBack(t *testing.T) {
	cores, other := learner.Engine{Lower: graph.Lower}, on(t, underTest(t, usual))
	everyRun(t, kernel.Fused, func(t *testing.T, cfg hyper.Config, want string) {
		for name, way := range map[string][2]learner.Engine{"to the device": {cores, other}, "and back": {other, cores}} {
			l, err := way[1].Resume(half(t, way[0], cfg))
			if got := train(t, l, err); got.ParamsSHA256 != want {
				t.Errorf("%s: %.12s, in one go on the processor %.12s", name, got.ParamsSHA256, want)
			}
		}
	})
}

// A machine without vectors computes like a browser.
func TestEveryAlgorithmOnEveryNetworkContinuesInPlainArithmetic(t *testing.T) {
	if len(kernel.Vectors()) == 0 {
		t.Skip("this machine has one arithmetic")
	}
	e := learner.Engine{Lower: graph.Lower}
	everyRun(t, kernel.Plain, func(t *testing.T, cfg hyper.Config, want string) {
		if err := cfg.Set("arithmetic", "auto"); err != nil {
			t.Fatal(err)
		}
		restore := kernel.Use("go")
		began := half(t, e, cfg)
		restore()
		l, err := e.Resume(began)
		got := train(t, l, err)
		if got.ParamsSHA256 != want || got.Arithmetic != kernel.Plain {
			t.Errorf("to a machine with vectors: %.12s in %s, in one go %.12s", got.ParamsSHA256, got.Arithmetic, want)
		}
		if err := cfg.Set("arithmetic", kernel.Plain); err != nil {
			t.Fatal(err)
		}
		began = half(t, e, cfg)
		defer kernel.Use("go")()
		l, err = e.Resume(began)
		if got := train(t, l, err); got.ParamsSHA256 != want {
			t.Errorf("and back: %.12s, in one go %.12s", got.ParamsSHA256, want)
		}
	})
}
