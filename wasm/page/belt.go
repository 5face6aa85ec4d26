//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"
	"time"

	"impalab/envs"
	"impalab/wasm/run"
	drawn "impalab/web/chart"
	"impalab/web/wire"
)

// belt is the picture of the queue under the slider of the lag. It is drawn at most four times a second, and at once
// when a person turns the slider.
type belt struct {
	box  *chart // which is observed
	keys []js.Value
	read func() (b *drawn.Belt, revision int)

	width float64 // as drawn
	last  time.Time
	shown [3]any // as drawn: lag, revision, who lies
	moved int    // the revision whose motion was shown
	keyed time.Time
}

const (
	beltEvery = 250 * time.Millisecond
	keyEvery  = 4 * time.Second // people read it
)

func (b *belt) draw() {
	if b.box.width < 1 {
		return
	}
	of, revision := b.read()
	if revision == b.moved {
		for i := range of.Lanes {
			of.Lanes[i].Moves = 0
		}
	}
	lies := ""
	for _, lane := range of.Lanes {
		lies += strconv.FormatBool(lane.Lies)
	}
	now := [...]any{of.Lag, revision, lies + of.Plea}
	w, element := b.box.width, b.box.element
	dragged := now[0] != b.shown[0]
	turned := w != b.width || dragged || now[2] != b.shown[2]
	if !turned && time.Since(b.last) < beltEvery {
		return
	}
	for _, early := range findAll(element.Get("parentNode"), ".early") { // the HTML's
		early.Call("remove")
	}
	b.width, b.last, b.shown, b.moved = w, time.Now(), now, revision
	high := strconv.Itoa(int(drawn.BeltHeight(w, len(of.Lanes))))
	element.Call("setAttribute", "viewBox", "0 0 "+strconv.Itoa(int(w))+" "+high)
	element.Get("style").Call("setProperty", "--each", strconv.FormatFloat(drawn.BeltEach(of.Lag, w), 'f', 1, 64))
	element.Set("innerHTML", drawn.DrawBelt(of, w))
	if len(b.keys) > 0 && (dragged || time.Since(b.keyed) > keyEvery) {
		if of.Lag > 0 && len(of.Lanes[0].Poses) > 0 {
			b.keyed = b.last
		}
		for _, element := range b.keys {
			element.Set("innerHTML", drawn.DrawKey(of))
		}
	}
}

// clear empties a belt that is not shown.
func (b *belt) clear() {
	if b.width > 0 {
		b.box.element.Set("innerHTML", "")
		b.width = 0
	}
}

// lane is a run's lane of the belt.
func lane(r *run.Run, class string, whole bool) drawn.BeltLane {
	l := drawn.BeltLane{Class: class, Whole: whole, Poses: r.Belt.Poses, Moves: r.Belt.Moves, Lies: r.Tumble.Lies()}
	stick, ok := stickOf(r.Frame)
	if ok {
		l.Lean = stick.Lean
	} else if r.Frame != nil && watchedWorld != nil {
		if writing, writes := envs.WritingOf(watchedWorld); writes {
			l.Figure = drawn.Tile
			if said := writing.Answer().Written; len(said) > 0 {
				l.Symbol = said[len(said)-1]
			}
		} else {
			obs := make([]float32, watchedWorld.Spec().Size())
			watchedWorld.Observe(obs)
			l.Lean, l.Figure = envs.Lean(watchedWorld, obs), drawn.Trunk
		}
	}
	if r.Tumble.Falls() {
		l.Lean = r.Tumble.Lean()
	}
	return l
}

// watchedWorld is a world into which frames are put, to read them.
var watchedWorld envs.World

// stickOf returns the stick of a frame's world.
func stickOf(f *wire.Frame) (s envs.Stick, ok bool) {
	if f == nil {
		return s, false
	}
	if watchedWorld == nil || watchedWorld.Spec().Name != f.World {
		watchedWorld, _ = envs.New(f.World)
	}
	if watchedWorld == nil || watchedWorld.SetState(f.State) != nil {
		return s, false
	}
	return envs.StickOf(watchedWorld)
}

// readBelt is the belt of the first page.
func (f *first) readBelt() (*drawn.Belt, int) {
	runs := f.Runs()
	b := &drawn.Belt{Lag: f.shownLag(), Lanes: []drawn.BeltLane{
		lane(runs[0], "pi", false), lane(runs[1], "strong", f.Whole()),
	}}
	if b.Lag == 0 && !f.Touched {
		b.Plea = "drag the lens into the past →"
	}
	return b, runs[0].Belt.Revision + runs[1].Belt.Revision
}
