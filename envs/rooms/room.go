// Package rooms holds worlds in first person, after DeepMind Lab (Beattie et al., 2016): five small tasks that need the
// same abilities as the five of IMPALA's Table 2. Read room.go first: it has the common parts. A task is a file of its
// own with a map to build and a rule to apply each tick. An action is repeated for several ticks; the agent's steps are
// coarser. The table of worlds takes the tasks from here (entry.go).
package rooms

import (
	"encoding/binary"

	"impalab/envs/world"
)

// Task is the rules of one world.
type Task struct {
	name, title, summary string
	ticks                int // of an episode
	// mean return of the uniform policy with 1 to 8 ticks to a step, measured over 6000 episodes
	random [8]float32
	solved float32 // a script that knows the map gets 1.1 to 2.1 times as much
	theme  func() *roomTheme
	words  bool // whether it gives an instruction
	// build makes the map, the things and the rivals of an episode, all from r, and puts the eye somewhere.
	build func(w *room, r *world.Rand)
	// tick applies the rules after the eye has acted.
	tick func(w *room, r *world.Rand, action int) (reward float32, over bool)
}

const (
	thingLimit = 16
	rivalLimit = 4
	waitLimit  = 256
	trailLimit = 5 // places the eye was at, three steps apart
)

// The kinds of things for the rules.
const (
	markGood uint8 = iota
	markBad
	markGoal
	markKey
	markDoor // follows the key of its colour
	markPad  // lies under water unless the eye rests on it
)

// thing is a thing in a room. Its place follows from the seed; only its presence changes.
type thing struct {
	picture uint8
	mark    uint8
	colour  uint8 // of keys and doors
	x, y    int
	size    int       // of its picture, in cells; 0: it has none
	ink     world.Ink // on the map
}

type room struct {
	spec   *world.Spec
	task   *Task
	lens   *roomLens
	repeat int

	// These follow from the seed.
	roomMap
	seed   uint64
	things [thingLimit]thing
	count  int
	rival  int // how many rivals there are
	words  [roomWords]string

	// This is the state.
	eye    body
	steps  int
	gone   uint32 // a bit for each thing: taken, opened
	rivals [rivalLimit]body
	trail  [trailLimit][2]int // newest first; in 256ths of a cell, (0, 0): none

	frame *roomFrame // scratch
	show  *roomShow  // scratch of Draw, made when it is first asked for
}

func (w *room) Spec() *world.Spec { return w.spec }

// Reset draws a seed; the map and all that is on it follow from that.
func (w *room) Reset(r *world.Rand) {
	w.buildEpisode(r.Uint64())
}

// buildEpisode builds the map and the things of a seed's episode.
func (w *room) buildEpisode(seed uint64) {
	w.seed, w.steps, w.gone, w.count, w.rival = seed, 0, 0, 0, 0
	w.trail, w.words = [trailLimit][2]int{}, [roomWords]string{}
	r := world.NewRand(seed, 0)
	w.task.build(w, &r)
}

// add adds a thing to the world.
func (w *room) add(t thing) {
	w.things[w.count] = t
	w.count++
}

// has reports whether thing i is still there.
func (w *room) has(i int) bool { return w.gone>>i&1 == 0 }

func (w *room) collect(i int) { w.gone |= 1 << i }

// settle makes the map agree with the state: a door that is gone is open, a platform shows while the eye rests.
func (w *room) settle() {
	for i := range w.count {
		t := &w.things[i]
		at := w.at(t.x>>16, t.y>>16)
		switch {
		case t.mark == markDoor && !w.has(i):
			w.solid[at] = cellOpen
		case t.mark == markPad && w.eye.wait > 0:
			w.floor[at] = picturePad
		case t.mark == markPad:
			w.floor[at] = pictureFloor
		}
	}
}

// enter puts the eye into the middle of an open cell at least so far from a place, looking anywhere.
func (w *room) enter(r *world.Rand, x, y, away int) {
	w.eye = w.somewhere(r, x, y, away)
}

func (w *room) somewhere(r *world.Rand, x, y, away int) body {
	b := body{heading: r.IntN(roomTurn/swing) * swing}
	for {
		if b.x, b.y = w.anywhere(r); !b.near(x, y, away) {
			return b
		}
	}
}

