package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"
)

// What avo does for amd64: functions, parameters, registers and labels. Go's assembler lacks most instructions on
// vectors of floats, so each instruction on vectors is a WORD with its encoding.

// vec is a vector of four float32s, or of four words.
type vec int

// gp is a general register.
type gp int

func (r gp) String() string { return fmt.Sprintf("R%d", int(r)) }

// constantsAt has the address of the constants in a function that reads any. R18 is the platform's, and R27 to R30
// have uses of their own.
const constantsAt = gp(26)

// asm is a function in the making. A block of steps is code without a label or a jump. When it ends, its vectors get
// registers, each from its first step to its last. A pinned vector has its register from there to the function's end.
type asm struct {
	name, doc string
	params    []parameter
	results   []parameter
	size      int // bytes of parameters and results
	constants bool
	code      []string
	block     []step
	vecs      int
	pinned    map[vec]int
	free      []int // numbers of vector registers
	general   []gp
}

type parameter struct {
	name, kind string
	at         int
}

// step is one instruction: the vectors that it reads, the vector that it makes, or none (0), and its text.
type step struct {
	in   []vec
	out  vec
	text func(number func(vec) int) string
}

// functions are all functions so far. The last is in the making.
var functions []*asm

func now() *asm { return functions[len(functions)-1] }

// function begins an assembly function whose pointers do not escape: text, with a suffix of its own.
func function(name, doc, signature string) { text(name+"NEON", doc, signature) }

// text begins a function by its full name. The signature is Go's, without the first and the last parenthesis.
func text(name, doc, signature string) {
	f := &asm{name: name, doc: doc, pinned: map[vec]int{}}
	expr, err := parser.ParseExpr("func(" + signature + ")")
	if err != nil {
		panic(fmt.Sprintf("%s(%s): %v", name, signature, err))
	}
	of := expr.(*ast.FuncType)
	f.params = f.place(of.Params)
	if of.Results != nil {
		f.size = (f.size + 7) &^ 7
		f.results = f.place(of.Results)
	}
	for i := range 32 {
		f.free = append(f.free, i)
	}
	for r := range constantsAt {
		if r != 18 {
			f.general = append(f.general, r)
		}
	}
	functions = append(functions, f)
}

// place returns the parameters of a list behind the bytes so far.
func (f *asm) place(list *ast.FieldList) (all []parameter) {
	for _, field := range list.List {
		kind, bytes := "*float32", 8
		if name, ok := field.Type.(*ast.Ident); ok {
			kind = name.Name
			if kind != "int" {
				bytes = 4
			}
		}
		for _, name := range field.Names {
			all = append(all, parameter{name.Name, kind, f.size})
			f.size += bytes
		}
	}
	return all
}

func done() {
	line("RET")
	now().end()
}

// line appends an instruction that names its registers by itself.
func line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	put(0, func(func(vec) int) string { return text })
}

// jump appends a branch, or a comparison with 0 and a branch, and ends the block.
func jump(format string, args ...any) {
	line(format, args...)
	now().end()
}

// label marks a place to jump to.
func label(format string, args ...any) {
	now().end()
	now().code = append(now().code, fmt.Sprintf(format, args...)+":")
}

func put(out vec, text func(number func(vec) int) string, in ...vec) {
	now().block = append(now().block, step{in, out, text})
}

// param returns the place of a parameter or a result: a function may change its own.
func param(name string) string {
	for _, p := range slices.Concat(now().params, now().results) {
		if p.name == name {
			return fmt.Sprintf("%s+%d(FP)", p.name, p.at)
		}
	}
	panic(now().name + " has no parameter " + name)
}

// general returns a register that the function has not used.
func general() gp {
	f := now()
	if len(f.general) == 0 {
		panic(f.name + " has no general register left")
	}
	r := f.general[0]
	f.general = f.general[1:]
	return r
}

// arg loads a pointer or an int.
func arg(name string) gp {
	r := general()
	line("MOVD %s, %s", param(name), r)
	return r
}

