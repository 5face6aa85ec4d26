package envs

import "encoding/binary"

// Catch is bsuite's smallest test of credit over time: nine steps pass before the one that pays.

const (
	catchRows = 10
	catchCols = 5
)

var catchSpec = Spec{
	Name:    "catch",
	Title:   "Catch",
	Summary: "Move the paddle under the falling ball: +1 when it is caught, −1 when it is missed.",
	Source:  "bsuite, environments/catch.py",
	Obs:     []int{catchRows, catchCols},
	Actions: []string{"left", "stay", "right"},
	Random:  -.6, // one column in five, wherever the paddle wanders: the ball's column is uniform
	Solved:  .95,
	View:    [2]float32{catchCols, catchRows},
	Rate:    8,
}

type catch struct {
	ball, row int // column and row of the ball
	paddle    int // its column, in the last row
}

func (w *catch) Spec() *Spec { return &catchSpec }

func (w *catch) Reset(r *Rand) { *w = catch{ball: r.IntN(catchCols), paddle: catchCols / 2} }

func (w *catch) Step(_ *Rand, action int) Outcome {
	if uint(action) >= 3 {
		panic("envs: catch has actions 0 to 2")
	}
	if w.row == catchRows-1 { // the ball has landed: nothing follows
		return Outcome{End: Terminated}
	}
	w.paddle = min(max(w.paddle+action-1, 0), catchCols-1)
	w.row++
	switch {
	case w.row < catchRows-1:
		return Outcome{}
	case w.paddle == w.ball:
		return Outcome{1, Terminated}
	}
	return Outcome{-1, Terminated}
}

func (w *catch) Observe(obs []float32) {
	clear(obs[:catchRows*catchCols])
	obs[w.row*catchCols+w.ball] = 1
	obs[(catchRows-1)*catchCols+w.paddle] = 1
}

func (w *catch) State(dst []byte) []byte {
	dst = begin(dst, oneWorld, &catchSpec)
	for _, x := range [...]int{w.ball, w.row, w.paddle} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x))
	}
	return dst
}

func (w *catch) SetState(src []byte) error {
	b := open(src, oneWorld, &catchSpec)
	next := catch{ball: b.below(catchCols), row: b.below(catchRows), paddle: b.below(catchCols)}
	if err := b.close(); err != nil {
		return err
	}
	*w = next
	return nil
}

func (w *catch) Draw(c Canvas) {
	floor(c, catchCols, catchRows)
	x, y := float32(w.ball)+.5, float32(w.row)+.32 // high enough to rest on the paddle in the last row
	for back := 1; back <= min(w.row, 3); back++ {
		c.Circle(x, y-float32(back), .16-.04*float32(back), Past)
	}
	bar(c, float32(w.paddle)+.06, catchRows-.38, .88, .28, Agent)
	ink := Prize
	if w.row == catchRows-1 && w.ball != w.paddle {
		ink = Harm // missed
	}
	c.Circle(x, y, .3, ink)
}
