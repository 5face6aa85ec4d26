//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"impalab/learner/device"
	"impalab/learner/program"
)

var (
	//go:embed cl/elementary.cl
	elementaryCL string
	//go:embed cl/product.cl
	productCL string
	//go:embed cl/conv.cl
	convCL string
	//go:embed cl/rows.cl
	rowsCL string
	//go:embed cl/pool.cl
	poolCL string
	//go:embed cl/lstm.cl
	lstmCL string
	//go:embed cl/descend.cl
	descendCL string
)

// source joins the files: earlier ones are used by later ones.
var source = strings.Join([]string{elementaryCL, productCL, convCL, rowsCL, poolCL, lstmCL, descendCL}, "\n")

// tiles are the sizes that the kernels are built with. They change no result.
type tiles struct {
	m, n, k        int // of a tile of a product
	itemM, itemN   int // of the tile, per work-item
	convN, convOne int // n and itemN of a convolution, which has few channels
}

var usual = tiles{m: 64, n: 64, k: 16, itemM: 4, itemN: 4, convN: 16, convOne: 1}

func (t tiles) options() string {
	// Never -cl-fast-relaxed-math, -cl-mad-enable or -cl-denorms-are-zero.
	return fmt.Sprintf("-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -DTILE_M=%d -DTILE_N=%d -DTILE_K=%d "+
		"-DITEM_M=%d -DITEM_N=%d -DCONV_N=%d -DCONV_ITEM_N=%d", t.m, t.n, t.k, t.itemM, t.itemN, t.convN, t.convOne)
}

// Device has the kernels built for it. Any number of plans may share it, each with a queue of its own.
type Device struct {
	id, context, program handle
	tiles                tiles
	name                 string
}

// open builds the kernels.
func open(id handle, t tiles) (*Device, error) {
	d := &Device{id: id, tiles: t, name: id.text(deviceName)}
	if version := id.text(driverVersion); version != "" {
		d.name += ", driver " + version
	}
	if most := id.number(deviceMaxWorkGroup); most < t.m/t.itemM*t.n/t.itemN {
		return nil, fmt.Errorf("%s runs work-groups of at most %d items, and the kernels need %d", d.name, most,
			t.m/t.itemM*t.n/t.itemN)
	}
	ids := newObject[[1]handle]()
	ids[0] = id
	var err error
	if d.context, err = id.create(createContext, 0, 1, at(ids), 0, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	if err := d.build(ids); err != nil {
		d.Close()
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	return d, nil
}

func (d *Device) build(ids *[1]handle) (err error) {
	text := cString(source)
	texts := newObject[[1]*byte]()
	texts[0] = text
	if d.program, err = d.context.create(createProgramWithSource, uintptr(d.context), 1, at(texts), 0); err != nil {
		return err
	}
	options := cString(d.tiles.options())
	code := d.program.invoke(buildProgram, uintptr(d.program), 1, at(ids), at(options), 0, 0)
	runtime.KeepAlive(options)
	runtime.KeepAlive(texts)
	runtime.KeepAlive(ids)
	if err := check(code); err != nil {
		return fmt.Errorf("%w: %s", err, firstError(d.log()))
	}
	return nil
}

// log returns the compiler's log.
func (d *Device) log() string {
	out := newObject[struct {
		text [16 << 10]byte
		n    uintptr
	}]()
	d.program.invoke(getProgramBuildInfo, uintptr(d.program), uintptr(d.id), programBuildLog, uintptr(len(out.text)),
		at(&out.text), at(&out.n))
	text, _, _ := strings.Cut(string(out.text[:]), "\x00")
	return text
}

// firstError returns the first error of a compiler's log.
func firstError(log string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, "error") {
			return strings.TrimSpace(line)
		}
	}
	if log = strings.TrimSpace(log); log == "" {
		return "its compiler does not say why"
	}
	return log[:min(len(log), 200)]
}

// Name returns the device's own name.
func (d *Device) Name() string { return d.name }

// Close releases the device, after its plans.
func (d *Device) Close() {
	if d.program != 0 {
		d.program.invoke(releaseProgram, uintptr(d.program))
	}
	if d.context != 0 {
		d.context.invoke(releaseContext, uintptr(d.context))
	}
	d.program, d.context = 0, 0
}

// Run sends an arena to the device, does steps on it, and copies it back.
func (d *Device) Run(steps []program.Step, arena []float32) error {
	q, err := d.queue(len(arena), len(arena))
	if err != nil {
		return err
	}
	defer q.close()
	b := builder{q: q, shards: 1, locate: func(at, _ int) place { return place{base: at} }}
	list := b.steps(steps)
	defer list.close()
	if b.err != nil {
		return b.err
	}
	copy(q.host, arena)
	q.write(0, q.host)
	q.run(list)
	q.read(q.host, 0)
	copy(arena, q.host)
	return q.err
}

// Plan is program.NewSharded on the device, with the same bits.
func (d *Device) Plan(make program.Maker, recurrent bool, t, b, shards int) (device.Plan, error) {
	p, err := newPlan(d, make, recurrent, t, b, shards)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// fits returns an error if an arena is too large. most is the device's largest allocation in bytes.
func (d *Device) fits(numbers, most int) error {
	if numbers > program.MaxArena {
		return fmt.Errorf("a plan of %d numbers, where an arena has at most %d: take smaller batches or a narrower network",
			numbers, program.MaxArena)
	}
	if 4*numbers > most {
		return fmt.Errorf("a plan of %d MB, where %s gives at most %d MB at once: take smaller batches or a narrower network",
			4*numbers>>20, d.name, most>>20)
	}
	return nil
}

var errUnits = errors.New("the units of the core do not fit into the device's local memory: take a narrower lstm")
