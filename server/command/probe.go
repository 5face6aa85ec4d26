package command

// A vendor's library is no Go: what goes wrong in it ends the process, or holds it up for ever. A command that takes a
// device of its own accord has each library that is there tried in a process of its own first.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"impalab/learner/device"
	"impalab/learner/device/opencl"
	"impalab/learner/kernel"
)

// probeLimit is how long a library has to show what it can: its compiler builds every kernel.
const probeLimit = time.Minute

// drivers are those that --device may open in this process: with auto only what a process of its own has opened before.
// A device that was asked for by name is opened without that: then there is nobody to go on with the processor.
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

// probed are the drivers as a process for each that is there, which gets the driver's name behind the arguments, has
// found them.
func probed(ctx context.Context, drivers []device.Driver, limit time.Duration, program string,
	args ...string) []device.Driver {
	var all sync.WaitGroup
	out := append([]device.Driver(nil), drivers...)
	for i := range out {
		if out[i].ByName {
			continue
		}
		if there := out[i].There; there != nil && !there() {
			out[i] = heldTo(out[i], nil, nil)
			continue
		}
		all.Go(func() {
			found, err := probe(ctx, limit, program, append(args, out[i].Name)...)
			out[i] = heldTo(out[i], found, err)
		})
	}
	all.Wait()
	return out
}

// heldTo is d without what the other process could not open, or with its error in place of all.
func heldTo(d device.Driver, found []device.Choice, err error) device.Driver {
	open := d.Open
	d.Count = func() (int, error) { return max(len(found), 1), nil }
	switch {
	case err != nil:
		d.Open = func(int) (device.Device, error) { return nil, err }
	case len(found) == 0:
		d.Count = func() (int, error) { return 0, nil }
	default:
		d.Open = func(i int) (device.Device, error) {
			if i >= len(found) || !found[i].Exact {
				return nil, errors.New(found[min(i, len(found)-1)].Why)
			}
			return open(i)
		}
	}
	return d
}

var errNoSelf = errors.New("it is not tried, as this program cannot find itself to do that in a process of its own")

// probe runs another process and reads the devices that it lists.
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
			return nil, fmt.Errorf("its self-test says what cannot be read: %w", err)
		}
		found = append(found, c)
	}
	return found, nil
}
