package wire

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// walk visits a message's fields in order, and appends each to a frame or takes it from one. Numbers are little-endian
// and of fixed width. Texts and lists have a length of two bytes, states and parameters one of four. Each value has one
// encoding, so a decoded message encodes to the same bytes. After the first error the walk does nothing.
type walk struct {
	buf      []byte // encoding: the frame so far; decoding: the rest of it
	decoding bool
	err      error
}

func (w *walk) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// take returns the next n bytes of the frame, or nil.
func (w *walk) take(n int) []byte {
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
	} else if b := w.take(1); b != nil {
		*p = b[0]
	}
}

func (w *walk) u32(p *uint32) {
	if !w.decoding {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, *p)
	} else if b := w.take(4); b != nil {
		*p = binary.LittleEndian.Uint32(b)
	}
}

func (w *walk) u64(p *uint64) {
	if !w.decoding {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, *p)
	} else if b := w.take(8); b != nil {
		*p = binary.LittleEndian.Uint64(b)
	}
}

// f32 keeps every bit, also of a NaN.
func (w *walk) f32(p *float32) {
	if !w.decoding {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, math.Float32bits(*p))
	} else if b := w.take(4); b != nil {
		*p = math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
}

// flag is one byte, 0 or 1.
func (w *walk) flag(p *bool, name string) {
	if !w.decoding {
		var b byte
		if *p {
			b = 1
		}
		w.buf = append(w.buf, b)
	} else if b := w.take(1); b != nil {
		if b[0] > 1 {
			w.fail("%s is %d; a flag is 0 or 1", name, b[0])
		}
		*p = b[0] == 1
	}
}

// count returns the length of a list: have when encoding, or the length in the frame. An entry takes at least size
// bytes, so a frame cannot make Decode allocate more than it contains.
func (w *walk) count(have, most, size int, name string) int {
	n := have
	if w.decoding {
		b := w.take(2)
		if b == nil {
			return 0
		}
		n = int(binary.LittleEndian.Uint16(b))
	}
	switch {
	case n > most:
		w.fail("%s has length %d; the limit is %d", name, n, most)
		return 0
	case !w.decoding:
		w.buf = binary.LittleEndian.AppendUint16(w.buf, uint16(n))
	case n*size > len(w.buf):
		w.fail("%s has length %d; the frame ends %d bytes early", name, n, n*size-len(w.buf))
		return 0
	}
	return n
}

// text is UTF-8.
func (w *walk) text(p *string, most int, name string) {
	n := w.count(len(*p), most, 1, name)
	if !w.decoding {
		if w.err == nil && !utf8.ValidString(*p) {
			w.fail("%s is not UTF-8", name)
		}
		w.buf = append(w.buf, (*p)[:n]...)
		return
	}
	b := w.take(n)
	if !utf8.Valid(b) {
		w.fail("%s is not UTF-8", name)
		return
	}
	*p = string(b)
}

// sentence is a text for people. A long one loses its end in the frame. The message does not change, because others may
// encode it too.
func (w *walk) sentence(p *string, name string) {
	if w.decoding {
		w.text(p, MaxReason, name)
		return
	}
	s := clip(*p)
	w.text(&s, MaxReason, name)
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

func (w *walk) texts(p *[]string, most, each int, name string) {
	n := w.count(len(*p), most, 2, name)
	if w.decoding && n > 0 {
		*p = make([]string, n)
	}
	for i := 0; i < n && w.err == nil; i++ {
		w.text(&(*p)[i], each, name)
	}
}

func (w *walk) origin(p *Origin) {
	w.text(&p.Run, MaxName, "From.Run")
	w.u64(&p.Update)
}

func (w *walk) settings(p *[]Setting) {
	n := w.count(len(*p), MaxSettings, 4, "Settings")
	if w.decoding && n > 0 {
		*p = make([]Setting, n)
	}
	for i := 0; i < n && w.err == nil; i++ {
		s := &(*p)[i]
		w.text(&s.Key, MaxName, "Settings.Key")
		w.text(&s.Value, MaxValue, "Settings.Value")
	}
}

func (w *walk) traces(p *[]Trace) {
	n := w.count(len(*p), MaxTraces, 10, "Traces")
	if w.decoding && n > 0 {
		*p = make([]Trace, n)
	}
	for i := 0; i < n && w.err == nil; i++ {
		t := &(*p)[i]
		w.text(&t.Name, MaxName, "Traces.Name")
		w.f32(&t.Value)
		w.f32(&t.Bound)
	}
}

func (w *walk) u32s(p *[]uint32, most int, name string) {
	n := w.count(len(*p), most, 4, name)
	if !w.decoding {
		for _, v := range (*p)[:n] {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, v)
		}
	} else if b := w.take(4 * n); len(b) > 0 {
		*p = make([]uint32, n)
		for i := range *p {
			(*p)[i] = binary.LittleEndian.Uint32(b[4*i:])
		}
	}
}

func (w *walk) f32s(p *[]float32, most int, name string) {
	n := w.count(len(*p), most, 4, name)
	if !w.decoding {
		for _, v := range (*p)[:n] {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, math.Float32bits(v))
		}
	} else if b := w.take(4 * n); len(b) > 0 {
		*p = make([]float32, n)
		for i := range *p {
			(*p)[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}

// many is f32s with a length of four bytes.
func (w *walk) many(p *[]float32, most int, name string) {
	n := uint32(len(*p))
	if w.decoding {
		w.u32(&n)
	}
	if n > uint32(most) {
		w.fail("%s has length %d; the limit is %d", name, n, most)
		return
	}
	if !w.decoding {
		w.u32(&n)
		for _, v := range *p {
			w.buf = binary.LittleEndian.AppendUint32(w.buf, math.Float32bits(v))
		}
	} else if b := w.take(4 * int(n)); len(b) > 0 {
		*p = make([]float32, n)
		for i := range *p {
			(*p)[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
	}
}

// blob is a world's state: a length of four bytes, then the bytes.
func (w *walk) blob(p *[]byte, most int, name string) {
	n := uint32(len(*p))
	if w.decoding {
		w.u32(&n)
	}
	if n > uint32(most) {
		w.fail("%s has length %d; the limit is %d", name, n, most)
		return
	}
	if !w.decoding {
		w.u32(&n)
		w.buf = append(w.buf, *p...)
	} else if b := w.take(int(n)); len(b) > 0 {
		*p = append([]byte(nil), b...)
	}
}
