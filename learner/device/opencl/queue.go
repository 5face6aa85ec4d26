//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// queue is an arena on the device, pinned host memory, and the order of all operations on both. It keeps its first
// error and then does nothing. It belongs to one goroutine.
type queue struct {
	d      *Device
	id     handle
	arena  handle
	pinned handle
	mapped uintptr
	host   []float32 // the pinned memory, which C owns
	argv   *[9]uintptr
	err    error
	spent  spent
}

// spent counts a queue's work: launches, bytes sent and fetched, and waits.
type spent struct{ launches, sent, fetched, waits int }

// queue makes an arena and host memory of the given numbers of floats.
func (d *Device) queue(arena, host int) (q *queue, err error) {
	if err := d.fits(arena, d.id.number(deviceMaxAlloc)); err != nil {
		return nil, err
	}
	q = &queue{d: d, argv: newObject[[9]uintptr]()}
	defer func() {
		if err != nil {
			q.close()
			err = fmt.Errorf("%s: %w", d.name, err)
		}
	}()
	if q.id, err = d.context.create(createCommandQueue, uintptr(d.context), uintptr(d.id), 0); err != nil {
		return nil, err
	}
	if q.arena, err = d.buffer(arena, memReadWrite); err != nil {
		return nil, err
	}
	if q.pinned, err = d.buffer(host, memReadWrite|memAllocHostPtr); err != nil {
		return nil, err
	}
	mapped, err := q.id.create(enqueueMapBuffer, uintptr(q.id), uintptr(q.pinned), 1, mapReadWrite, 0, uintptr(4*host), 0,
		0, 0)
	if err != nil {
		return nil, err
	}
	q.mapped = uintptr(mapped)
	q.host = unsafe.Slice(*(**float32)(unsafe.Pointer(&q.mapped)), host)
	clear(q.host)
	q.write(0, q.host) // update compares with the arena's contents
	q.finish()
	q.spent = spent{}
	return q, nil
}

func (d *Device) buffer(numbers int, flags uintptr) (handle, error) {
	return d.context.create(createBuffer, uintptr(d.context), flags, uintptr(4*numbers), 0)
}

// write sends x, a part of host, to the arena. It does not wait.
func (q *queue) write(to int, x []float32) {
	if len(x) > 0 {
		q.spent.sent += 4 * len(x)
		q.transfer(enqueueWriteBuffer, 0, to, x)
	}
}

// update sends x to the arena unless it is there already, to the bit. All other transfers of this place use the same
// place of host.
func (q *queue) update(to int, x []float32) {
	if here := q.host[to:][:len(x)]; !sameBits(here, x) {
		copy(here, x)
		q.write(to, here)
	}
}

// updateFrom is update, but copies from another idle queue's arena if that has x at at.
func (q *queue) updateFrom(from *queue, at, to int, x []float32) {
	if here := q.host[to:][:len(x)]; sameBits(from.host[at:][:len(x)], x) && !sameBits(here, x) {
		copy(here, x)
		*q.argv = [9]uintptr{uintptr(q.id), uintptr(from.arena), uintptr(q.arena), uintptr(4 * at), uintptr(4 * to),
			uintptr(4 * len(x))}
		q.do(enqueueCopyBuffer, q.argv)
	}
	q.update(to, x)
}

func sameBits(x, y []float32) bool { return bytes.Equal(bits(x), bits(y)) }

// bits returns the bytes of x, which is not empty: 0 and −0 differ, and a NaN equals itself.
func bits(x []float32) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 4*len(x)) }

// read fetches x, a part of host, from the arena, after all earlier operations.
func (q *queue) read(x []float32, from int) {
	q.spent.fetched += 4 * len(x)
	q.spent.waits++
	q.transfer(enqueueReadBuffer, 1, from, x)
}

// finish waits for all earlier operations.
func (q *queue) finish() {
	q.spent.waits++
	*q.argv = [9]uintptr{uintptr(q.id)}
	q.do(finish, q.argv)
}

func (q *queue) transfer(f function, wait uintptr, at int, x []float32) {
	*q.argv = [9]uintptr{uintptr(q.id), uintptr(q.arena), wait, uintptr(4 * at), uintptr(4 * len(x)),
		uintptr(unsafe.Pointer(unsafe.SliceData(x)))}
	q.do(f, q.argv)
}

// run starts launches in order. It does not wait.
func (q *queue) run(l launches) {
	q.spent.launches += len(l)
	for _, one := range l {
		q.do(enqueueNDRangeKernel, &one.argv)
	}
}

// do calls a function of nine arguments. It allocates nothing.
func (q *queue) do(f function, argv *[9]uintptr) {
	if q.err != nil {
		return
	}
	code, _, _ := purego.SyscallN(f.of(q.id), argv[:]...)
	if err := check(code); err != nil {
		q.err = fmt.Errorf("%s: %w", q.d.name, err)
	}
}

// close waits for all operations and releases everything.
func (q *queue) close() {
	if q.mapped != 0 {
		q.id.invoke(enqueueUnmapMemObject, uintptr(q.id), uintptr(q.pinned), q.mapped, 0, 0, 0)
	}
	if q.id != 0 {
		q.id.invoke(finish, uintptr(q.id))
	}
	for _, buffer := range []handle{q.pinned, q.arena} {
		if buffer != 0 {
			buffer.invoke(releaseMemObject, uintptr(buffer))
		}
	}
	if q.id != 0 {
		q.id.invoke(releaseCommandQueue, uintptr(q.id))
	}
	q.id, q.arena, q.pinned, q.mapped, q.host = 0, 0, 0, 0, nil
}
