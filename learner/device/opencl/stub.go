//go:build !linux || !amd64 || purego || noopencl

package opencl

import "impalab/learner/device"

// Drivers are none: this build opens no library.
func Drivers() []device.Driver { return nil }
