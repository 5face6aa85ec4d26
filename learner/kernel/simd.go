package kernel

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// The levels, by name.
const (
	levelGo     = "go"
	levelNEON   = "neon"
	levelAVX2   = "avx2"
	levelAVX512 = "avx512"
)

// lanesOf is the number of elements that each level moves at once. NEON moves a pair of its vectors.
var lanesOf = map[string]int{levelGo: 1, levelNEON: 8, levelAVX2: 8, levelAVX512: 16}

// lanes is the number of elements that move at once. At start it becomes the largest that the machine has, or the
// number of the level that IMPALAB_SIMD names.
var lanes = asked(os.Getenv("IMPALAB_SIMD"))

// asked is choose for a person, to whom a panic's stack says nothing.
func asked(name string) int {
	if have := append(vectors(), levelGo); name != "" && !slices.Contains(have, name) {
		fmt.Fprintf(os.Stderr, "IMPALAB_SIMD=%s: this machine and build have %s; leave it out for the first of them\n", name,
			strings.Join(have, ", "))
		os.Exit(2)
	}
	return choose(name)
}

// Level is the name of the level that runs: "avx512", "avx2", "neon" or "go".
func Level() string {
	for _, name := range vectors() {
		if lanesOf[name] == lanes {
			return name
		}
	}
	return levelGo
}

// Vectors returns the names of this machine's vector levels, widest first. They give the same bits on every machine.
func Vectors() []string { return vectors() }

// Use switches the level and returns a function that switches it back. It is for tests and benchmarks: no kernel may
// run meanwhile. It panics if this machine lacks the level.
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
		panic("kernel: Use asks for " + name + "; this machine and build have " + strings.Join(have, ", "))
	}
	return lanesOf[name]
}

// The two kinds of arithmetic: machines of one kind give the same bits.
const (
	Fused = "fused" // all levels of vectors, which multiply and add in one rounding and in one order
	Plain = "plain" // Go that rounds after each operation, on any processor and in a browser
)

// Set is the kernels of one arithmetic. Methods of Set differ in rounding. Plain functions only add, copy, compare or
// round once, and give the same bits in every set. Sets may be used side by side.
type Set uint8

// The sets, by the arithmetic that they have: see In.
const (
	Auto Set = iota // the process's own, which is Fused where the machine has vectors
	inGo
)

// In returns the set of an arithmetic, by its name (Set.Arithmetic). An error names the arithmetics of this machine.
func In(arithmetic string) (Set, error) {
	for _, s := range []Set{Auto, inGo} {
		if s.Arithmetic() == arithmetic {
			return s, nil
		}
	}
	have := Auto.Arithmetic()
	if other := inGo.Arithmetic(); other != have {
		have += " and " + other
	}
	return Auto, fmt.Errorf("this machine and build compute in %s arithmetic", have)
}

// lanes is how many elements move at once.
func (s Set) lanes() int {
	if s == inGo {
		return 1
	}
	return lanes
}

// Arithmetic names the machines that give the same bits as this set: Fused or Plain. The kernels round the same
// everywhere, but the compiler of some processors fuses the code outside them; such builds name their processor.
func (s Set) Arithmetic() string {
	name := Plain
	if s.lanes() > 1 {
		name = Fused
	}
	if compilerFuses {
		name += "-" + runtime.GOARCH
	}
	return name
}

// Arithmetic is the process's own.
func Arithmetic() string { return Auto.Arithmetic() }

// Compute switches the process to an arithmetic, by its name, and returns a function that switches it back. It
// returns In's error. No kernel may run meanwhile.
func Compute(arithmetic string) (restore func(), err error) {
	s, err := In(arithmetic)
	if err != nil || s == Auto {
		return func() {}, err
	}
	return Use(levelGo), nil
}
