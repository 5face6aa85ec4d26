package main

import (
	"encoding/binary"
	"math"
	"strings"
)

// kind is a type of values, as WebAssembly encodes it.
type kind byte

const (
	i32  kind = 0x7f
	f32  kind = 0x7d
	v128 kind = 0x7b // four float32s
)

// expr is code that leaves one value on the stack.
type expr []byte

// op is an instruction after its arguments.
func op(code byte, args ...expr) (e expr) {
	for _, a := range args {
		e = append(e, a...)
	}
	return append(e, code)
}

// vec is an instruction on vectors after its arguments.
func vec(code uint64, args ...expr) expr { return binary.AppendUvarint(op(0xfd, args...), code) }

// unsigned appends an index or a count.
func (e expr) unsigned(n int) expr { return binary.AppendUvarint(e, uint64(n)) }

// whole is an i32.
func whole(n int) expr {
	e := expr{0x41}
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low < 0x40 || n == -1 && low >= 0x40 {
			return append(e, low)
		}
		e = append(e, low|0x80)
	}
}

// four is a vector of four equal float32s. A constant is rounded as Go rounds it to a float32.
func four(x float64) expr { return fourWords(math.Float32bits(float32(x))) }

// fourWords is a vector of four equal i32s.
func fourWords(x uint32) expr {
	e := vec(0x0c)
	for range 4 {
		e = binary.LittleEndian.AppendUint32(e, x)
	}
	return e
}

// Instructions on four float32s. The less of two is y where y < x, so x where one is NaN, and the greater of two by the
// same rule.
func add(x, y expr) expr     { return vec(0xe4, x, y) }
func sub(x, y expr) expr     { return vec(0xe5, x, y) }
func mul(x, y expr) expr     { return vec(0xe6, x, y) }
func div(x, y expr) expr     { return vec(0xe7, x, y) }
func sqrt(x expr) expr       { return vec(0xe3, x) }
func abs(x expr) expr        { return vec(0xe0, x) }
func negated(x expr) expr    { return vec(0xe1, x) }
func less(x, y expr) expr    { return vec(0xea, x, y) }
func greater(x, y expr) expr { return vec(0xeb, x, y) }

// Instructions on bits. atMost is all bits of a lane, or none.
func atMost(x, y expr) expr     { return vec(0x45, x, y) }
func without(x, mask expr) expr { return vec(0x4f, x, mask) }
func both(x, y expr) expr       { return vec(0x4e, x, y) }
func either(x, y expr) expr     { return vec(0x50, x, y) }

// Instructions on four i32s.
func addWords(x, y expr) expr    { return vec(0xae, x, y) }
func subWords(x, y expr) expr    { return vec(0xb1, x, y) }
func left(x expr, bits int) expr { return vec(0xab, x, whole(bits)) }
func halved(x expr) expr         { return vec(0xac, x, whole(1)) }
func spread(x expr) expr         { return vec(0x13, x) } // of an f32
func blend(x, y expr, words ...int) expr { // words are taken from x, 0 to 3, and y, 4 to 7
	e := vec(0x0d, x, y)
	for _, w := range words {
		e = append(e, byte(4*w), byte(4*w+1), byte(4*w+2), byte(4*w+3))
	}
	return e
}

// Instructions on i32s.
func plus(x, y expr) expr    { return op(0x6a, x, y) }
func minus(x, y expr) expr   { return op(0x6b, x, y) }
func atLeast(x, y expr) expr { return op(0x4e, x, y) }

// memory appends the place of an access: its offset from the address, in bytes.
func memory(e expr, offset int) expr { return e.unsigned(2).unsigned(offset) }

// Loads of four numbers, of one that fills all lanes, and of one in the first lane before zeros.
func load(at expr, offset int) expr    { return memory(vec(0x00, at), offset) }
func loadAll(at expr, offset int) expr { return memory(vec(0x09, at), offset) }
func loadOne(at expr, offset int) expr { return memory(vec(0x5c, at), offset) }

// local is a parameter or a variable of a function.
type local struct {
	index int
	kind  kind
}

func (l local) get() expr { return expr{0x20}.unsigned(l.index) }

// function is one kernel: its parameters, then its variables, and its code.
type function struct {
	name   string
	kinds  []kind
	params int
	code   expr
}

// begin starts a function: the names of its i32 parameters, and of its f32 parameters, of which it makes vectors.
func begin(name, ints, floats string) (*function, map[string]local) {
	f, by := &function{name: name}, map[string]local{}
	for _, p := range strings.Fields(ints) {
		by[p] = f.local(i32)
	}
	scalars := strings.Fields(floats)
	first := len(f.kinds)
	for range scalars {
		f.local(f32)
	}
	f.params = len(f.kinds)
	for i, p := range scalars {
		by[p] = f.let(v128, spread(local{first + i, f32}.get()))
	}
	return f, by
}

func (f *function) local(k kind) local {
	f.kinds = append(f.kinds, k)
	return local{len(f.kinds) - 1, k}
}

func (f *function) do(e expr) { f.code = append(f.code, e...) }

// set gives a variable a value.
func (f *function) set(l local, value expr) { f.do(append(value, expr{0x21}.unsigned(l.index)...)) }

// let makes a variable.
func (f *function) let(k kind, value expr) local {
	l := f.local(k)
	f.set(l, value)
	return l
}

// move adds to a variable.
func (f *function) move(l local, by expr) { f.set(l, plus(l.get(), by)) }

// store writes four numbers, and storeOne the first lane.
func (f *function) store(at, value expr, offset int) {
	f.do(memory(vec(0x0b, at, value), offset))
}

func (f *function) storeOne(at, value expr, offset int) {
	f.do(append(memory(vec(0x5a, at, value), offset), 0))
}

// while repeats a body as long as a variable is at least a number.
func (f *function) while(l local, least int, body func()) {
	f.do(expr{0x02, 0x40})                                          // block
	f.do(append(op(0x45, atLeast(l.get(), whole(least))), 0x0d, 0)) // br_if 0: not once
	f.again(func() expr {
		body()
		return atLeast(l.get(), whole(least))
	})
	f.do(expr{0x0b})
}

// repeat repeats a body n ≥ 1 times. It counts the variable down to 0.
func (f *function) repeat(n local, body func()) {
	f.again(func() expr {
		body()
		f.set(n, minus(n.get(), whole(1)))
		return n.get()
	})
}

// again repeats a body until the condition that it returns is 0.
func (f *function) again(body func() expr) {
	f.do(expr{0x03, 0x40}) // loop
	f.do(append(body(), 0x0d, 0, 0x0b))
}
