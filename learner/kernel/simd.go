package kernel

import (
	"os"
	"runtime"
	"slices"
	"strings"
)

// levels are the kinds of arithmetic, by name, in the order of their width.
const (
	levelGo     = "go"
	levelAVX2   = "avx2"
	levelAVX512 = "avx512"
)

// lanes is how many elements move at once: 16 is AVX-512, 8 is AVX2, 1 is plain Go. Chosen at start,
// the widest that the machine has, or what IMPALAB_SIMD names.
var lanes = choose(os.Getenv("IMPALAB_SIMD"))

// Level says which arithmetic runs: "avx512", "avx2" or "go".
func Level() string {
	switch lanes {
	case 16:
		return levelAVX512
	case 8:
		return levelAVX2
	}
	return levelGo
}

// Vectors names the vector levels this machine has, widest first. They all give the same bits.
func Vectors() []string { return vectors() }

// Use switches the level and returns what switches it back. It is for tests and benchmarks: no
// kernel may run meanwhile. It panics if this machine lacks the level.
func Use(level string) (restore func()) {
	before := lanes
	lanes = choose(level)
	return func() { lanes = before }
}

func choose(name string) int {
	have := append(vectors(), levelGo)
	if name == "" {
		name = have[0]
	}
	if !slices.Contains(have, name) {
		panic("kernel: IMPALAB_SIMD or Use asks for " + name + "; this machine and build have " + strings.Join(have, ", "))
	}
	switch name {
	case levelAVX512:
		return 16
	case levelAVX2:
		return 8
	}
	return 1
}

// The two kinds of arithmetic: machines of one kind give the same bits.
const (
	Fused = "fused" // all levels of vectors, which multiply and add in one rounding and in one order
	Plain = "plain" // Go that rounds after each operation, on amd64 and in a browser
)

// Arithmetic says which machines give the same bits as this one: Fused or Plain. The plain kernels round after each
// operation on every processor, but what is computed outside them is fused where the compiler may, so others name
// theirs.
func Arithmetic() string {
	switch {
	case lanes > 1:
		return Fused
	case compilerFuses:
		return Plain + "-amd64.v3"
	case runtime.GOARCH == "amd64" || runtime.GOARCH == "wasm":
		return Plain
	}
	return Plain + "-" + runtime.GOARCH
}

// Compute has the process compute in an arithmetic, by its name, and returns what switches it back; false: this machine
// or build cannot. No kernel may run meanwhile.
func Compute(arithmetic string) (restore func(), can bool) {
	level := levelGo
	if have := vectors(); arithmetic == Fused && len(have) > 0 {
		level = have[0]
	}
	if Arithmetic() == arithmetic {
		return func() {}, true
	}
	restore = Use(level)
	if Arithmetic() != arithmetic {
		restore()
		return nil, false
	}
	return restore, true
}
