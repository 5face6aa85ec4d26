//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"fmt"

	"impalab/learner/program"
)

// launch is one start of a kernel with fixed arguments.
type launch struct {
	kernel        handle
	global, local [3]uintptr
	argv          [9]uintptr // of the call; it points into the launch itself, which is on the heap
}

type launches []*launch

func (l launches) close() {
	for _, one := range l {
		one.kernel.invoke(releaseKernel, uintptr(one.kernel))
	}
}

// place is an argument's place in the arena, and the distance between two shards.
type place struct{ base, stride int }

// local is an argument in local memory, by its count of numbers.
type local int

// builder turns steps into launches. It keeps its first error.
type builder struct {
	q      *queue
	shards int
	locate func(at, n int) place
	also   []*program.Step // the fused steps of the current step
	list   launches
	err    error
}

// steps returns launches for the steps, in order.
func (b *builder) steps(steps []program.Step) launches {
	b.list = nil
	for _, g := range fuse(steps) {
		lower := lowered[g.Op]
		if lower == nil {
			b.fail(missing(g.Op))
			break
		}
		b.also = g.also
		lower(b, g.Step, b.args(g.Step))
	}
	return b.list
}

// compiled returns an error if an operation of p has no kernel for devices, before anything is made.
func compiled(p *program.Program) error {
	for _, list := range [][]program.Step{p.Forward, p.Backward, p.Tangent} {
		for i := range list {
			if lowered[list[i].Op] == nil {
				return missing(list[i].Op)
			}
		}
	}
	return nil
}

func missing(op program.Op) error {
	if op.CoresOnly() {
		return fmt.Errorf("the operation %s of a Transformer-XL has no kernel for devices; device=cpu computes it", op)
	}
	return fmt.Errorf("the operation %s has no kernel for devices", op)
}

// args returns the places of a step's arguments.
func (b *builder) args(s *program.Step) (args []place) {
	for j, n := range s.Extents() {
		args = append(args, b.locate(s.At[j], n))
	}
	return args
}

func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// flat is the size of a work-group of an elementwise kernel.
const flat = 64

// each launches a kernel for n elements. Arguments are places, numbers and local memory.
func (b *builder) each(kernel string, n int, args ...any) {
	b.grid(kernel, [2]int{(n + flat - 1) / flat, 1}, [2]int{flat, 1}, args...)
}

// grid launches groups of items each, for all shards.
func (b *builder) grid(kernel string, groups, items [2]int, args ...any) {
	if b.err != nil {
		return
	}
	l := newObject[launch]()
	name := cString(kernel)
	id, err := b.q.d.program.create(createKernel, uintptr(b.q.d.program), at(name))
	if err != nil {
		b.fail(fmt.Errorf("%s: the kernel %s: %w", b.q.d.name, kernel, err))
		return
	}
	l.kernel = id
	b.list = append(b.list, l)
	set := argument{kernel: id, value: newObject[[1]uint64]()}
	set.memory(b.q.arena)
	for _, a := range args {
		switch v := a.(type) {
		case place:
			set.number(v.base)
			set.number(v.stride)
		case int:
			set.number(v)
		case bool:
			set.number(map[bool]int{true: 1}[v])
		case local:
			set.local(int(v))
		default:
			panic("opencl: no argument of a kernel")
		}
	}
	if set.err != nil {
		b.fail(fmt.Errorf("%s: arguments of the kernel %s: %w", b.q.d.name, kernel, set.err))
		return
	}
	l.local = [3]uintptr{uintptr(items[0]), uintptr(items[1]), 1}
	l.global = [3]uintptr{uintptr(groups[0] * items[0]), uintptr(groups[1] * items[1]), uintptr(b.shards)}
	l.argv = [9]uintptr{uintptr(b.q.id), uintptr(id), 3, 0, at(&l.global), at(&l.local)}
}

// argument sets a kernel's arguments in order.
type argument struct {
	kernel handle
	next   uintptr
	value  *[1]uint64
	err    error
}

func (a *argument) set(size uintptr, value uintptr) {
	if err := check(a.kernel.invoke(setKernelArg, uintptr(a.kernel), a.next, size, value)); a.err == nil {
		a.err = err
	}
	a.next++
}

func (a *argument) memory(h handle) {
	a.value[0] = uint64(h)
	a.set(8, at(a.value))
}

func (a *argument) number(n int) {
	a.value[0] = uint64(uint32(int32(n)))
	a.set(4, at(a.value))
}

func (a *argument) local(numbers int) { a.set(uintptr(4*numbers), 0) }
