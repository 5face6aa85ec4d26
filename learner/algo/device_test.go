package algo

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/program"
	"impalab/learner/traj"
)

// coresAgain is a device that is this machine's cores, and counts the plans made for it.
type coresAgain struct{ plans *atomic.Int32 }

func (coresAgain) Name() string { return "the cores once more" }
func (coresAgain) Close()       {}
func (coresAgain) Run(steps []program.Step, arena []float32) error {
	program.Bind(steps, arena).Run()
	return nil
}
func (d coresAgain) Plan(make program.Maker, recurrent bool, t, b, shards int) (device.Plan, error) {
	d.plans.Add(1)
	return program.NewSharded(kernel.Auto, make, recurrent, t, b, shards)
}

// The machine names its device, and further learners of the run compute on the same one.
func TestEveryLearnerOfARunComputesOnItsDevice(t *testing.T) {
	var plans atomic.Int32
	selected, err := device.Select("twin", []device.Driver{{
		Name:  "twin",
		Count: func() (int, error) { return 1, nil },
		Open:  func(int) (device.Device, error) { return coresAgain{&plans}, nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := kit.Config(t, "catch", "")
	cfg.Learners = 2
	plans.Store(0) // what looking at the device took
	m, err := NewMachineOn(selected, kernel.Auto, graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Device.Name != "twin" || !m.Device.Exact || plans.Load() != 1 {
		t.Errorf("one machine: %+v, %d plans", m.Device, plans.Load())
	}
	a, err := New(m, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer a.(*DataParallel).Close()
	if n := plans.Load(); n != 2 {
		t.Errorf("two learners have %d plans on the device", n)
	}
}

// lost is a plan whose device is lost after the first pass.
type lost struct {
	device.Plan
	passes *atomic.Int32
}

func (l lost) Forward(theta, input, state, keep []float32) (logits, values []float32) {
	l.passes.Add(1)
	return l.Plan.Forward(theta, input, state, keep)
}

func (l lost) Err() error {
	if l.passes.Load() > 0 {
		return errors.New("the card has been pulled out")
	}
	return nil
}

// After a device fails, its results are not used.
func TestALearnerWhoseDeviceIsLostEndsTheUpdateOfAll(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	cfg.Learners, cfg.PopArt = 2, hyper.PopArtOn // with PopArt a machine calls Forward
	m, err := NewMachine(graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	a, err := New(m, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	several := a.(*DataParallel)
	defer several.Close()
	own := several.members[1].m
	own.plan = lost{own.plan, new(atomic.Int32)}
	r := envs.NewRand(33, 0)
	b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
	strangers(b, &r)
	if err := several.Update(b, &cfg, 0.001, 3, nil); err == nil || !strings.Contains(err.Error(), "pulled out") {
		t.Errorf("the update ends with %v", err)
	}
}

func TestAMachineOfAMissingArithmeticIsRefused(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	cfg.Arithmetic = "roman"
	m, err := NewMachine(graph.Lower, &cfg)
	if m != nil || err == nil || !strings.Contains(err.Error(), "arithmetic=roman") {
		t.Errorf("%v, %v", m, err)
	}
}
