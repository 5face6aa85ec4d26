package command

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

// heldTo returns d with only those devices that the other process could open. err replaces all of them.
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
