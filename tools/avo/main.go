// Command avo writes the assembly of learner/kernel, once for each vector width. From tools/:
//
//	go run ./avo -out ../learner/kernel/kernel_amd64.s -stubs ../learner/kernel/stubs_amd64.go -pkg kernel
//
// Both widths come from the same description, operation for operation. So they give the same bits: a width only sets
// the number of elements that move at once.
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// width is one vector instruction set.
type width struct {
	suffix string // of the Go names
	lanes  int    // float32s in a register
	tiles  []int  // rows of C held in registers, down to 1; the small ones are whole rows of small images
}

var widths = []width{
	{"AVX512", 16, []int{12, 11, 10, 8, 6, 5, 4, 3, 2, 1}}, // 12×32: 24 of 32 registers accumulate
	{"AVX2", 8, []int{6, 5, 4, 3, 2, 1}},                   // 6×16: 12 of 16
}

func main() {
	ConstraintExpr("amd64,!purego")
	constants()
	transpose()
	bits()
	for _, w := range widths {
		w.gemm()
		w.layer()
		w.pool()
		w.flat()
		w.elementary()
		w.descend()
		w.lstm()
		w.peak()
	}
	Generate()
}

// function begins an assembly function whose pointers do not escape.
func (w width) function(name, doc, signature string) {
	TEXT(name+w.suffix, NOSPLIT, "func("+signature+")")
	Doc(name + w.suffix + " " + doc)
	Pragma("noescape")
}

func done() {
	VZEROUPPER()
	RET()
}

func (w width) bytes() int { return 4 * w.lanes }

func (w width) vec() reg.VecVirtual {
	if w.lanes == 16 {
		return ZMM()
	}
	return YMM()
}

func (w width) zero() reg.VecVirtual {
	v := w.vec()
	VXORPS(v, v, v)
	return v
}

// scalar broadcasts a float32 parameter.
func (w width) scalar(name string) reg.VecVirtual {
	v := w.vec()
	VBROADCASTSS(param(name), v)
	return v
}

func arg(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// param returns the location of a parameter: a function may change its own.
func param(name string) Mem {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}

// mask selects the first count lanes, 0 ≤ count ≤ lanes.
func (w width) mask(count reg.GPVirtual) reg.Register {
	if w.lanes == 16 {
		bits, k := GP32(), K()
		MOVL(U32(0xffff), bits)
		BZHIL(count.As32(), bits, bits)
		KMOVW(bits, k)
		return k
	}
	at, offset, v := GP64(), GP64(), YMM()
	LEAQ(table["mask"], at) // eight ones, eight zeros: the window slides by count
	MOVQ(count, offset)
	NEGQ(offset)
	VMOVUPS(Mem{Base: at, Index: offset, Scale: 4, Disp: 32}, v)
	return v
}

// load reads a vector, or its lanes under mask and 0 elsewhere. A nil mask means all.
func (w width) load(from Mem, to reg.VecVirtual, mask reg.Register) {
	switch {
	case mask == nil:
		VMOVUPS(from, to)
	case w.lanes == 16:
		VMOVUPS_Z(from, mask, to)
	default:
		VMASKMOVPS(from, mask, to)
	}
}

func (w width) store(from reg.VecVirtual, to Mem, mask reg.Register) {
	switch {
	case mask == nil:
		VMOVUPS(from, to)
	case w.lanes == 16:
		VMOVUPS(from, mask, to)
	default:
		VMASKMOVPS(from, mask, to)
	}
}

// table holds constants as whole vectors, so that they can be memory operands at either width.
var table = map[string]Mem{}

func constants() {
	mask := GLOBL("mask", RODATA|NOPTR)
	for i := range 16 {
		ones := U32(0)
		if i < 8 {
			ones = 0xffffffff
		}
		DATA(4*i, ones)
	}
	table["mask"] = mask
	float := func(v float64) uint32 { return math.Float32bits(float32(v)) }
	for _, c := range []struct {
		name string
		bits uint32
	}{
		// The twins in elementary.go have the same numbers and name their sources.
		{"log2e", float(math.Log2E)}, {"ln2Hi", float(0.693145751953125)}, {"ln2Lo", float(1.4286068203094173e-06)},
		{"expP0", float(0.49999993431900736)}, {"expP1", float(0.1666652039672944)}, {"expP2", float(0.04166839082873499)},
		{"expP3", float(0.008368745323895328)}, {"expP4", float(0.0013814538048359485)},
		{"expMax", float(89)}, {"expMin", float(-105)}, {"tanhMax", float(20)},
		{"one", float(1)}, {"two", float(2)}, {"bias", 127}, {"sign", 1 << 31}, {"magnitude", 1<<31 - 1},
		{"lowest", float(math.Inf(-1))},
	} {
		m := GLOBL(c.name, RODATA|NOPTR)
		for lane := range 16 {
			DATA(4*lane, U32(c.bits))
		}
		table[c.name] = m
	}
}

// rows returns the locations of rows 0, 1, 2, … of a strided matrix, with one base pointer for every four rows.
type rows struct {
	base            []reg.GPVirtual
	stride, stride3 reg.GPVirtual
}

func newRows(first reg.GPVirtual, stride, stride3 reg.GPVirtual, n int) rows {
	r := rows{stride: stride, stride3: stride3}
	for i := 0; i < n; i += 4 {
		p := GP64()
		if i == 0 {
			MOVQ(first, p)
		} else {
			LEAQ(Mem{Base: r.base[len(r.base)-1], Index: stride, Scale: 4}, p)
		}
		r.base = append(r.base, p)
	}
	return r
}

func (r rows) at(i int) Mem {
	m := Mem{Base: r.base[i/4]}
	switch i % 4 {
	case 1, 2:
		m.Index, m.Scale = r.stride, uint8(i%4)
	case 3:
		m.Index, m.Scale = r.stride3, 1
	}
	return m
}

func (r rows) advance(by reg.GPVirtual) {
	for _, p := range r.base {
		ADDQ(by, p)
	}
}

func label(format string, args ...any) string { return fmt.Sprintf(format, args...) }
