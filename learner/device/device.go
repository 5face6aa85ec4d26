// Package device says where a learner's network is computed: on this machine's cores, or on something that runs the
// same programs to the same bits. Look at Select first, which chooses, and at Examine, which trusts no device.
package device

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"impalab/learner/kernel"
	"impalab/learner/optim"
	"impalab/learner/program"
	"impalab/learner/schedule"
)

// Plan runs a network on a batch, forwards and backwards. program.Sharded is one, on this machine's cores, and says
// what each method does.
type Plan interface {
	Forward(theta, input, state, keep []float32) (logits, values []float32)
	Backward(grad, dLogits, dValues []float32)
	Tangent(u []float32) (tLogits, tValues []float32)
	StateAfter(row int, state []float32)
	On(cores *schedule.Share)
	Close()
}

// OnDevice is a plan that does not run on this machine's cores. What surrounds its passes can be done there as well.
type OnDevice interface {
	Plan
	// Rows makes the network's forward pass alone on the same device, for up to n rows: to run beside the plan, or in
	// turns with it, when the plan's θ need not be sent again.
	Rows(make program.Maker, n int, beside bool) (Rows, error)

	// Gradient is Backward, but the gradient stays there. It returns the lanes of its sum of squares, which
	// kernel.SumOf adds up.
	Gradient(dLogits, dValues []float32) *[kernel.SumLanes]float32
	// Shorten multiplies that gradient by a, and optim.Device takes a step along it, from the θ of the last Forward.
	Shorten(a float32)
	optim.Device
}

// Rows runs a network forwards on rows that stand by themselves. net.Forward does so on a core, and says what Run does.
type Rows interface {
	Run(theta, input, state []float32, rows int) (logits, values []float32)
	On(cores *schedule.Share)
	Err() error
	Close()
}

// Device is something that runs programs.
type Device interface {
	// Name is what it calls itself.
	Name() string
	// Run does steps on an arena, as program.Bind and Calls.Run do.
	Run(steps []program.Step, arena []float32) error
	// Plan takes the place of program.NewSharded.
	Plan(make program.Maker, recurrent bool, t, b, shards int) (Plan, error)
	// Close lets it go, after its plans.
	Close()
}

// Driver opens the devices of one kind.
type Driver struct {
	Name   string
	ByName bool // only for who asks for it by name: auto passes over it
	// There reports whether it has a library that could be opened, without opening it; nil: that is not known.
	There func() bool
	Count func() (int, error)
	Open  func(i int) (Device, error)
}

// Names that every machine has.
const (
	Auto = "auto" // the fastest exact one, for each network
	CPU  = "cpu"  // this machine's cores
)

// Choice is where a network is computed, and why there.
type Choice struct {
	Name  string `json:"name"`
	Exact bool   `json:"exact"` // it gives this machine's bits
	Why   string `json:"why"`
}

// Selection is the devices that a program computes on. nil is the cores alone. Any number of learners may share one.
type Selection struct {
	asked   string
	why     string // of the cores, where there is nothing else
	open    []opened
	orCores bool
}

type opened struct {
	name string
	Device
}

// Select opens what is asked for: Auto, CPU, or a driver's name, with a number behind a colon where it has several
// devices. A device asked for by name that is not there, or that does not give this machine's bits, is an error; Auto
// passes over it.
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
		return nil, fmt.Errorf("device %q: this build knows none; take %s or %s", asked, Auto, CPU)
	}
	return nil, fmt.Errorf("device %q: must be one of %s", asked, strings.Join(names, ", "))
}

// openAll opens whatever is there and exact.
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
		n, _ := d.Count() // an error says that there are none
		for i := range n {
			device, err := openExact(&d, i)
			if err != nil {
				passed = append(passed, fmt.Sprintf("%s is passed over: %v", numbered(d.Name, i, n), err))
				continue
			}
			s.open = append(s.open, opened{numbered(d.Name, i, n), device})
		}
	}
	s.why = "there is no other device"
	if len(passed) > 0 {
		s.why = strings.Join(passed, "; ")
	}
}

// numbered is a device's name, with its number where there are several.
func numbered(name string, i, of int) string {
	if of > 1 {
		return fmt.Sprintf("%s:%d", name, i)
	}
	return name
}

func notFused(what string, kernels kernel.Set) error {
	return fmt.Errorf("devices compute in %s arithmetic, and %s in %s", kernel.Fused, what, kernels.Arithmetic())
}

// openExact opens a device and holds it to this machine's bits.
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

// Names are what every device that can be counted is asked for by, but for those of drivers that auto passes over.
func Names(drivers []Driver) (names []string) {
	for _, d := range drivers {
		if d.ByName {
			continue
		}
		n, _ := d.Count() // an error says that there are none
		for i := range n {
			names = append(names, numbered(d.Name, i, n))
		}
	}
	return names
}

