package device

import (
	"fmt"
	"strconv"
	"strings"

	"impalab/learner/kernel"
)

// The choice of a device: by its name, or the first that computes exactly.

// Selection is the devices of a program. nil is the cores alone. Any number of learners may share one.
type Selection struct {
	asked   string
	why     string // the cores are the only choice
	open    []opened
	orCores bool
}

type opened struct {
	name string
	Device
}

// Select opens the devices of a choice: Auto, CPU, or a driver's name, with a colon and a number if the driver has
// several devices. A named device that is missing or gives other bits is an error; Auto skips it.
func Select(asked string, drivers []Driver) (*Selection, error) {
	s := &Selection{asked: asked}
	switch asked {
	case "", CPU:
		s.why = "as asked for"
		return s, nil
	case Auto:
		s.openAll(drivers)
		return s, nil
	}
	name, number, numbered := strings.Cut(asked, ":")
	i, err := 0, error(nil)
	if numbered {
		if i, err = strconv.Atoi(number); err != nil || i < 0 {
			return nil, fmt.Errorf("device %q: must be NAME or NAME:NUMBER, as `impalab devices` lists them", asked)
		}
	}
	names := []string{Auto, CPU}
	for _, d := range drivers {
		if d.Name != name {
			names = append(names, d.Name)
			continue
		}
		device, err := openExact(&d, i)
		if err != nil {
			return nil, fmt.Errorf("device %s: %w; device %s is this machine's cores", asked, err, CPU)
		}
		s.open = []opened{{asked, device}}
		return s, nil
	}
	if len(drivers) == 0 {
		return nil, fmt.Errorf("device %q: this build has no devices; use %s or %s", asked, Auto, CPU)
	}
	return nil, fmt.Errorf("device %q: must be one of %s", asked, strings.Join(names, ", "))
}

// openAll opens every exact device.
func (s *Selection) openAll(drivers []Driver) {
	if kernel.Arithmetic() != kernel.Fused {
		s.why = notFused("this program", kernel.Auto).Error()
		return
	}
	var passed []string
	for _, d := range drivers {
		if d.ByName {
			continue
		}
		for i, name := range d.names() {
			device, err := openExact(&d, i)
			if err != nil {
				passed = append(passed, fmt.Sprintf("%s is passed over: %v", name, err))
				continue
			}
			s.open = append(s.open, opened{name, device})
		}
	}
	s.why = "there is no other device"
	if len(passed) > 0 {
		s.why = strings.Join(passed, "; ")
	}
}

func notFused(what string, kernels kernel.Set) error {
	return fmt.Errorf("devices compute in %s arithmetic, and %s in %s", kernel.Fused, what, kernels.Arithmetic())
}

// openExact opens a device and examines it.
func openExact(d *Driver, i int) (Device, error) {
	if kernel.Arithmetic() != kernel.Fused {
		return nil, notFused("this program", kernel.Auto)
	}
	device, err := d.Open(i)
	if err != nil {
		return nil, err
	}
	if err := Examine(device); err != nil {
		device.Close()
		return nil, err
	}
	return device, nil
}

// names returns the name of each of the driver's devices, with its number if there are several.
func (d *Driver) names() (names []string) {
	n, _ := d.Count() // after an error, 0
	for i := range n {
		name := d.Name
		if n > 1 {
			name = fmt.Sprintf("%s:%d", d.Name, i)
		}
		names = append(names, name)
	}
	return names
}

// List describes the cores, then every device, including devices that only a name selects.
func List(drivers []Driver) []Choice {
	all := []Choice{{CPU, true, fmt.Sprintf("%s arithmetic, %s: the reference of every device", kernel.Arithmetic(),
		kernel.Level())}}
	for _, d := range drivers {
		for i, name := range d.names() {
			c := Choice{Name: name}
			device, err := openExact(&d, i)
			if err != nil {
				c.Why = err.Error()
			} else {
				c.Exact, c.Why = true, device.Name()+": the same bits in every operation"
				if d.ByName {
					c.Why += "; it computes on this machine's cores, for tests"
				}
				device.Close()
			}
			all = append(all, c)
		}
	}
	return all
}

// OrCores returns a selection that falls back to the cores when the named device lacks the run's arithmetic. Servers
// use it. It shares the devices of s.
func (s *Selection) OrCores() *Selection {
	if s == nil {
		return nil
	}
	or := *s
	or.orCores = true
	return &or
}

// CheckKernels returns an error if the named device cannot compute with kernels.
func (s *Selection) CheckKernels(kernels kernel.Set) error {
	if s == nil || len(s.open) == 0 || s.asked == Auto || s.orCores || kernels.Arithmetic() == kernel.Fused {
		return nil
	}
	return fmt.Errorf("device %s: %w; take device=%s or arithmetic=%s", s.open[0].name, notFused("this run", kernels), CPU,
		kernel.Fused)
}

// Open returns the names of the open devices, without the cores.
func (s *Selection) Open() (names []string) {
	if s != nil {
		for _, one := range s.open {
			names = append(names, one.name)
		}
	}
	return names
}

// Close releases the devices. Their plans must be closed before.
func (s *Selection) Close() {
	for _, one := range s.open {
		one.Close()
	}
	s.open = nil
}
