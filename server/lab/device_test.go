package lab

import (
	"testing"

	"impalab/learner/device"
	"impalab/learner/kernel"
	"impalab/learner/program"
	"impalab/server/store"
)

// twin is a device that is this machine's cores.
type twin struct{}

func (twin) Name() string { return "twin" }
func (twin) Close()       {}
func (twin) Run(steps []program.Step, arena []float32) error {
	program.Bind(steps, arena).Run()
	return nil
}
func (twin) Plan(make program.Maker, recurrent bool, t, b, shards int) (device.Plan, error) {
	return program.NewSharded(kernel.Auto, make, recurrent, t, b, shards)
}

// A server that was started with a device trains what browsers began, too, which has the arithmetic of none.
func TestARunInPlainArithmeticIsTrainedBesideADevice(t *testing.T) {
	if kernel.Arithmetic() != kernel.Fused {
		t.Skip("without vectors no device gives this machine's bits")
	}
	devices, err := device.Select("twin", []device.Driver{{
		Name: "twin", Count: func() (int, error) { return 1, nil },
		Open: func(int) (device.Device, error) { return twin{}, nil },
	}})
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t, Options{Devices: devices})
	for arithmetic, on := range map[string]string{kernel.Plain: device.CPU, kernel.Fused: "twin"} {
		r, _ := start(t, l, "p=catch steps=400 speed=inf batch=4 arithmetic="+arithmetic)
		i := ended(t, l, r.ID)
		if i.State != store.Done || i.Steps < 400 || i.Arithmetic != arithmetic || i.Device == nil || i.Device.Name != on {
			t.Errorf("in %s arithmetic: %s after %d steps in %s on %+v: %s", arithmetic, i.State, i.Steps, i.Arithmetic,
				i.Device, i.Reason)
		}
	}
}
