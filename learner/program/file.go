package program

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"impalab/learner/kernel"
)

// A program as bytes: the magic, the version, then everything as unsigned varints in the order of the fields, and the
// CRC-32 (IEEE, little-endian) of all that. A step is its operation, its form, and as many sizes and places as it has.

const magic = "impalab program\n"

// Version is the version of the byte format. A reader refuses versions that it does not know.
const Version = 1

const (
	formAdd = 1 << iota // of a step's form; the activation stands above it
	formAct
)

// Append adds p to b, as bytes.
func (p *Program) Append(b []byte) []byte {
	from := len(b)
	b = append(b, magic...)
	w := writer{b}
	w.numbers(Version, len(p.Network))
	w.b = append(w.b, p.Network...)
	w.numbers(p.T, p.B)
	for _, s := range p.Segments {
		w.numbers(s.At, s.N)
	}
	for _, list := range [][]Step{p.Forward, p.Backward, p.Tangent} {
		w.numbers(len(list))
		for i := range list {
			w.step(&list[i])
		}
	}
	w.numbers(len(p.Cores))
	for _, c := range p.Cores {
		w.numbers(c.At, c.Width, c.Units, c.State)
		if c.Width == c.Units { // an attention
			w.numbers(c.Memory)
		}
	}
	return binary.LittleEndian.AppendUint32(w.b, crc32.ChecksumIEEE(w.b[from:]))
}

type writer struct{ b []byte }

func (w *writer) numbers(ns ...int) {
	for _, n := range ns {
		w.b = binary.AppendUvarint(w.b, uint64(n))
	}
}

func (w *writer) step(s *Step) {
	form := int(s.Act) * formAct
	if s.Add {
		form |= formAdd
	}
	o := &operations[s.Op]
	w.numbers(int(s.Op), form)
	w.numbers(s.Size[:o.sizes]...)
	w.numbers(s.At[:1+o.inputs]...)
}

// Parse reads a program that Append wrote, and refuses an invalid one.
func Parse(b []byte) (*Program, error) {
	r := reader{b: b}
	if !bytes.HasPrefix(b, []byte(magic)) {
		return nil, errors.New("program: these bytes are not a program")
	}
	r.b = b[len(magic):]
	if v := r.number(); r.err == nil && v != Version {
		return nil, fmt.Errorf("program: its bytes are of version %d, and this build reads %d: write it again",
			v, Version)
	}
	if len(b) < len(magic)+crc32.Size {
		return nil, errShort
	}
	body, sum := b[:len(b)-crc32.Size], binary.LittleEndian.Uint32(b[len(b)-crc32.Size:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, errors.New("program: its bytes are damaged: write it again")
	}
	if len(r.b) < crc32.Size {
		return nil, errShort
	}
	r.b = r.b[:len(r.b)-crc32.Size]
	p := &Program{Network: r.text(), T: r.number(), B: r.number()}
	for s := range p.Segments {
		p.Segments[s] = Span{r.number(), r.number()}
	}
	p.Forward, p.Backward, p.Tangent = r.steps(), r.steps(), r.steps()
	for range r.count(maxCores) {
		c := Core{At: r.number(), Width: r.number(), Units: r.number(), State: r.number()}
		if c.Width == c.Units {
			c.Memory = r.number()
		}
		p.Cores = append(p.Cores, c)
	}
	if r.err == nil && len(r.b) > 0 {
		r.err = errors.New("program: bytes are left over")
	}
	if r.err != nil {
		return nil, r.err
	}
	return p, p.Validate()
}

var (
	errShort = errors.New("program: its bytes end too early")
	errForm  = errors.New("program: a number is not written as this build writes it")
)

// reader keeps the first error; after it all numbers are 0.
type reader struct {
	b   []byte
	err error
}

func (r *reader) number() int {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b)
	switch {
	case n <= 0:
		r.err = errShort
	case v > MaxArena || n > 1 && r.b[n-1] == 0: // longer than it need be
		r.err = errForm
	default:
		r.b = r.b[n:]
		return int(v)
	}
	return 0
}

// count is a number of things, none where there are more than most.
func (r *reader) count(most int) int {
	n := r.number()
	if n > most {
		r.err = fmt.Errorf("program: %d of a kind of which there are at most %d", n, most)
		return 0
	}
	return n
}

func (r *reader) text() string {
	n := r.count(maxNetwork)
	if n > len(r.b) {
		r.err = errShort
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) steps() (list []Step) {
	for range r.count(maxSteps) {
		s := Step{Op: Op(min(r.number(), int(ops)))}
		form := r.number()
		s.Add, s.Act = form&formAdd != 0, kernel.Activation(min(form/formAct, 255))
		if s.Op == 0 || s.Op >= ops {
			r.err = errors.Join(r.err, errors.New("program: it has an operation that this build does not know"))
		}
		if r.err != nil {
			return nil
		}
		for i := range operations[s.Op].sizes {
			s.Size[i] = r.number()
		}
		for i := range 1 + operations[s.Op].inputs {
			s.At[i] = r.number()
		}
		list = append(list, s)
	}
	return list
}
