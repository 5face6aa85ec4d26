//go:build !linux || !amd64 || purego || noopencl

package opencl

import "impalab/learner/device"

// Drivers is empty in builds without OpenCL.
func Drivers() []device.Driver { return nil }
