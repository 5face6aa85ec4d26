package envs

import (
	"math"
	"reflect"
	"testing"
)

// The rules a second time, in strings: every prompt and answer of a small size, then a drawn one of the largest.
func TestReversePaysTheShareOfRightSymbolsAtTheEnd(t *testing.T) {
	const length, symbols = 3, 2
	w := reverseSized([]float64{length, symbols}).New().(*reverse)
	for code := range 1 << (2 * length) {
		w.page = page{}
		right := 0
		for i := range length {
			w.prompt[i] = uint8(code >> i & 1)
		}
		for place := range length {
			said := code >> (length + place) & 1
			if said == code>>(length-1-place)&1 {
				right++
			}
			out := w.Step(nil, said)
			want := Outcome{}
			if place == length-1 {
				want = Outcome{Reward: float32(right) / length, End: Terminated}
			}
			if out != want {
				t.Fatalf("prompt and answer %06b, place %d: %v, want %v", code, place, out, want)
			}
		}
		if out := w.Step(nil, 0); out != (Outcome{End: Terminated}) || w.written != length {
			t.Fatalf("after the end: %v, %d written", out, w.written)
		}
	}
}

func TestReverseShowsPromptAnswerAndPlace(t *testing.T) {
	w := reverseSized([]float64{3, 2}).New().(*reverse)
	w.prompt = [32]uint8{1, 0, 1}
	w.Step(nil, 0)
	obs := make([]float32, w.Spec().Size())
	w.Observe(obs)
	want := []float32{
		0, 1, 1, 0, 0, // b, wrote a
		1, 0, 0, 0, 1, // a, writes here next
		0, 1, 0, 0, 0, // b
	}
	for i := range want {
		if obs[i] != want[i] {
			t.Fatalf("shows %v, want %v", obs, want)
		}
	}
}

// Each place is in the picture while it is the newest, its fields do not overlap, and the window keeps its width.
func TestTheNewestColumnIsInThePicture(t *testing.T) {
	for _, length := range []int{2, 8, 9, 32} {
		w := reverseSized([]float64{float64(length), 4}).New().(*reverse)
		r := NewRand(1, 0)
		w.Reset(&r)
		for written := range length + 1 {
			if written > 0 {
				w.Step(&r, 0)
			}
			shown := 0
			for place := range length {
				x, y, wide, high, ok := w.Field(place, 3)
				if !ok {
					continue
				}
				shown++
				if view := w.Spec().View; x < 1 || x+wide > view[0] || y < 0 || y+high > view[1] {
					t.Fatalf("length %d: the field of place %d is at %v, %v", length, place, x, y)
				}
			}
			if _, _, _, _, ok := w.Field(max(written-1, 0), 0); !ok || shown != min(length, reverseSeen) {
				t.Fatalf("length %d, %d written: %d columns, the newest among them: %v", length, written, shown, ok)
			}
		}
	}
}

// A letter stays on its tile, and no two look the same.
func TestLettersDiffer(t *testing.T) {
	seen := map[string]bool{}
	for i, strokes := range letters {
		key := ""
		for _, s := range strokes {
			key += s + " "
			for at := 0; at < len(s); at += 2 {
				if len(s)%2 != 0 || s[at] < '0' || s[at] > '4' || s[at+1] > 'A' {
					t.Errorf("letter %d leaves its grid: %s", i, s)
				}
			}
		}
		if seen[key] {
			t.Errorf("letter %d is another's", i)
		}
		seen[key] = true
	}
}

// Dashes keep to their line, begin and end it.
func TestDashesBeginAndEndTheirLine(t *testing.T) {
	var ends []float32
	dashes(lines(func(x0, x1 float32) { ends = append(ends, x0, x1) }), 0, 0, 1, 0, .1, Strong, .1)
	if len(ends) != 12 || ends[0] != 0 || math.Abs(float64(ends[11]-1)) > 1e-6 {
		t.Errorf("dashes at %v", ends)
	}
}

// lines is a canvas that hears of lines.
type lines func(x0, x1 float32)

func (l lines) Line(x0, _, x1, _, _ float32, _ Ink)              { l(x0, x1) }
func (lines) Rect(_, _, _, _ float32, _ Ink)                     {}
func (lines) Circle(_, _, _ float32, _ Ink)                      {}
func (lines) Polygon(_ []float32, _ Ink)                         {}
func (lines) Picture(_, _, _, _ float32, rgb []byte, column int) {}

// The words of a picture say what it shows, and an outlined symbol loses its fill but not its letter.
func TestReverseSaysAndOutlinesItsAnswer(t *testing.T) {
	w := reverseSized([]float64{4, 4}).New().(*reverse)
	w.prompt = [32]uint8{2, 0, 3, 1}
	for _, said := range []int{1, 3, 3} {
		w.Step(nil, said)
	}
	want := Answer{Prompt: []string{"c", "a", "d", "b"}, Written: []string{"b", "d", "d"}, Right: 2, Length: 4}
	if got := w.Answer(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	fills := func() (n int) {
		var c counting
		w.Draw(&c)
		return c[Agent]
	}
	if whole := fills(); whole != 5 { // three fields, two right tiles
		t.Errorf("%d shapes of the agent, want 5", whole)
	}
	for n, want := range []int{5, 3, 1, 0} {
		if w.Outline(n); fills() != want {
			t.Errorf("%d outlines leave %d shapes of the agent, want %d", n, fills(), want)
		}
	}
}

// counting counts the shapes of each ink.
type counting map[Ink]int

func (c *counting) add(ink Ink) {
	if *c == nil {
		*c = counting{}
	}
	(*c)[ink]++
}

func (c *counting) Rect(_, _, _, _ float32, ink Ink)            { c.add(ink) }
func (c *counting) Circle(_, _, _ float32, ink Ink)             { c.add(ink) }
func (c *counting) Line(_, _, _, _, _ float32, ink Ink)         { c.add(ink) }
func (c *counting) Polygon(_ []float32, ink Ink)                { c.add(ink) }
func (c *counting) Picture(_, _, _, _ float32, _ []byte, _ int) {}
