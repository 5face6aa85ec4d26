package kernel

// compilerFuses says whether this build's compiler makes one instruction, which rounds once, of a product and a sum:
// never in a browser, on amd64 with GOAMD64=v3 or more, and on other processors always, unless it is told not to by
// -gcflags=all=-d=fmahash=qn, as make build and make dist tell it.
var compilerFuses = fuses(1+0x1p-30, 1-0x1p-30, -1)

// fuses is true where x·y + z keeps what x·y loses when it is rounded.
//
//go:noinline
func fuses(x, y, z float64) bool { return x*y+z != float64(x*y)+z }
