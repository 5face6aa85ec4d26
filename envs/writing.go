package envs

// Writing is a world whose agent writes symbols, one a step. Its picture has a field for each place and symbol, in
// which the page draws how likely the symbol was.
type Writing interface {
	World
	// Written is how many symbols of this episode are written.
	Written() int
	// Field is the rectangle of a symbol at a place, in units of Spec.View. ok is false where the present picture does
	// not have the place.
	Field(place, symbol int) (x, y, w, h float32, ok bool)
	// Answer is the episode in words.
	Answer() Answer
	// Outline draws the first n written symbols as outlines from now on: a fall takes them away one by one.
	Outline(n int)
}

// Answer is a prompt and the answer that an agent has written to it, symbol by symbol.
type Answer struct {
	Prompt, Written []string
	Right           int // written symbols that are right
	Length          int // of a whole answer
}

// WritingOf returns a world as one whose agent writes; false where it does not.
func WritingOf(w World) (writing Writing, ok bool) {
	writing, ok = bare(w).(Writing)
	return writing, ok
}

// The picture of reverse has the prompt's tiles above, the answer's tiles below, and a field for each place and symbol
// between them. A column is one unit wide; the first one has the symbols' names.
const (
	tile      = .8 // side of a tile
	tileInset = (1 - tile) / 2
	fieldsTop = 1.3
	fieldHigh = .62
	hair      = .03
)

// answerTop is the top of the answer's row of tiles.
func answerTop(symbols int) float32 { return fieldsTop + fieldHigh*float32(symbols) + .2 }

func (w *reverse) Written() int { return w.written }

func (w *reverse) Outline(n int) { w.outlined = n }

func (w *reverse) Answer() Answer {
	a := Answer{Right: w.rights(), Length: w.length}
	for i := range w.length {
		a.Prompt = append(a.Prompt, reverseNames[w.prompt[i]])
	}
	for _, said := range w.answer[:w.written] {
		a.Written = append(a.Written, reverseNames[said])
	}
	return a
}

// window is the part of the answer that is in the picture: its first place, and how many there are.
func (w *reverse) window() (first, seen int) {
	seen = min(w.length, reverseSeen)
	return min(max(w.written-1-seen/2, 0), w.length-seen), seen
}

func (w *reverse) Field(place, symbol int) (x, y, wide, high float32, ok bool) {
	first, seen := w.window()
	return float32(place-first) + 1, fieldsTop + fieldHigh*float32(symbol), 1, fieldHigh,
		place >= first && place < first+seen && symbol < w.symbols
}

// Draw sets the prompt above and the answer below. Between them each place has a column: dashed is the right symbol,
// and filled the written one. The newest column has a frame, and a line leads to it from its symbol of the prompt.
func (w *reverse) Draw(c Canvas) {
	first, seen := w.window()
	c.Rect(0, 0, w.spec.View[0], w.spec.View[1], Ground)
	for symbol := range w.symbols {
		letter(c, symbol, .5, fieldsTop+fieldHigh*(float32(symbol)+.5), .4, Wall)
	}
	for place := first; place < first+seen; place++ {
		x, _, _, _, _ := w.Field(place, 0)
		outline(c, x+tileInset, tileInset, tile, tile, hair, Wall, 0)
		letter(c, int(w.prompt[w.length-seen-first+place-first]), x+.5, .5, .5, Strong)
		for symbol := range w.symbols {
			_, y, wide, high, _ := w.Field(place, symbol)
			outline(c, x+.04, y+.04, wide-.08, high-.08, hair, Faint, 0)
		}
	}
	newest, _, _, _, _ := w.Field(max(w.written-1, 0), 0)
	if w.written > 0 { // the prompt's window mirrors the answer's
		from := float32(seen) + 1 - newest
		c.Line(from+.5, 1-tileInset, from+.5, 1.1, 2*hair, Strong)
		dashes(c, from+.5, 1.1, newest+.5, 1.1, 2*hair, Strong, .16)
		c.Line(newest+.5, 1.1, newest+.5, fieldsTop, 2*hair, Strong)
	}
	for place := first; place < first+seen; place++ {
		w.column(c, place)
	}
	if w.written > 0 {
		outline(c, newest, fieldsTop-.05, 1, fieldHigh*float32(w.symbols)+.1, 2*hair, Strong, 0)
	}
}