func newVec() vec {
	now().vecs++
	return vec(now().vecs)
}

// pin gives a vector a register for the rest of the function, and returns the register's number.
func pin(x vec) int {
	f := now()
	if len(f.free) == 0 {
		panic(f.name + " has no vector register left to pin")
	}
	last := len(f.free) - 1
	f.pinned[x] = f.free[last]
	f.free = f.free[:last]
	return f.pinned[x]
}

// end gives the vectors of the block registers and writes its steps.
func (f *asm) end() {
	last := map[vec]int{}
	for i, s := range f.block {
		for _, x := range append(s.in, s.out) {
			last[x] = i
		}
	}
	free, has := slices.Clone(f.free), map[vec]int{}
	for x, n := range f.pinned {
		has[x] = n
	}
	number := func(x vec) int {
		n, ok := has[x]
		if !ok {
			panic(fmt.Sprintf("%s reads a vector of another block, which is not pinned", f.name))
		}
		return n
	}
	for i, s := range f.block {
		ended := func(x vec) {
			if _, pinned := f.pinned[x]; !pinned && last[x] == i {
				free = append(free, number(x))
				last[x] = -1
			}
		}
		for _, x := range s.in { // the result may lie where a vector was that is read for the last time
			if x != s.out {
				ended(x)
			}
		}
		if _, ok := has[s.out]; s.out != 0 && !ok {
			if len(free) == 0 {
				panic(f.name + " has no vector register left")
			}
			has[s.out], free = free[0], free[1:]
		}
		f.code = append(f.code, s.text(number))
		if s.out != 0 {
			ended(s.out)
		}
	}
	f.block = nil
}

// instruction is an instruction on vectors, as LLVM encodes it with registers 0, and its name.
type instruction struct {
	code uint32
	name string
}

var (
	// On four float32s.
	fadd   = instruction{0x4e20d400, "FADD"}
	fsub   = instruction{0x4ea0d400, "FSUB"}
	fmul   = instruction{0x6e20dc00, "FMUL"}
	fdiv   = instruction{0x6e20fc00, "FDIV"}
	fmax   = instruction{0x4e20f400, "FMAX"}
	fmin   = instruction{0x4ea0f400, "FMIN"}
	fmla   = instruction{0x4e20cc00, "FMLA"} // adds a product, rounded once
	fmls   = instruction{0x4ea0cc00, "FMLS"} // subtracts it
	fmlaBy = instruction{0x4f801000, "FMLA by element 0"}
	fsqrt  = instruction{0x6ea1f800, "FSQRT"}
	fabs   = instruction{0x4ea0f800, "FABS"}
	fcvtns = instruction{0x4e21a800, "FCVTNS"} // to words, to nearest, ties to even
	scvtf  = instruction{0x4e21d800, "SCVTF"}  // from words

	// Comparisons, which make all bits of a lane, or none.
	fcmeq  = instruction{0x4e20e400, "FCMEQ"}
	fcmgt  = instruction{0x6ea0e400, "FCMGT"}
	fcmle0 = instruction{0x6ea0d800, "FCMLE 0"}
	fcmlt0 = instruction{0x4ea0e800, "FCMLT 0"}

	// On bits.
	and = instruction{0x4e201c00, "AND"}
	bic = instruction{0x4e601c00, "BIC"} // first and not second
	orr = instruction{0x4ea01c00, "ORR"}
	eor = instruction{0x6e201c00, "EOR"}
	bsl = instruction{0x6e601c00, "BSL"} // changes a mask: first where it is set, else second

	// On four words.
	addWords = instruction{0x4ea08400, "ADD"}
	subWords = instruction{0x6ea08400, "SUB"}
	shl2     = instruction{0x4f225400, "SHL 2"}
	shl4     = instruction{0x4f245400, "SHL 4"}
	shl23    = instruction{0x4f375400, "SHL 23"}
	sshr1    = instruction{0x4f3f0400, "SSHR 1"}
	sshr31   = instruction{0x4f210400, "SSHR 31"}
	zip1     = instruction{0x4e803800, "ZIP1"} // the lower words of both by turns
	zip2     = instruction{0x4e807800, "ZIP2"} // the upper words
	addv     = instruction{0x4eb1b800, "ADDV"} // the sum of all words, in the first
	umaxv    = instruction{0x6eb0a800, "UMAXV"}
)

