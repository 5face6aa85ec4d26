package envs

import (
	"encoding/binary"

	"impalab/envs/world"
)

// Catch is bsuite's smallest test of credit over time: the ball falls for rows − 1 steps, and only the last one pays.

var catchOptions = []Option{
	{Key: "rows", Sentence: "Rows of the board; the ball falls one a step.", Min: 2, Max: 50, Usual: 10, Whole: true},
	{Key: "columns", Sentence: "Columns of the board.", Min: 2, Max: 50, Usual: 5, Whole: true},
}

func catchSized(values []float64) Entry {
	rows, columns := int(values[0]), int(values[1])
	// The paddle is somewhere, and the ball starts in any column with the same chance. An agent that does not aim catches
	// 1/columns of the balls. On a low, wide board the paddle does not reach them all.
	start := columns / 2
	reached := min(columns-1, start+rows-1) - max(0, start-rows+1) + 1
	spec := &Spec{
		Name:    "catch",
		Title:   "Catch",
		Summary: "Move the paddle under the falling ball: +1 when it is caught, −1 when it is missed.",
		Source:  "bsuite, environments/catch.py",
		Obs:     []int{rows, columns},
		Actions: []string{"left", "stay", "right"},
		Random:  figure(2/float64(columns) - 1),
		Solved:  figure(2*float64(reached)/float64(columns) - 1 - .05),
		View:    [2]float32{float32(columns), float32(rows)},
		Rate:    8,
	}
	return Entry{Spec: spec, New: func() World { return &catch{spec: spec, rows: rows, columns: columns} }}
}

type catch struct {
	spec          *Spec
	rows, columns int
	catchBoard
}

type catchBoard struct {
	ball, row int // column and row of the ball
	paddle    int // its column, in the last row
}

func (w *catch) Spec() *Spec { return w.spec }

func (w *catch) Reset(r *Rand) {
	w.catchBoard = catchBoard{ball: r.IntN(w.columns), paddle: w.columns / 2}
}

func (w *catch) Step(_ *Rand, action int) Outcome {
	if uint(action) >= 3 {
		panic("envs: catch has actions 0 to 2")
	}
	if w.row == w.rows-1 { // the ball has landed: nothing follows
		return Outcome{End: Terminated}
	}
	w.paddle = min(max(w.paddle+action-1, 0), w.columns-1)
	w.row++
	switch {
	case w.row < w.rows-1:
		return Outcome{}
	case w.paddle == w.ball:
		return Outcome{Reward: 1, End: Terminated}
	}
	return Outcome{Reward: -1, End: Terminated}
}

func (w *catch) Observe(obs []float32) {
	clear(obs[:w.rows*w.columns])
	obs[w.row*w.columns+w.ball] = 1
	obs[(w.rows-1)*w.columns+w.paddle] = 1
}

func (w *catch) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, w.spec)
	for _, x := range [...]int{w.ball, w.row, w.paddle} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x))
	}
	return dst
}

func (w *catch) SetState(src []byte) error {
	b := world.Open(src, world.One, w.spec)
	next := catchBoard{ball: b.Below(w.columns), row: b.Below(w.rows), paddle: b.Below(w.columns)}
	if err := b.Close(); err != nil {
		return err
	}
	w.catchBoard = next
	return nil
}

func (w *catch) Draw(c Canvas) {
	floor(c, float32(w.columns), float32(w.rows))
	x, y := float32(w.ball)+.5, float32(w.row)+.32 // high enough to rest on the paddle in the last row
	for back := 1; back <= min(w.row, 3); back++ {
		c.Circle(x, y-float32(back), .16-.04*float32(back), Past)
	}
	bar(c, float32(w.paddle)+.06, float32(w.rows)-.38, .88, .28, Agent)
	ink := Prize
	if w.row == w.rows-1 && w.ball != w.paddle {
		ink = Harm // missed
	}
	c.Circle(x, y, .3, ink)
}
