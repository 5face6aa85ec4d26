// Package opencl runs programs on devices that speak OpenCL, without cgo: a vendor's library is opened while the
// program runs, by itself, so that neither a loader nor an .icd file has to be there. The kernels (cl/) compute what
// learner/kernel computes, to the bit.
//
// Look at Drivers first, then at plan.go, which is a network on a device, and at lower.go, which says what each
// operation is there. Builds for other systems, with plain arithmetic (the tag purego) or with the tag noopencl have no
// driver, and stay static.
package opencl
