package command

// devices lists what networks can be computed on.

import (
	"impalab/learner/device"
	"impalab/learner/device/opencl"
)

type Devices struct {
	JSON bool `help:"Print one JSON object a line."`
}

// Help is printed under devices --help.
func (Devices) Help() string {
	return `Each device is held to this machine's own bits, operation by operation; one that gives them all is exact, and
comes to the same parameters as the processor. No other computes for serve, train or bench.

  impalab devices
  impalab train --preset breakout --device nvidia`
}

// Run lists, the processor first.
func (d *Devices) Run(prog *Program) error {
	all := device.List(opencl.Drivers())
	if d.JSON {
		for _, c := range all {
			(&reporter{out: prog.Stdout}).line(c)
		}
		return nil
	}
	return table(prog.Stdout, "DEVICE\tEXACT\tWHY", func(row func(...any)) {
		for _, c := range all {
			exact := "no"
			if c.Exact {
				exact = "yes"
			}
			row(c.Name, exact, c.Why)
		}
	})
}