// column draws one place of the answer: its note, the right field, and its tile.
func (w *reverse) column(c Canvas, place int) {
	x, y, wide, high, _ := w.Field(place, w.right(place))
	top, ink := answerTop(w.symbols)+tileInset, Strong
	if place >= w.written {
		outline(c, x+tileInset, top, tile, tile, hair, Faint, 0)
	} else {
		said := int(w.answer[place])
		_, at, _, _, _ := w.Field(place, said)
		gone := place < w.outlined
		if gone {
			outline(c, x+.12, at+.12, wide-.24, high-.24, 2*hair, Harm, 0)
		} else {
			c.Rect(x+.12, at+.12, wide-.24, high-.24, Agent)
		}
		if said != w.right(place) {
			ink = Harm
		}
		if ink == Strong && !gone {
			c.Rect(x+tileInset, top, tile, tile, Agent)
			letter(c, said, x+.5, top+tile/2, .5, Ground)
		} else {
			outline(c, x+tileInset, top, tile, tile, 2*hair, ink, 0)
			letter(c, said, x+.5, top+tile/2, .5, ink)
		}
	}
	outline(c, x+.06, y+.06, wide-.12, high-.12, 1.5*hair, ink, .12)
}

// outline draws the four sides of a rectangle, dashed where dash is not 0.
func outline(c Canvas, x, y, w, h, width float32, ink Ink, dash float32) {
	dashes(c, x, y, x+w, y, width, ink, dash)
	dashes(c, x+w, y, x+w, y+h, width, ink, dash)
	dashes(c, x+w, y+h, x, y+h, width, ink, dash)
	dashes(c, x, y+h, x, y, width, ink, dash)
}

// dashes draws a line whose dashes are about so long, as far apart. It begins and ends with a dash; 0: it has no gap.
func dashes(c Canvas, x0, y0, x1, y1, width float32, ink Ink, dash float32) {
	n := 1
	if long := max(x1-x0, x0-x1, y1-y0, y0-y1); dash > 0 {
		n += 2 * int(long/(2*dash))
	}
	for i := 0; i < n; i += 2 {
		from, to := float32(i)/float32(n), float32(i+1)/float32(n)
		c.Line(x0+(x1-x0)*from, y0+(y1-y0)*from, x0+(x1-x0)*to, y0+(y1-y0)*to, width, ink)
	}
}

// letters has the strokes of each letter: points of a grid, 4 wide and 10 high, as pairs of hexadecimal digits. Line 8
// carries the letters.
var letters = [...][]string{
	{"4433130407183847", "4348"},
	{"0008", "0413334447381807"},
	{"4433130407183847"},
	{"4048", "4433130407183847"},
	{"05454433130407183847"},
	{"40302128", "0343"},
	{"4433130407183847", "43493A1A"},
	{"0008", "0413334448"},
}

// letter draws a letter around a middle, high units above its line.
func letter(c Canvas, symbol int, x, y, high float32, ink Ink) {
	const line = 8
	unit := high / line
	at := func(digit byte) float32 {
		if digit >= 'A' {
			return float32(digit-'A'+10) * unit
		}
		return float32(digit-'0') * unit
	}
	left, top := x-2*unit, y-line/2*unit
	for _, stroke := range letters[symbol] {
		for i := 0; i+3 < len(stroke); i += 2 {
			c.Line(left+at(stroke[i]), top+at(stroke[i+1]), left+at(stroke[i+2]), top+at(stroke[i+3]), 1.2*unit, ink)
		}
	}
}
