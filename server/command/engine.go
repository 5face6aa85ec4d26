package command

// What a command learns on, as its flags say.

import (
	"context"
	"fmt"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/kernel"
)

// onCores is what a command learns on that has no --device.
var onCores = learner.Engine{Lower: graph.Lower}

// arithmeticFlags say how to compute what leaves that to the machine. Whatever trains for others has them.
type arithmeticFlags struct {
	Arithmetic string `default:"auto" enum:"auto,fused,plain" help:"What the setting arithmetic=auto comes to: fused is the processor's vectors, plain gives the bits of a browser; auto is fused where it can be. ${enum}." placeholder:"NAME"`
}

// deviceFlags say where.
type deviceFlags struct {
	Device string `default:"auto" help:"Where networks are computed: cpu, a name that devices lists, or auto, which takes the fastest." placeholder:"NAME"`
}

// auto leaves a choice to the machine.
const auto = "auto"

// compute has the process compute as the flags say, until done is called.
func (f *arithmeticFlags) compute() (done func(), err error) {
	if f.Arithmetic == "" || f.Arithmetic == auto {
		return func() {}, nil
	}
	done, err = kernel.Compute(f.Arithmetic)
	if err != nil {
		return nil, UsageError{fmt.Errorf("--arithmetic %s: %w; leave --arithmetic out", f.Arithmetic, err)}
	}
	return done, nil
}

// engine opens what the flags ask for, until done is called; its runs are closed before. It follows compute.
func (f *deviceFlags) engine(ctx context.Context) (e learner.Engine, done func(), err error) {
	devices, err := device.Select(f.Device, f.drivers(ctx))
	if err != nil {
		return e, nil, UsageError{fmt.Errorf("--%w", err)}
	}
	e = onCores
	e.Devices = devices
	return e, devices.Close, nil
}
