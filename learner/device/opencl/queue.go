//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"
)

// queue is an arena on the device, memory of the host that the driver can reach by itself, and the order in which
// things are done to both. The first error stays, and nothing is done after it. It belongs to one goroutine.
type queue struct {
	d      *Device
	id     handle
	arena  handle
	pinned handle
	mapped uintptr
	host   []float32 // the pinned memory; C's own
	argv   *[9]uintptr
	err    error
	spent  spent
}

// spent is what a queue has asked of its device: starts of kernels, bytes that went there and came back, and how often
// the host waited.
type spent struct{ launches, sent, fetched, waits int }

// queue makes an arena of so many numbers, and as many of the host's as asked for.
func (d *Device) queue(arena, host int) (q *queue, err error) {
	if err := d.fits(arena, d.id.number(deviceMaxAlloc)); err != nil {
		return nil, err
	}
	q = &queue{d: d, argv: room[[9]uintptr]()}
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
	q.write(0, q.host) // update knows what lies there
	q.finish()
	q.spent = spent{}
	return q, nil
}

func (d *Device) buffer(numbers int, flags uintptr) (handle, error) {
	return d.context.create(createBuffer, uintptr(d.context), flags, uintptr(4*numbers), 0)
}

// write takes x, a part of host, to the arena. It does not wait.
func (q *queue) write(to int, x []float32) {
	if len(x) > 0 {
		q.spent.sent += 4 * len(x)
		q.transfer(enqueueWriteBuffer, 0, to, x)
	}
}

// update takes x to the arena unless its bits are there already. Whatever else is written or read there goes through
// the same place of host.
func (q *queue) update(to int, x []float32) {
	if here := q.host[to:][:len(x)]; !sameBits(here, x) {
		copy(here, x)
		q.write(to, here)
	}
}

// updateFrom is update where from, which is idle and has done likewise, may have them on the device already, at at.
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

// bits are the bytes of x, which is not empty: 0 and −0 are two numbers, and what is none may be the same.
func bits(x []float32) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 4*len(x)) }

// read brings x, a part of host, from the arena, and waits for all that was asked for before.
func (q *queue) read(x []float32, from int) {
	q.spent.fetched += 4 * len(x)
	q.spent.waits++
	q.transfer(enqueueReadBuffer, 1, from, x)
}

// finish waits for all that was asked for before.
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

// run starts launches, one after the other. It does not wait.
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

// close waits for what is under way and lets everything go.
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
