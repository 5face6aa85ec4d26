package play

import (
	"math"
	"strconv"
	"time"

	"impalab/envs"
	"impalab/envs/bodies"
	"impalab/web/wire"
)

// Tumble is the fall of a watched agent down to the floor. CartPole's episode ends at 12°. The page plays the rest as
// a free rod on its hinge, and keeps the last picture. The score counts up to 12°. Where an agent writes symbols, they
// turn to outlines one by one. Times are in display time.
type Tumble struct {
	Length uint32    // steps of the episode that ended in the fall
	Fan    []float32 // leans that the falling stick had, the oldest first: one every 40 ms
	Stays  bool      // the agent lies until the visitor helps it; it falls after an episode of any length

	stood bool // an episode was long once
	phase tumbling
	stick envs.Stick
	since time.Duration // when the phase began; while falling, the time that is computed
	image time.Duration // when the next image of the fan is due
	now   time.Duration // of the newest Play
	slow  int           // steps that the next episodes take slowly
	after bool          // a fall was played, and the agent has not learned to stand since

	written, outlined int // symbols of the answer that falls, and those that are outlines

	pose bodies.Pose // of a watched body
	from uint32      // step of its episode at which it was at x, and since then near it
	x    float32     // m
}

type tumbling uint8

const (
	upright tumbling = iota
	falling
	lying
	fading
)

const (
	Lying = 99 * math.Pi / 180 // rad: the tip of the stick meets the floor

	shortFall  = 60  // steps: a longer episode ends without a played fall
	longStand  = 200 // steps
	fallImage  = 40 * time.Millisecond
	fallSymbol = 60 * time.Millisecond
	lieFor     = 900 * time.Millisecond // people need 600; the words come up to 300 late
	fadeFor    = 300 * time.Millisecond
	slowSteps  = 20 // after a fall, at a quarter of the speed
	stillStand = 60 // mean of the last ten episodes below which the world plays at half its speed after a fall
)

// See takes a frame of the watched world as it stands. Both tells that the page holds both runs. Calm skips the motion.
func (t *Tumble) See(f *wire.Frame, w envs.World, both, calm bool, now time.Duration) {
	t.stood = t.stood || f.Length >= longStand
	t.slow = max(0, t.slow-1)
	if body := bodies.Of(w); body != nil {
		t.seeBody(body, f, w.Spec().Rate, both, now)
		return
	}
	if envs.End(f.End) != envs.Terminated {
		return
	}
	if writing, ok := envs.WritingOf(w); ok {
		t.erase(writing, f, calm, now)
		return
	}
	if !(t.stood || both) {
		return
	}
	stick, ok := envs.StickOf(w)
	if !ok || !t.Stays && (f.Length >= shortFall || abs(stick.Lean) < stick.Bound) {
		return // it stood for long, or ran off the track
	}
	t.Length, t.Fan, t.stick, t.after = f.Length, t.Fan[:0], stick, true
	t.phase, t.since, t.image = falling, now, now
	if calm {
		for !t.drop(fallStep) {
			if t.image += fallStep; t.image >= fallImage {
				t.Fan, t.image = append(t.Fan, t.stick.Lean), 0
			}
		}
		t.phase = lying
	}
}

// A body lies if it has come less than a metre in two seconds. The step of its fall is the first of them.
const (
	crawls   = 1 // m
	lieAfter = 2 // s
)

// seeBody takes a frame of a body. Its fall is seen as it happens: in its episode's last frame, or, where the agent
// stays down and the episode continues, when it has not moved for a while.
func (t *Tumble) seeBody(body bodies.Posed, f *wire.Frame, rate float32, both bool, now time.Duration) {
	body.Pose(&t.pose)
	if t.from == 0 || f.Length <= t.from || abs(t.pose.X-t.x) >= crawls {
		t.from, t.x = f.Length, t.pose.X
	}
	switch {
	case envs.End(f.End) == envs.Terminated && t.pose.Fallen && (t.stood || both):
		t.Length = f.Length
	case t.Stays && float32(f.Length-t.from) >= lieAfter*rate:
		t.Length = t.from
	default:
		return
	}
	t.Fan, t.after = t.Fan[:0], true
	t.phase, t.since, t.image = lying, now, now
}

// erase begins the fall of an answer. A poor answer is no fall: only a run that has fallen erases it. An answer that is
// mostly right shows no fall: parameters from before the fall wrote it.
func (t *Tumble) erase(w envs.Writing, f *wire.Frame, calm bool, now time.Duration) {
	if a := w.Answer(); !t.Stays || 2*a.Right > a.Length {
		return
	}
	t.Length, t.written, t.outlined, t.phase, t.since = f.Length, w.Written(), 0, falling, now
	if calm {
		t.outlined, t.phase = t.written, lying
	}
}

