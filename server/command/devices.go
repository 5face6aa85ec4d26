package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"impalab/learner/device"
	"impalab/learner/device/opencl"
	"impalab/learner/kernel"
)

// Devices lists the devices that can compute networks.
type Devices struct {
	JSON bool   `help:"Print one JSON object a line."`
	Only string `help:"Only the devices of this driver, like nvidia." placeholder:"NAME"`
}

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

// probeLimit is the time that a library has for the self-test, in which its compiler builds every kernel.
const probeLimit = time.Minute

// drivers returns the drivers that --device may open in this process. A fault in a vendor's library, which is not Go,
// can end the process or block it forever. With auto, another process therefore opens each library first. A device with
// a name is opened directly, because the command cannot continue without it.
func (f *deviceFlags) drivers(ctx context.Context) []device.Driver {
	switch {
	case f.Device != device.Auto:
		return opencl.Drivers()
	case kernel.Arithmetic() != kernel.Fused:
		return nil // Select says why
	}
	self, err := ownFile()
	if err != nil {
		self = ""
	}
	return probed(ctx, opencl.Drivers(), probeLimit, self, "devices", "--json", "--only")
}

// probed starts a process for each driver whose library exists, with the driver's name after the arguments, and returns
// the drivers with the devices that the processes found.
func probed(ctx context.Context, drivers []device.Driver, limit time.Duration, program string,
	args ...string) []device.Driver {
	var all sync.WaitGroup
	out := slices.Clone(drivers)
	for i := range out {
		d := &out[i]
		switch {
		case d.ByName:
		case d.There != nil && !d.There():
			*d = restrictTo(*d, nil)
		default:
			all.Go(func() {
				found, err := probe(ctx, limit, program, append(args, d.Name)...)
				if err != nil {
					found = []device.Choice{{Why: err.Error()}}
				}
				*d = restrictTo(*d, found)
			})
		}
	}
	all.Wait()
	return out
}

// restrictTo returns d with only those devices that the other process could open.
func restrictTo(d device.Driver, found []device.Choice) device.Driver {
	open := d.Open
	d.Count = func() (int, error) { return len(found), nil }
	d.Open = func(i int) (device.Device, error) {
		if !found[i].Exact {
			return nil, errors.New(found[i].Why)
		}
		return open(i)
	}
	return d
}

var errNoSelf = errors.New("it is not tried, because this program cannot find its own file to start a second process")

// probe runs another process and returns the devices that it lists.
func probe(ctx context.Context, limit time.Duration, program string, args ...string) (found []device.Choice,
	err error) {
	if program == "" {
		return nil, errNoSelf
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var out, errs bytes.Buffer
	command := exec.CommandContext(within, program, args...)
	command.Stdout, command.Stderr, command.WaitDelay = &out, &errs, time.Second
	err = command.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case within.Err() != nil:
		return nil, fmt.Errorf("its driver did not end its self-test within %v", limit)
	case err != nil:
		first, _, _ := strings.Cut(errs.String(), "\n")
		return nil, fmt.Errorf("its driver crashed in its self-test (%w: %.100s)", err, strings.TrimSpace(first))
	}
	for lines := json.NewDecoder(&out); lines.More(); {
		var c device.Choice
		if err := lines.Decode(&c); err != nil {
			return nil, fmt.Errorf("its self-test printed something unreadable: %w", err)
		}
		found = append(found, c)
	}
	return found, nil
}
