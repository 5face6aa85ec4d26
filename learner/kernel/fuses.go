package kernel

// compilerFuses reports whether this build's compiler turns a product and a sum into one instruction, which rounds
// once. In a browser it never does, on amd64 with GOAMD64=v3 or more, and on other processors always. make build and
// make dist forbid it with -gcflags=all=-d=fmahash=qn.
var compilerFuses = fuses(1+0x1p-30, 1-0x1p-30, -1)

// fuses reports whether x·y + z keeps the part that rounding x·y loses.
//
//go:noinline
func fuses(x, y, z float64) bool { return x*y+z != float64(x*y)+z }
