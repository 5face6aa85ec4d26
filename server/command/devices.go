package command

import (
	"strings"

	"impalab/learner/device"
	"impalab/learner/device/opencl"
)

// Devices lists the devices that can compute networks.
type Devices struct {
	JSON bool   `help:"Print one JSON object a line."`
	Only string `help:"Only the devices of this driver, like nvidia." placeholder:"NAME"`
}

// Help is printed under devices --help.
func (Devices) Help() string {
	return `Each operation of a device is compared bit by bit with the processor. A device that gives all bits is exact, and
computes the same parameters as the processor. serve, train and bench use only exact devices.

  impalab devices
  impalab train --preset breakout --device nvidia`
}

// Run lists the devices, the processor first.
func (d *Devices) Run(prog *Program) error {
	all, err := d.list(opencl.Drivers())
	if err != nil {
		return err
	}
	if d.JSON {
		for _, c := range all {
			printJSON(prog.Stdout, c)
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

// list returns all devices, or only the devices of one driver.
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
		return nil, usagef("--only %s: this build opens no devices", d.Only)
	}
	return nil, usagef("--only %s: must be one of %s", d.Only, strings.Join(names, ", "))
}
