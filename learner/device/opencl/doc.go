// Package opencl runs programs on devices that speak OpenCL, without cgo. It opens a vendor's library at run time by
// itself, and needs neither a loader nor an .icd file. The kernels (cl/) compute the same bits as learner/kernel.
//
// Look at Drivers first, then at plan.go, a network on a device, and at lower.go, the kernels of each operation. Builds
// for other systems, with plain arithmetic (the tag purego) or with the tag noopencl have no driver, and stay static.
package opencl
