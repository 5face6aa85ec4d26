// Package device chooses the device that computes a learner's network: this machine's cores, or a device that runs the
// same programs to the same bits. Look at Select first, which chooses, and at Examine, which compares a device's bits
// with the cores'.
package device

import (
	"fmt"
	"time"

	"impalab/learner/kernel"
	"impalab/learner/optim"
	"impalab/learner/program"
	"impalab/learner/schedule"
)

// Plan runs a network on a batch, forwards and backwards. program.Sharded is the plan on this machine's cores, and
// describes each method.
type Plan interface {
	Forward(theta, input, state, keep []float32) (logits, values []float32)
	Backward(grad, dLogits, dValues []float32)
	Tangent(u []float32) (tLogits, tValues []float32)
	StateAfter(row int, state []float32)
	On(cores *schedule.Share)
	Close()
}

// OnDevice is a plan on another device. The optimiser can compute there too.
type OnDevice interface {
	Plan
	// Rows makes the network's forward pass alone on the same device, for up to n rows. It runs beside the plan, or in
	// turns with it, which saves sending θ again.
	Rows(make program.Maker, n int, beside bool) (Rows, error)

	// Gradient is Backward, but the gradient stays on the device. It returns the lanes of the sum of squares, for
	// kernel.SumOf.
	Gradient(dLogits, dValues []float32) *[kernel.SumLanes]float32
	// Shorten multiplies that gradient by a, and optim.Device takes a step along it, from the θ of the last Forward.
	Shorten(a float32)
	optim.Device
}

// Rows runs a network forwards on independent rows. net.Forward does so on a core, and describes Run.
type Rows interface {
	Run(theta, input, state []float32, rows int) (logits, values []float32)
	On(cores *schedule.Share)
	Err() error
	Close()
}

// Device runs programs.
type Device interface {
	// Name returns the device's own name.
	Name() string
	// Run does steps on an arena, as program.Bind and Calls.Run do.
	Run(steps []program.Step, arena []float32) error
	// Plan makes a plan on the device, as program.NewSharded does on the cores.
	Plan(make program.Maker, recurrent bool, t, b, shards int) (Plan, error)
	// Close releases the device, after its plans.
	Close()
}

// Driver opens the devices of one kind.
type Driver struct {
	Name   string
	ByName bool // auto skips its devices
	// There reports whether one of the driver's libraries is installed, without opening it; nil: not known.
	There func() bool
	Count func() (int, error)
	Open  func(i int) (Device, error)
}

// Names that every machine has.
const (
	Auto = "auto" // the fastest exact device, for each network
	CPU  = "cpu"  // this machine's cores
)

// Choice is the device of a network, and the reason.
type Choice struct {
	Name  string `json:"name" doc:"cpu, or a name that impalab devices lists."`
	Exact bool   `json:"exact" doc:"Whether it gives the same bits as the CPU."`
	Why   string `json:"why" doc:"Reason for this device, for people."`
}

// Plan makes the plan of a network on the named device, or with Auto on the fastest. If the devices have another
// arithmetic than kernels, it makes the plan on the cores.
func (s *Selection) Plan(kernels kernel.Set, make program.Maker, recurrent bool, t, b, shards int) (Plan, Choice,
	error) {
	if err := s.CheckKernels(kernels); err != nil {
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
			choice.Why = fmt.Sprintf("a forward and a backward pass take %v here and %v on %s", shortest, took, one.name)
			if failed != nil {
				choice.Why = fmt.Sprintf("%s is passed over: %v", one.name, failed)
			}
			continue
		}
		best.Close()
		choice = Choice{one.name, true, fmt.Sprintf("a forward and a backward pass take %v on it and %v on the next best: %s",
			took, shortest, one.Device.Name())}
		best, shortest = its, took
	}
	return best, choice, nil
}

// plan returns a nil Plan after an error: a nil pointer in an interface is not nil.
func plan(cores *program.Sharded, err error) Plan {
	if err != nil {
		return nil
	}
	return cores
}

// update returns the time of a pass of zeros forwards and backwards, the best of a few.
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

// Err returns the failure of the device of p, a Plan or Rows, if p has a device. After a failure, do not use the
// results.
func Err(p any) error {
	if f, ok := p.(interface{ Err() error }); ok {
		return f.Err()
	}
	return nil
}