// Outlined is how many symbols of the answer are outlines.
func (t *Tumble) Outlined() int {
	if t.phase == upright {
		return 0
	}
	return t.outlined
}

// fallStep is the step of the fall's integration.
const fallStep = 2 * time.Millisecond

func abs(v float32) float32 { return max(v, -v) }

// drop lets the stick fall for one step: a uniform rod about its lower end, θ″ = 3g/(2l)·sin θ. It reports whether the
// tip lies on the floor.
func (t *Tumble) drop(dt time.Duration) (lies bool) {
	s := &t.stick
	seconds := float32(dt.Seconds())
	s.Turn += seconds * 1.5 * 9.8 / s.Long * float32(math.Sin(float64(s.Lean)))
	s.Lean += seconds * s.Turn
	if abs(s.Lean) < Lying {
		return false
	}
	s.Lean = float32(math.Copysign(Lying, float64(s.Lean)))
	return true
}

// Fall returns the leans of a stick of one metre that falls from a lean at rest, in radians: one each 40 ms, and Lying
// at the end.
func Fall(lean float32) (leans []float32) {
	t := Tumble{stick: envs.Stick{Lean: lean, Long: 1}}
	for at, lies := time.Duration(0), false; !lies; at += fallStep {
		if at%fallImage == 0 {
			leans = append(leans, t.stick.Lean)
		}
		lies = t.drop(fallStep)
	}
	return append(leans, t.stick.Lean)
}

// Play moves the fall on to a time, and reports whether it holds the world.
func (t *Tumble) Play(now time.Duration, calm bool) (holds bool) {
	t.now = now
	if t.phase == falling && t.written > 0 {
		if t.outlined = min(t.written, int((now-t.since)/fallSymbol)); t.outlined == t.written {
			t.phase, t.since = lying, now
		}
	}
	for t.phase == falling && t.written == 0 && t.since < now {
		if t.since >= t.image {
			t.Fan = append(t.Fan, t.stick.Lean)
			t.image += fallImage
		}
		t.since += fallStep
		if t.drop(fallStep) {
			t.phase, t.since = lying, now // from the first picture that shows it
		}
	}
	if t.phase == lying && now-t.since >= lieFor && !t.Stays {
		t.phase, t.since = fading, now
	}
	if t.phase == fading && (calm || now-t.since >= fadeFor) {
		t.phase, t.slow = upright, slowSteps
	}
	return t.phase != upright
}

// Pace is the share of the world's speed after a fall, with the mean return of the last ten episodes.
func (t *Tumble) Pace(ten float64) float32 {
	switch {
	case t.slow > 0:
		return .25
	case t.after && ten < stillStand:
		return .5
	}
	t.after = false
	return 1
}

// Falls reports whether a fall is being played, and Down whether the agent lies on the floor. Lies ends a little
// earlier, for words that must not stand beside an agent that is up again.
func (t *Tumble) Falls() bool { return t.phase != upright }
func (t *Tumble) Down() bool  { return t.phase == lying || t.phase == fading }

func (t *Tumble) Lies() bool { return t.phase == lying }

// Rests reports whether the agent lies and nothing of the fall moves.
func (t *Tumble) Rests() bool { return t.phase == lying && t.Stays && t.now-t.since > soreIn }

// Words is when the agent fell in its episode. A body that never got going fell at once.
func (t *Tumble) Words() string { return FellAfter(int(t.Length)) }

// FellAfter is the step of a fall in words.
func FellAfter(steps int) string {
	if steps <= 1 {
		return "fell at once"
	}
	return "fell after " + strconv.Itoa(steps) + " steps"
}

// Stick is the stick while it falls.
func (t *Tumble) Stick() envs.Stick { return t.stick }

// Lean is the stick's angle while it falls.
func (t *Tumble) Lean() float32 { return t.stick.Lean }

// Fade is how much of the fan is still seen: 1 until the stick is about to be put up.
func (t *Tumble) Fade() float32 {
	if t.phase != fading {
		return 1
	}
	return 1 - min(1, float32(t.now-t.since)/float32(fadeFor))
}

// Sore is how much of the stage's colour shows that the agent lies on the floor.
func (t *Tumble) Sore(calm bool) float32 {
	switch {
	case !t.Down():
		return 0
	case t.phase == fading || calm:
		return 1
	}
	return min(1, float32(t.now-t.since)/float32(soreIn))
}

const soreIn = 120 * time.Millisecond