func (w *room) Step(r *world.Rand, action int) (out world.Outcome) {
	if uint(action) >= uint(len(roomActions)) {
		panic("envs: the rooms have actions 0 to 8")
	}
	if w.steps%3 == 0 {
		copy(w.trail[1:], w.trail[:])
		w.trail[0] = [2]int{w.eye.x >> 8, w.eye.y >> 8}
	}
	w.steps++
	for range w.repeat {
		w.eye.act(&w.roomMap, action)
		reward, over := w.task.tick(w, r, action)
		out.Reward += reward
		if over {
			out.End = world.Terminated
			return out
		}
	}
	if w.steps >= w.spec.Limit {
		out.End = world.Truncated
	}
	return out
}

// Observe paints the view, [tall, wide, channels], each number a multiple of 1/255.
func (w *room) Observe(obs []float32) {
	l := w.lens
	channels := w.spec.Obs[2]
	obs = obs[:l.wide*l.tall*channels]
	w.render(w.frame)
	if channels == 3 {
		for i, c := range w.frame.texel {
			o := obs[3*i : 3*i+3 : 3*i+3]
			o[0], o[1], o[2] = brightness[c&0xFF], brightness[c>>8&0xFF], brightness[c>>16&0xFF]
		}
		return
	}
	for i, c := range w.frame.texel {
		o := obs[4*i : 4*i+4 : 4*i+4]
		o[0], o[1], o[2] = brightness[c&0xFF], brightness[c>>8&0xFF], brightness[c>>16&0xFF]
	}
	w.write(obs)
}

var brightness = func() (b [256]float32) {
	for i := range b {
		b[i] = float32(i) / 255
	}
	return b
}()

// render paints the eye's view into a frame of any size.
func (w *room) render(f *roomFrame) {
	f.cast(&w.roomMap, w.task.theme(), w.eye.x, w.eye.y, w.eye.heading)
	var seen [thingLimit + rivalLimit]sprite
	n := 0
	for i := range w.count {
		if t := &w.things[i]; t.size > 0 && w.has(i) {
			seen[n] = sprite{t.picture, t.x, t.y, t.size}
			n++
		}
	}
	for i := range w.rival {
		b := &w.rivals[i]
		seen[n] = sprite{thingRival, b.x, b.y, fixOne * 85 / 100}
		if b.wait > 0 {
			seen[n].picture = thingAim
		}
		n++
	}
	f.stand(seen[:n], w.eye.x, w.eye.y, w.eye.heading)
	if w.rival > 0 {
		w.aim(f)
	}
	if pad := &w.things[0]; pad.mark == markPad && w.eye.wait > 0 && w.eye.near(pad.x, pad.y, padReach) {
		f.paintFront(thingPad, 0, 50, 90)
	}
	held := 0
	for i := range w.count {
		if w.hasKey(i) {
			f.paintFront(w.things[i].picture, 48-24*held, 36, 26)
			held++
		}
	}
}

// State is the seed and the changes since.
func (w *room) State(dst []byte) []byte {
	dst = world.Begin(dst, world.One, w.spec)
	dst = binary.LittleEndian.AppendUint64(dst, w.seed)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(w.steps))
	dst = binary.LittleEndian.AppendUint32(dst, w.gone)
	dst = appendBody(dst, &w.eye)
	for i := range w.rival {
		dst = appendBody(dst, &w.rivals[i])
	}
	for _, at := range w.trail {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(at[0]|at[1]<<16))
	}
	return dst
}

func appendBody(dst []byte, b *body) []byte {
	for _, x := range [...]int{b.x, b.y, b.heading, b.wait} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x))
	}
	return dst
}

func (w *room) SetState(src []byte) error {
	b := world.Open(src, world.One, w.spec)
	next := *w // scratch is shared: it holds nothing between calls
	next.buildEpisode(b.Uint64())
	next.steps = b.Below(w.spec.Limit + 1)
	next.gone = uint32(b.Below(1 << next.count))
	next.settle() // doors first: a body may be in one
	next.eye = next.readBody(&b)
	next.settle()
	for i := range next.rival {
		next.rivals[i] = next.readBody(&b)
	}
	for i := range next.trail {
		at := b.Uint32()
		x, y := int(at&0xFFFF), int(at>>16)
		if at != 0 && !next.open(x<<8, y<<8) {
			b.Fail("has a trail where no body can be")
		}
		next.trail[i] = [2]int{x, y}
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = next
	return nil
}

// readBody takes only places where a body fits.
func (w *room) readBody(b *world.Blob) body {
	bounds := w.side << 16
	got := body{b.Below(bounds), b.Below(bounds), b.Below(roomTurn), b.Below(waitLimit)}
	if !w.fits(got.x, got.y) {
		b.Fail("has a body inside a wall")
	}
	return got
}
