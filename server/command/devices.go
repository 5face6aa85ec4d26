package command

// devices lists what networks can be computed on.

import (
	"fmt"
	"strings"

	"impalab/learner/device"
	"impalab/learner/device/opencl"
)

type Devices struct {
	JSON bool   `help:"Print one JSON object a line."`
	Only string `help:"Only the devices of this driver, like nvidia." placeholder:"NAME"`
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
	all, err := d.list(opencl.Drivers())
	if err != nil {
		return err
	}
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

// list is all of them, or only one driver's, and then without the processor.
func (d *Devices) list(drivers []device.Driver) ([]device.Choice, error) {
	if d.Only == "" {
		return device.List(drivers), nil
	}
	var names []string
	for _, driver := range drivers {
		if driver.Name == d.Only {
			return device.List([]device.Driver{driver})[1:], nil
		}
		names = append(names, driver.Name)
	}
	if len(names) == 0 {
		return nil, UsageError{fmt.Errorf("--only %s: this build opens no devices", d.Only)}
	}
	return nil, UsageError{fmt.Errorf("--only %s: must be one of %s", d.Only, strings.Join(names, ", "))}
}
