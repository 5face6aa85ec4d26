package view

import (
	"image/color"
	"slices"

	"impalab/envs"
	"impalab/web/wire"
)

// roll is how likely the policy found each symbol at each place, in a world whose agent writes.
type roll struct {
	likely [][]float32 // by place; nil where the page has no frame
	number uint64      // of the frame of the last place
	length uint32      // of its episode
}

// add records π of the symbol that a frame has written. A frame of another episode begins again.
func (r *roll) add(w envs.Writing, f *wire.Frame) {
	if f.Length <= r.length || f.Number-r.number != uint64(f.Length-r.length) {
		r.likely = r.likely[:0]
	}
	r.number, r.length = f.Number, f.Length
	for len(r.likely) < w.Written() {
		r.likely = append(r.likely, nil)
	}
	if n := w.Written(); n > 0 && len(f.Target) == len(w.Spec().Actions) {
		r.likely[n-1] = slices.Clone(f.Target)
	}
}

// show tints each field of the picture, darker where its symbol was likelier. Place and scale are as in past.show.
func (r *roll) show(to *mesh, w envs.Writing, x, y, scale float32, ink color.RGBA) {
	const least, most, inset = .04, .92, .05
	for place, likely := range r.likely {
		for symbol, p := range likely {
			if fx, fy, wide, high, ok := w.Field(place, symbol); ok {
				to.rect(x+(fx+inset)*scale, y+(fy+inset)*scale, (wide-2*inset)*scale, (high-2*inset)*scale, ink,
					least+most*share(p))
			}
		}
	}
}

// likeliest returns the two likeliest symbols of the newest place, the likelier first; ok is false without its frame.
func (r *roll) likeliest() (symbols [2]int, ok bool) {
	if len(r.likely) == 0 || len(r.likely[len(r.likely)-1]) < 2 {
		return symbols, false
	}
	of := r.likely[len(r.likely)-1]
	symbols = [2]int{-1, -1}
	for k := range symbols {
		for s := range of {
			if s != symbols[0] && (symbols[k] < 0 || of[s] > of[symbols[k]]) {
				symbols[k] = s
			}
		}
	}
	return symbols, true
}
