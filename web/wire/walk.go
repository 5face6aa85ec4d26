package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// walk visits a message's fields in order, and appends each to a frame or takes it from one. Numbers are little-endian
// and of fixed width. The length of a text or list has two bytes, or four if its limit needs them. Each value has one
// encoding, so a decoded message encodes to the same bytes. After the first error the walk does nothing.
type walk struct {
	buf      []byte // encoding: the frame so far; decoding: the rest of it
	decoding bool
	err      error
}

// field describes a number, flag, text or list of a message, or of an entry of a list. Fields of structs and arrays
// inside are fields of the message.
type field struct {
	name  string // in errors
	kind  reflect.Kind
	at    uintptr // from the start of the message or entry
	least int     // bytes of the shortest value
	most  int     // length of a text or list
	wide  bool    // the length has four bytes
	list  reflect.Type
	entry []field // of a list
	size  uintptr // of an entry in memory
	each  int     // bytes of the shortest entry
}

// fieldsOf describes a value of a type. Limit names the limit of its length.
func fieldsOf(t reflect.Type, at uintptr, name, limit string) (all []field) {
	f := field{name: name, kind: t.Kind(), at: at, least: int(t.Size())}
	switch f.kind {
	case reflect.Struct:
		for i := range t.NumField() {
			of := t.Field(i)
			inner := of.Name
			switch {
			case of.Anonymous:
				inner = name
			case name != "":
				inner = name + "." + of.Name
			}
			all = append(all, fieldsOf(of.Type, at+of.Offset, inner, of.Tag.Get("limit"))...)
		}
		return all
	case reflect.Array:
		for i := range t.Len() {
			all = append(all, fieldsOf(t.Elem(), at+uintptr(i)*t.Elem().Size(), name, "")...)
		}
		return all
	case reflect.String:
		f.most, f.least = limits[limit], 2
	case reflect.Slice:
		f.most, f.least, f.list = limits[limit], 2, t
		f.entry, f.size = fieldsOf(t.Elem(), 0, name, ""), t.Elem().Size()
		if f.wide = f.most > math.MaxUint16; f.wide {
			f.least = 4
		}
		for _, one := range f.entry {
			f.each += one.least
		}
	}
	return []field{f}
}

// visit walks the fields of the message or entry at p. With reflection it would take two to four times as long.
func (w *walk) visit(p unsafe.Pointer, fields []field) {
	for i := range fields {
		f := &fields[i]
		switch p := unsafe.Add(p, f.at); f.kind {
		case reflect.Uint8:
			w.u8((*uint8)(p))
		case reflect.Uint32, reflect.Float32: // keeps every bit, also of a NaN
			w.u32((*uint32)(p))
		case reflect.Uint64:
			w.u64((*uint64)(p))
		case reflect.Bool:
			w.flag((*bool)(p), f)
		case reflect.String:
			w.text((*string)(p), f)
		default:
			w.entries(p, f)
		}
	}
}

// entries visits the list at p.
func (w *walk) entries(p unsafe.Pointer, f *field) {
	if len(f.entry) == 1 {
		switch f.entry[0].kind {
		case reflect.Uint8:
			w.bytes((*[]byte)(p), f)
			return
		case reflect.Uint32, reflect.Float32:
			w.numbers((*[]uint32)(p), f)
			return
		}
	}
	list := (*[]byte)(p) // of entries; only its start and its length are read
	n := w.length(len(*list), f.each, f)
	if w.decoding && n > 0 {
		reflect.NewAt(f.list, p).Elem().Set(reflect.MakeSlice(f.list, n, n))
	}
	one := unsafe.Pointer(unsafe.SliceData(*list))
	for i := 0; i < n && w.err == nil; i++ {
		w.visit(unsafe.Add(one, uintptr(i)*f.size), f.entry)
	}
}