// List says what there is: the cores first, then every device that can be opened, by its own name too.
func List(drivers []Driver) []Choice {
	all := []Choice{{CPU, true, fmt.Sprintf("%s arithmetic, %s: what every device is held to", kernel.Arithmetic(),
		kernel.Level())}}
	for _, d := range drivers {
		n, _ := d.Count() // an error says that there are none
		for i := range n {
			c := Choice{Name: numbered(d.Name, i, n)}
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

// OrCores is s for whoever computes for others: what a device that was asked for by name has not the arithmetic of is
// computed on the cores. The devices are s's.
func (s *Selection) OrCores() *Selection {
	if s == nil {
		return nil
	}
	or := *s
	or.orCores = true
	return &or
}

// Takes refuses kernels that a device which was asked for by name has not the arithmetic of.
func (s *Selection) Takes(kernels kernel.Set) error {
	if s == nil || len(s.open) == 0 || s.asked == Auto || s.orCores || kernels.Arithmetic() == kernel.Fused {
		return nil
	}
	return fmt.Errorf("device %s: %w; take device=%s or arithmetic=%s", s.open[0].name, notFused("this run", kernels), CPU,
		kernel.Fused)
}

// Plan makes the plan of a network on the device that was asked for, or with Auto on the fastest; with kernels of
// another arithmetic than the devices', on the cores.
func (s *Selection) Plan(kernels kernel.Set, make program.Maker, recurrent bool, t, b, shards int) (Plan, Choice,
	error) {
	if err := s.Takes(kernels); err != nil {
		return nil, Choice{}, err
	}
	choice, open := Choice{CPU, true, "as asked for"}, []opened(nil)
	if s != nil {
		choice.Why, open = s.why, s.open
	}
	if len(open) > 0 && kernels.Arithmetic() != kernel.Fused {
		choice.Why, open = notFused("this run", kernels).Error(), nil
	}
	if len(open) > 0 && s.asked != Auto {
		one := open[0]
		plan, err := one.Plan(make, recurrent, t, b, shards)
		if err != nil {
			return nil, Choice{}, fmt.Errorf("device %s: %w", one.name, err)
		}
		return plan, Choice{one.name, true, "as asked for: " + one.Device.Name()}, nil
	}
	var made *program.Program
	cores, err := program.NewSharded(kernels, func(t, b int) (*program.Program, error) {
		p, err := make(t, b)
		if made == nil {
			made = p
		}
		return p, err
	}, recurrent, t, b, shards)
	if err != nil || len(open) == 0 {
		return plan(cores, err), choice, err
	}
	best, shortest := Plan(cores), update(cores, made, t*b, b)
	for _, one := range open {
		its, err := one.Plan(make, recurrent, t, b, shards)
		if err != nil {
			choice.Why = fmt.Sprintf("%s is passed over: %v", one.name, err)
			continue
		}
		took := update(its, made, t*b, b)
		if failed := Err(its); failed != nil || took >= shortest {
			its.Close()
			choice.Why = fmt.Sprintf("a pass there and back takes %v here and %v on %s", shortest, took, one.name)
			if failed != nil {
				choice.Why = fmt.Sprintf("%s is passed over: %v", one.name, failed)
			}
			continue
		}
		best.Close()
		choice = Choice{one.name, true, fmt.Sprintf("a pass there and back takes %v on it and %v on what comes before it: %s",
			took, shortest, one.Device.Name())}
		best, shortest = its, took
	}
	return best, choice, nil
}

// plan is no plan where there is an error: a nil pointer in an interface is not nil.
func plan(cores *program.Sharded, err error) Plan {
	if err != nil {
		return nil
	}
	return cores
}

// update is how long a pass forwards and backwards takes, of zeros, at its best of a few.
func update(p Plan, like *program.Program, rows, b int) time.Duration {
	of := func(s program.Segment, n int) []float32 { return make([]float32, n*like.Width(s)) }
	theta, grad := make([]float32, like.Params()), make([]float32, like.Params())
	input, state, keep := of(program.Input, rows), of(program.State, b), of(program.Keep, rows)
	dLogits, dValues := of(program.DLogits, rows), of(program.DValues, rows)
	best := time.Duration(1<<63 - 1)
	for range 4 {
		began := time.Now()
		p.Forward(theta, input, state, keep)
		p.Backward(grad, dLogits, dValues)
		best = min(best, time.Since(began))
	}
	return best.Round(time.Microsecond)
}

// Err is what went wrong on the device of p, a Plan or whatever has its Run, if anything did and it has one. What was
// computed since is worth nothing.
func Err(p any) error {
	if f, ok := p.(interface{ Err() error }); ok {
		return f.Err()
	}
	return nil
}

// Open is the names of the devices that were opened, beside the cores.
func (s *Selection) Open() (names []string) {
	if s != nil {
		for _, one := range s.open {
			names = append(names, one.name)
		}
	}
	return names
}

// Close lets the devices go, after all plans.
func (s *Selection) Close() {
	for _, one := range s.open {
		one.Close()
	}
	s.open = nil
}
