package rooms

// Where a task gives an instruction, the observation has a fourth channel, and nothing else is in it. It is split
// into four bands of a quarter of the rows each, one for each word; a word is written as 16 upright stripes of a
// sixteenth of the columns each, 1 or 0 as the bits of its hash, the lowest on the left. Bands and stripes are
// rounded to whole pixels, row·4/tall and column·16/wide. So a convolution can read the words as it reads the rest,
// and new words need no list.

const (
	roomWords = 4
	wordBits  = 16
)

// wordHash is the lower half of the word's FNV-1a hash of 32 bits, folded with the upper.
func wordHash(word string) uint32 {
	h := uint32(2166136261)
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return (h ^ h>>16) & (1<<wordBits - 1)
}

// write fills the fourth channel.
func (w *room) write(obs []float32) {
	l := w.lens
	var hash [roomWords]uint32
	for i, word := range w.words {
		if word != "" {
			hash[i] = wordHash(word)
		}
	}
	i := 3
	for row := range l.tall {
		bits := hash[row*roomWords/l.tall]
		for _, bit := range l.bit {
			obs[i] = float32(bits >> bit & 1)
			i += 4
		}
	}
}
