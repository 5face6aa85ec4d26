package envs

import (
	"fmt"

	"impalab/envs/world"
)

// Reverse is the training of a language model at its smallest: a prompt, an answer that the agent writes symbol by
// symbol, and one reward at its end. An unroll can hold a whole answer, and the policy of each symbol is known in full.

const (
	reverseLength = 8 // of the prompt, without options
	reverseSeen   = 8 // places of a longer answer that are in the picture
)

var reverseOptions = []Option{
	{Key: "length", Sentence: "Symbols of the prompt, and of the answer.", Min: 2, Max: 32, Usual: reverseLength,
		Whole: true},
	{Key: "symbols", Sentence: "How many different symbols there are.", Min: 2, Max: float64(len(letters)), Usual: 4,
		Whole: true},
}

var reverseNames = []string{"a", "b", "c", "d", "e", "f", "g", "h"}

func reverseSized(values []float64) Entry {
	length, symbols := int(values[0]), int(values[1])
	spec := &Spec{
		Name:  "reverse",
		Title: "Reverse",
		Summary: fmt.Sprintf("Write a prompt of %d symbols backwards, one symbol a step: 1 at the end for a right answer, "+
			"or the share of its symbols that are right.", length),
		Source:  "our own: a sequence to reverse, as language models write answers",
		Obs:     []int{length, 2*symbols + 1},
		Actions: reverseNames[:symbols:symbols],
		Random:  figure(1 / float64(symbols)),
		Solved:  .95,
		View:    [2]float32{float32(min(length, reverseSeen)) + 1, answerTop(symbols) + 1},
		Rate:    8,
	}
	return Entry{Spec: spec, New: func() World { return &reverse{spec: spec, length: length, symbols: symbols} }}
}

type reverse struct {
	spec            *Spec
	length, symbols int
	page
	outlined int // of the picture alone: written symbols that are drawn as outlines
}

// page is a prompt and its answer; the symbols behind their ends are 0.
type page struct {
	written        int // symbols of the answer
	prompt, answer [32]uint8
}

func (w *reverse) Spec() *Spec { return w.spec }

func (w *reverse) Reset(r *Rand) {
	w.page = page{}
	for i := range w.length {
		w.prompt[i] = uint8(r.IntN(w.symbols))
	}
}

// right is the symbol that belongs at a place of the answer.
func (w *reverse) right(place int) int { return int(w.prompt[w.length-1-place]) }

// rights is how many written symbols are right.
func (w *reverse) rights() (n int) {
	for place, said := range w.answer[:w.written] {
		if int(said) == w.right(place) {
			n++
		}
	}
	return n
}

func (w *reverse) Step(_ *Rand, action int) Outcome {
	if uint(action) >= uint(w.symbols) {
		panic("envs: action out of range of reverse")
	}
	if w.written == w.length { // the answer is whole: nothing follows
		return Outcome{End: Terminated}
	}
	w.answer[w.written] = uint8(action)
	w.written++
	if w.written < w.length {
		return Outcome{}
	}
	return Outcome{Reward: float32(w.rights()) / float32(w.length), End: Terminated}
}

// Observe has a row for each place: which symbol of the prompt stands there, which one the agent wrote there, and
// whether it writes there next.
func (w *reverse) Observe(obs []float32) {
	wide := 2*w.symbols + 1
	clear(obs[:w.length*wide])
	for i := range w.length {
		obs[i*wide+int(w.prompt[i])] = 1
	}
	for i, said := range w.answer[:w.written] {
		obs[i*wide+w.symbols+int(said)] = 1
	}
	if w.written < w.length {
		obs[w.written*wide+2*w.symbols] = 1
	}
}

func (w *reverse) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, w.spec)
	dst = append(dst, byte(w.written))
	dst = append(dst, w.prompt[:w.length]...)
	return append(dst, w.answer[:w.written]...)
}

func (w *reverse) SetState(src []byte) error {
	b := world.Open(src, world.One, w.spec)
	next := page{written: int(b.Small(0, w.length))}
	read := func(symbols []uint8) {
		for i := range symbols {
			symbols[i] = uint8(b.Small(0, w.symbols-1))
		}
	}
	read(next.prompt[:w.length])
	read(next.answer[:next.written])
	if err := b.Close(); err != nil {
		return err
	}
	w.page = next
	return nil
}