// word is an instruction with its registers, the result first.
func (i instruction) word(to, x, y int) string {
	return fmt.Sprintf("WORD $0x%08x // %s V%d, V%d, V%d", i.code|uint32(y<<16|x<<5|to), i.name, to, x, y)
}

// op is x ∘ y in a new vector.
func op(i instruction, x, y vec) vec {
	out := newVec()
	change(i, out, x, y)
	return out
}

// op1 is ∘x in a new vector.
func op1(i instruction, x vec) vec {
	out := newVec()
	put(out, func(number func(vec) int) string {
		to, from := number(out), number(x)
		return fmt.Sprintf("WORD $0x%08x // %s V%d, V%d", i.code|uint32(from<<5|to), i.name, to, from)
	}, x)
	return out
}

// change puts x ∘ y into a vector. fmla, fmls and bsl read it too.
func change(i instruction, to, x, y vec) {
	in := []vec{x, y}
	if i == fmla || i == fmls || i == bsl {
		in = append(in, to)
	}
	put(to, func(number func(vec) int) string { return i.word(number(to), number(x), number(y)) }, in...)
}

func zero() vec {
	out := newVec()
	put(out, func(number func(vec) int) string { return eor.word(number(out), number(out), number(out)) })
	return out
}

// constant loads a constant.
func constant(name string) vec {
	at, ok := table[name]
	if !ok {
		panic("there is no constant " + name)
	}
	now().constants = true
	return loadAt(constantsAt, at)
}

// scalar spreads a float32 parameter.
func scalar(name string) vec {
	x := newVec()
	n := pin(x)
	line("FMOVS %s, F%d", param(name), n)
	line("VDUP V%d.S[0], V%d.S4", n, n)
	return x
}

// loadAt loads four numbers.
func loadAt(base gp, offset int) vec {
	out := newVec()
	put(out, func(number func(vec) int) string { return fmt.Sprintf("FMOVQ %d(%s), F%d", offset, base, number(out)) })
	return out
}

func storeAt(x vec, base gp, offset int) {
	put(0, func(number func(vec) int) string { return fmt.Sprintf("FMOVQ F%d, %d(%s)", number(x), offset, base) }, x)
}

// load loads four numbers, or one before zeros, at base + index. Index is in bytes.
func load(base, index gp, numbers int) vec {
	out := newVec()
	put(out, func(number func(vec) int) string { return move("LDR", number(out), base, index, numbers) })
	return out
}

// store stores four numbers, or the first.
func store(x vec, base, index gp, numbers int) {
	put(0, func(number func(vec) int) string { return move("STR", number(x), base, index, numbers) }, x)
}

// move is a load (LDR) or a store (STR) of four numbers or one. Go's assembler lacks it for four.
func move(name string, n int, base, index gp, numbers int) string {
	code, size := uint32(0x3ca06800), "Q"
	if numbers == 1 {
		code, size = 0xbc206800, "S"
	}
	if name == "LDR" {
		code |= 1 << 22
	}
	code |= uint32(int(index)<<16 | int(base)<<5 | n)
	return fmt.Sprintf("WORD $0x%08x // %s %s%d, [%s, %s]", code, name, size, n, base, index)
}

// stub is the function's declaration in Go.
func (f *asm) stub() string {
	return fmt.Sprintf("func %s(%s)%s", f.name, join(f.params), result(f.results))
}

func join(list []parameter) string {
	var all []string
	for _, p := range list {
		all = append(all, p.name+" "+p.kind)
	}
	return strings.Join(all, ", ")
}

func result(list []parameter) string {
	if len(list) == 0 {
		return ""
	}
	return " (" + join(list) + ")"
}
