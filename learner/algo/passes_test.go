package algo_test

import (
	"testing"

	"impalab/learner"
	"impalab/learner/algo"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/program"
)

// counting is a device that is this machine's cores and counts how often its plans are used.
type counting struct{ forward, back int }

func (c *counting) Name() string { return "counting" }
func (c *counting) Close()       {}

func (c *counting) Run(steps []program.Step, arena []float32) error {
	program.Bind(steps, arena).Run()
	return nil
}

func (c *counting) Plan(make program.Maker, recurrent bool, t, b, shards int) (device.Plan, error) {
	s, err := program.NewSharded(kernel.Auto, make, recurrent, t, b, shards)
	return &counted{s, c}, err
}

type counted struct {
	*program.Sharded
	n *counting
}

func (c *counted) Forward(theta, input, state, keep []float32) (logits, values []float32) {
	c.n.forward++
	return c.Sharded.Forward(theta, input, state, keep)
}

func (c *counted) Backward(grad, dLogits, dValues []float32) {
	c.n.back++
	c.Sharded.Backward(grad, dLogits, dValues)
}

func (c *counted) Tangent(u []float32) (tLogits, tValues []float32) {
	c.n.back++
	return c.Sharded.Tangent(u)
}

func TestPassesAreThoseThatAnUpdateMakes(t *testing.T) {
	if kernel.Arithmetic() != kernel.Fused {
		t.Skip("without vectors there are no devices, which are what counts here")
	}
	for _, a := range hyper.Algorithms {
		var n counting
		on, err := device.Select("counting", []device.Driver{{
			Name: "counting", Count: func() (int, error) { return 1, nil },
			Open: func(int) (device.Device, error) { return &n, nil },
		}})
		if err != nil {
			t.Fatal(err)
		}
		cfg, _, _, err := hyper.FromSettings([]hyper.Setting{
			{Key: "world", Value: "catch"}, {Key: "algo", Value: string(a.Name)}, {Key: "steps", Value: "360"},
		})
		if err != nil {
			t.Fatal(err)
		}
		l, err := learner.Engine{Lower: graph.Lower, Devices: on}.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		result, err := l.Run(t.Context(), learner.Hooks{})
		l.Close()
		on.Close()
		want := algo.PassesOf(&cfg)
		if a.TargetNetwork {
			want.Forward-- // which it sees by a forward pass of its own
		}
		if k := int(result.Updates); err != nil || k == 0 || n.forward != k*want.Forward || n.back != k*want.Back {
			t.Errorf("%s: %v; %d updates went forwards %d times and back %d, want %+v of each", a.Name, err, k, n.forward,
				n.back, want)
		}
	}
}