func (w *walk) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// next returns the next n bytes of the frame, or nil.
func (w *walk) next(n int) []byte {
	if w.err != nil {
		return nil
	}
	if len(w.buf) < n {
		w.fail("the frame ends %d bytes early", n-len(w.buf))
		return nil
	}
	b := w.buf[:n:n]
	w.buf = w.buf[n:]
	return b
}

func (w *walk) u8(p *uint8) {
	if !w.decoding {
		w.buf = append(w.buf, *p)
	} else if b := w.next(1); b != nil {
		*p = b[0]
	}
}

func (w *walk) u32(p *uint32) {
	if !w.decoding {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, *p)
	} else if b := w.next(4); b != nil {
		*p = binary.LittleEndian.Uint32(b)
	}
}

func (w *walk) u64(p *uint64) {
	if !w.decoding {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, *p)
	} else if b := w.next(8); b != nil {
		*p = binary.LittleEndian.Uint64(b)
	}
}

// flag is one byte, 0 or 1.
func (w *walk) flag(p *bool, f *field) {
	n := uint8(0)
	if *p {
		n = 1
	}
	w.u8(&n)
	if n > 1 {
		w.fail("%s is %d; a flag is 0 or 1", f.name, n)
	}
	if w.decoding {
		*p = n == 1
	}
}

// length visits the length of a text or list, which is have when encoding. An entry takes at least size bytes, so a
// frame cannot make Decode allocate more than it contains. After an error the length is 0.
func (w *walk) length(have, size int, f *field) int {
	n, bytes := uint64(have), 2
	if f.wide {
		bytes = 4
	}
	if w.decoding {
		b := w.next(bytes)
		if b == nil {
			return 0
		}
		n = uint64(binary.LittleEndian.Uint16(b))
		if f.wide {
			n = uint64(binary.LittleEndian.Uint32(b))
		}
	}
	switch {
	case n > uint64(f.most):
		w.fail("%s has length %d; the limit is %d", f.name, n, f.most)
		return 0
	case !w.decoding && f.wide:
		w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(n))
	case !w.decoding:
		w.buf = binary.LittleEndian.AppendUint16(w.buf, uint16(n))
	case int(n)*size > len(w.buf):
		w.fail("%s has length %d; the frame ends %d bytes early", f.name, n, int(n)*size-len(w.buf))
		return 0
	}
	return int(n)
}

// text is UTF-8. A sentence for people that is too long loses its end in the frame. The message does not change,
// because others may encode it too.
func (w *walk) text(p *string, f *field) {
	if w.decoding {
		b := w.next(w.length(0, 1, f))
		if !utf8.Valid(b) {
			w.fail("%s is not UTF-8", f.name)
			return
		}
		*p = string(b)
		return
	}
	s := *p
	if f.most == MaxReason {
		s = clip(s)
	}
	n := w.length(len(s), 1, f)
	if !utf8.ValidString(s) {
		w.fail("%s is not UTF-8", f.name)
	}
	w.buf = append(w.buf, s[:n]...)
}

func clip(s string) string {
	if len(s) <= MaxReason && utf8.ValidString(s) {
		return s
	}
	s = strings.ToValidUTF8(s[:min(len(s), 2*MaxReason)], "\uFFFD")
	if len(s) <= MaxReason {
		return s
	}
	end := MaxReason - len("…")
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

func (w *walk) bytes(p *[]byte, f *field) {
	n := w.length(len(*p), 1, f)
	if !w.decoding {
		w.buf = append(w.buf, (*p)[:n]...)
	} else if b := w.next(n); len(b) > 0 {
		*p = append([]byte(nil), b...)
	}
}

// numbers visits a list of numbers, which may be millions.
func (w *walk) numbers(p *[]uint32, f *field) {
	n := w.length(len(*p), 4, f)
	if !w.decoding {
		for _, v := range (*p)[:n] {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, v)
		}
	} else if b := w.next(4 * n); len(b) > 0 {
		*p = make([]uint32, n)
		for i := range *p {
			(*p)[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	}
}
