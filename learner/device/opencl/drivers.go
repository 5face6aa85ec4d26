//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"fmt"
	"strings"

	"impalab/learner/device"
)

// vendor is an OpenCL library with its possible file names.
type vendor struct {
	name      string
	byName    bool // never chosen automatically
	kind      uintptr
	libraries []string
}

// vendors in the order of trying.
var vendors = []vendor{
	// In containers the library is in the second place, where no loader looks: NVIDIA/nvidia-container-toolkit, issue
	// 682.
	{name: "nvidia", kind: typeGPU,
		libraries: []string{"libnvidia-opencl.so.1", "/usr/local/nvidia/lib64/libnvidia-opencl.so.1"}},
	{name: "amd", kind: typeGPU, libraries: []string{"libamdocl64.so", "/opt/rocm/lib/libamdocl64.so"}},
	{name: "intel", kind: typeGPU,
		libraries: []string{"libigdrcl.so", "/usr/lib/x86_64-linux-gnu/intel-opencl/libigdrcl.so"}},
	// PoCL and Oclgrind compute on the CPU, slower than learner/kernel: they are for tests.
	{name: "pocl", byName: true, kind: typeAll, libraries: []string{"libpocl.so.2"}},
	{name: "oclgrind", byName: true, kind: typeAll, libraries: []string{"/usr/lib/oclgrind/liboclgrind-rt-icd.so"}},
}

// Drivers returns a driver for each vendor, whether its library is installed or not.
func Drivers() (all []device.Driver) {
	for _, v := range vendors {
		all = append(all, device.Driver{
			Name: v.name, ByName: v.byName, There: v.there,
			Count: func() (int, error) { ids, err := v.devices(); return len(ids), err },
			Open:  func(i int) (device.Device, error) { return v.open(i, usual) },
		})
	}
	return all
}

// devices lists the devices of the vendor's library.
func (v *vendor) devices() ([]handle, error) {
	var missing []string
	for _, name := range v.libraries {
		platform, err := load(name)
		switch {
		case err != nil:
			missing = append(missing, err.Error())
		default:
			return devicesOf(platform, v.kind)
		}
	}
	return nil, fmt.Errorf("no library of it can be opened (%s)", strings.Join(missing, "; "))
}

func (v *vendor) open(i int, t tiles) (*Device, error) {
	ids, err := v.devices()
	if err != nil {
		return nil, err
	}
	if i < 0 || i >= len(ids) {
		return nil, fmt.Errorf("there are %d devices of %s, from 0 on", len(ids), v.name)
	}
	return open(ids[i], t)
}
