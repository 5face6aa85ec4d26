//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The calls into a driver. Every object of a driver begins with a pointer to its dispatch table, whose layout the ICD's
// binary interface fixes (cl_icd.h).
//
// C receives addresses of two kinds: of its own memory, and of objects that room has put on the heap, where nothing
// moves, and that live at least as long as the call. C stores none of them.

// newObject is a new object on the heap, wherever the compiler would have it.
//
//go:noinline
func newObject[T any]() *T { return new(T) }

// at returns an object's address, for C.
func at[T any](x *T) uintptr { return uintptr(unsafe.Pointer(x)) }

// function is an index of the table.
type function int

const (
	getDeviceIDs            function = 2
	getDeviceInfo           function = 3
	createContext           function = 4
	releaseContext          function = 7
	createCommandQueue      function = 9
	releaseCommandQueue     function = 11
	createBuffer            function = 14
	releaseMemObject        function = 18
	createProgramWithSource function = 26
	releaseProgram          function = 28
	buildProgram            function = 30
	getProgramBuildInfo     function = 33
	createKernel            function = 34
	releaseKernel           function = 37
	setKernelArg            function = 38
	finish                  function = 47
	enqueueReadBuffer       function = 48
	enqueueWriteBuffer      function = 49
	enqueueCopyBuffer       function = 50
	enqueueMapBuffer        function = 56
	enqueueUnmapMemObject   function = 58
	enqueueNDRangeKernel    function = 59

	functions = 149
)

// handle is an object of a driver.
type handle uintptr

// of finds a function in the object's table.
func (f function) of(h handle) uintptr { return (**(***[functions]uintptr)(unsafe.Pointer(&h)))[f] }

// invoke calls f of h's driver. The caller keeps the objects alive whose addresses it passes.
func (h handle) invoke(f function, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(f.of(h), args...)
	return r
}

// Numbers of cl.h.
const (
	typeGPU = 1 << 2
	typeAll = 0xffffffff

	deviceMaxWorkGroup = 0x1004
	deviceMaxAlloc     = 0x1010
	deviceLocalMemory  = 0x1023
	deviceName         = 0x102b
	driverVersion      = 0x102d
	programBuildLog    = 0x1183

	memReadWrite    = 1 << 0
	memAllocHostPtr = 1 << 4
	mapReadWrite    = 1<<0 | 1<<1
)

// failure is an error code of OpenCL.
type failure int32

var failures = map[failure]string{
	-1: "there is no device", -2: "the device is not available", -3: "it has no compiler", -4: "no memory for a buffer",
	-5: "out of resources", -6: "out of host memory", -11: "a kernel cannot be built", -33: "invalid device",
	-36: "invalid queue", -38: "invalid buffer", -45: "the program is not built", -46: "there is no such kernel",
	-48: "invalid kernel", -51: "wrong size of an argument", -52: "an argument is missing", -54: "wrong work-group",
	-61: "wrong size of a buffer",
}

func (f failure) Error() string {
	if words := failures[f]; words != "" {
		return fmt.Sprintf("%s (OpenCL error %d)", words, int32(f))
	}
	return fmt.Sprintf("OpenCL error %d", int32(f))
}

// check returns the error of a call's code.
func check(code uintptr) error {
	if f := failure(int32(code)); f != 0 {
		return f
	}
	return nil
}

// libraries stay open while the process lives: a driver has threads of its own, which continue after a close.
var libraries = struct {
	mu   sync.Mutex
	open map[string]handle // the first platform of each library
}{open: map[string]handle{}}

// load opens a library and returns its platform.
func load(name string) (handle, error) {
	libraries.mu.Lock()
	defer libraries.mu.Unlock()
	if h := libraries.open[name]; h != 0 {
		return h, nil
	}
	runtime.LockOSThread() // the loader stores its error for this thread
	defer runtime.UnlockOSThread()
	lib, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return 0, errors.New(strings.TrimSpace(err.Error()))
	}
	ask, err := purego.Dlsym(lib, "clGetExtensionFunctionAddress")
	if err != nil {
		return 0, fmt.Errorf("%s is no OpenCL driver", name)
	}
	symbol := cString("clIcdGetPlatformIDsKHR")
	get, _, _ := purego.SyscallN(ask, at(symbol))
	runtime.KeepAlive(symbol)
	if get == 0 {
		return 0, fmt.Errorf("%s is no OpenCL driver", name)
	}
	out := newObject[struct {
		id handle
		n  uint32
	}]()
	code, _, _ := purego.SyscallN(get, 1, at(&out.id), at(&out.n))
	runtime.KeepAlive(out)
	if err := check(code); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	if out.n == 0 || out.id == 0 {
		return 0, fmt.Errorf("%s finds no device", name)
	}
	libraries.open[name] = out.id
	return out.id, nil
}

// cString is a text as C has it, on the heap: its first byte.
//
//go:noinline
func cString(text string) *byte {
	bytes := make([]byte, len(text)+1)
	copy(bytes, text)
	return &bytes[0]
}

// devicesOf lists a platform's devices of a kind.
func devicesOf(platform handle, kind uintptr) ([]handle, error) {
	out := newObject[struct {
		ids [64]handle
		n   uint32
	}]()
	code := platform.invoke(getDeviceIDs, uintptr(platform), kind, uintptr(len(out.ids)), at(&out.ids), at(&out.n))
	if err := check(code); err != nil {
		return nil, err
	}
	return out.ids[:min(int(out.n), len(out.ids))], nil
}

// text returns a text property of a device.
func (h handle) text(what uintptr) string {
	out := newObject[struct {
		text [1024]byte
		n    uintptr
	}]()
	code := h.invoke(getDeviceInfo, uintptr(h), what, uintptr(len(out.text)), at(&out.text), at(&out.n))
	if check(code) != nil {
		return ""
	}
	text, _, _ := strings.Cut(string(out.text[:min(int(out.n), len(out.text))]), "\x00")
	return strings.TrimSpace(text)
}

// number returns a property of 8 bytes.
func (h handle) number(what uintptr) int {
	out := newObject[uint64]()
	h.invoke(getDeviceInfo, uintptr(h), what, 8, at(out), 0)
	return int(*out)
}

// create makes an object of h's driver. Its call ends with the address of an error code.
func (h handle) create(f function, args ...uintptr) (handle, error) {
	code := newObject[int32]()
	made := h.invoke(f, append(args, at(code))...)
	if *code != 0 {
		return 0, failure(*code)
	}
	return handle(made), nil
}
