//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"errors"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
)

// Every algorithm and every kind of network: short runs, which a single wrong bit would turn into others.
var runs = []struct{ preset, changes string }{
	{"cartpole", "steps=3200"},
	{"cartpole", "steps=1280 popart=on torsos=separate optimiser=adam"},
	{"catch", "steps=1500 unroll=19 batch=9 hidden=37-53"}, // 171 rows in 2 shards: one is longer
	{"catch", "steps=1500 algo=a2c lag=0 mix=0"},
	{"breakout", "steps=1280"},
	{"breakout", "steps=1280 lstm=5 hidden=8 batch=16"},
	{"catch", "steps=1000 momentum=0.6 clip=0.3"},
	{"catch", "steps=1000 opt-form=pytorch"},
	{"catch", "steps=1000 optimiser=adam opt-form=pytorch"},
	{"catch", "steps=1000 torso=shallow hidden=24 activation=relu"},
	{"catch", "steps=360 torso=deep hidden=16"},
	{"catch", "steps=1000 pixel-control=0.1 pixel-cell=2 hidden=24"},
	{"vmpo-catch", "steps=600 pixel-control=0.1 pixel-cell=2 lstm=6 target-every=2"},
	{"catch", "steps=800 lstm=12 feedback=on unroll=11 batch=13"},
	{"catch", "steps=600 lstm=9 torsos=separate popart=on"},
	{"stac", "steps=1280"},
	{"stac", "steps=640 lstm=8"},
	{"stacx", "steps=640"},
	{"vmpo", "steps=2560"},
	{"vmpo-pendulum", "steps=1280"},
	{"laser", "steps=2560"},
	{"laser-catch", "steps=900 sampling=prioritised"},
	{"lag-cliff", "steps=1280 lag=2 correction=taper ratio=response"},
	{"lag-cliff", "steps=1280 lag=2 correction=clip ratio=mean lift=0.5"},
	{"lag-cliff", "steps=1280 lag=2 correction=band floor=0.9 ceiling=1.1"},
	{"lag-cliff", "steps=1280 lag=2 correction=moment moment=0.001"},
	{"catch", "steps=1000 lag=2 correction=shift shift=0.02"},
	{"lag-cliff", "steps=1280 lag=2 correction=centred centre=bad"},
	{"reverse-late", "steps=1280 lag=2"},
	{"cartpole", "steps=1280 learners=2 batch=8"},
	{"rooms-collect", "steps=60 unroll=10 batch=3 torso=shallow lstm=8 hidden=16 mix=0"}, // strides of 4 and 2
}

func config(t testing.TB, preset, changes string) hyper.Config {
	t.Helper()
	return kit.Config(t, preset, "seed=1101 "+changes)
}

// on is an engine that computes on d alone.
func on(t testing.TB, d *Device) learner.Engine { t.Helper(); return onDevice(t, kept{d}) }

func onDevice(t testing.TB, d device.Device) learner.Engine {
	t.Helper()
	s, err := device.Select("test", []device.Driver{{
		Name: "test", Count: func() (int, error) { return 1, nil },
		Open: func(int) (device.Device, error) { return d, nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	return learner.Engine{Lower: graph.Lower, Devices: s}
}

// kept is a device that others close.
type kept struct{ *Device }

func (kept) Close() {}

func train(t *testing.T, l *learner.Learner, err error) learner.Result {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	result, err := l.Run(t.Context(), learner.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestWholeRunsComeToTheSameParametersOnADevice(t *testing.T) {
	cores, other := learner.Engine{Lower: graph.Lower}, on(t, underTest(t, usual))
	for i, r := range runs {
		if testing.Short() && i > 1 {
			break
		}
		t.Run(r.preset+" "+r.changes, func(t *testing.T) {
			cfg := config(t, r.preset, r.changes)
			l, err := cores.New(cfg)
			want := train(t, l, err)
			l, err = other.New(cfg)
			got := train(t, l, err)
			if got.Device.Name != "test" || want.Device.Name != device.CPU {
				t.Errorf("computed on %+v and %+v", got.Device, want.Device)
			}
			if got.ParamsSHA256 != want.ParamsSHA256 || got.Updates == 0 {
				t.Errorf("%.12s after %d updates, on the processor %.12s", got.ParamsSHA256, got.Updates, want.ParamsSHA256)
			}
		})
	}
}

func TestARunContinuesFromASnapshotOnAnotherDevice(t *testing.T) {
	cores, other := learner.Engine{Lower: graph.Lower}, on(t, underTest(t, usual))
	for _, changes := range []string{"lstm=8 mix=0.5", "optimiser=adam"} {
		goesOn(t, cores, other, config(t, "catch", "steps=900 lag=2 "+changes))
	}
}

func goesOn(t *testing.T, cores, other learner.Engine, cfg hyper.Config) {
	t.Helper()
	l, err := cores.New(cfg)
	want := train(t, l, err)
	for name, way := range map[string][2]learner.Engine{"to the device": {cores, other}, "and back": {other, cores}} {
		l, err := way[0].New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		half := errors.New("half of it")
		if _, err := l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
			if l.Steps() >= cfg.Steps/2 {
				return half
			}
			return nil
		}}); err != half {
			t.Fatal(err)
		}
		blob, err := l.Snapshot()
		l.Close()
		if err != nil {
			t.Fatal(err)
		}
		l, err = way[1].Resume(blob)
		if got := train(t, l, err); got.ParamsSHA256 != want.ParamsSHA256 || got.Arithmetic != want.Arithmetic {
			t.Errorf("%s: %.12s in %s arithmetic, in one go %.12s", name, got.ParamsSHA256, got.Arithmetic, want.ParamsSHA256)
		}
	}
}

// A run cannot continue after a device fails to return its optimiser's memory.
func TestNothingContinuesFromAFailedDevice(t *testing.T) {
	w := &watchedDevice{Device: underTest(t, usual)}
	e := onDevice(t, w)
	l, err := e.New(config(t, "catch", "steps=900 hidden=8 batch=4"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	half := errors.New("half of it")
	if _, err := l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		if l.Updates() == 2 {
			return half
		}
		return nil
	}}); err != half {
		t.Fatal(err)
	}
	other, err := e.New(*l.Config())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	w.plans[0].q.err = failure(-5)
	if _, err := l.Snapshot(); !errors.Is(err, failure(-5)) {
		t.Errorf("a snapshot of it: %v", err)
	}
	if err := other.CopyFrom(l); !errors.Is(err, failure(-5)) || other.Updates() != 0 {
		t.Errorf("another learner went on from it to update %d: %v", other.Updates(), err)
	}
}

func TestARunThatCannotBeginLeavesNothingOnItsDevice(t *testing.T) {
	w := &watchedDevice{Device: underTest(t, usual)}
	cfg := config(t, "cartpole", "hidden=none init=soft-optimal") // its best policy is not known
	if _, err := onDevice(t, w).New(cfg); err == nil || !strings.Contains(err.Error(), "finite") {
		t.Fatal(err)
	}
	if w.plans[0].q.id != 0 || w.rows[0].q.id != 0 {
		t.Error("its plan, or its rows, still have memory there")
	}
}
