package envs

import (
	"fmt"

	"impalab/envs/world"
)

// Every world can be made harder, or easier to see, by options that belong to none of them: frames stacked, actions
// that stick, sensors that fail. Each is a layer around a world; this file puts the layers on and makes a world of them
// again.

// wrapper is one such option. Options are put on in the order of the table, the first next to the world: an action
// passes them from the last to the first, an observation and a reward from the first to the last.
type wrapper struct {
	Option
	put func(b *wrapping, value float64) error // nil: a parameter of another, read with wrapping.value
}

var wrappers = []wrapper{
	{Option{Key: "challenge", Sentence: "The Real-World RL suite's combined challenge: 1 easy, 2 medium, 3 hard. It " +
		"sets the options below; your own values take precedence.", Max: 3, Whole: true}, nil},
	{Option{Key: "perturb", Sentence: "Bodies that differ from episode to episode in masses, friction, motors and " +
		"delay, and are seen with noise: 1 little, 2 more, 3 much. CartPole's pole is 0.3 to 3 times as long; at 1 " +
		"nothing else differs.", Max: 3, Whole: true}, wrapPerturb},
	{Option{Key: "limit", Sentence: "Steps after which an episode is cut, sooner than by its own limit; cut is not " +
		"ended: its return continues from there. 0: its own.", Max: 1e6, Whole: true}, wrapLimit},
	{Option{Key: "sticky", Sentence: "Chance that the last action is repeated in place of the chosen one.", Max: .99},
		wrapSticky},
	{Option{Key: "repeat", Sentence: "Steps for which each action is repeated; their rewards are summed.", Min: 1, Max: 60,
		Usual: 1, Whole: true}, wrapRepeat},
	{Option{Key: "hold", Sentence: "Steps for which an action is held; choices in between are ignored.", Min: 1, Max: 20,
		Usual: 1, Whole: true}, wrapHold},
	{Option{Key: "act-noise", Sentence: "Deviation of Gaussian noise on controls, in half ranges; named actions are " +
		"taken as the ends of a range.", Max: 10}, wrapActNoise},
	{Option{Key: "obs-noise", Sentence: "Deviation of Gaussian noise on every value of an observation.", Max: 10},
		wrapObsNoise},
	{Option{Key: "drop", Sentence: "Chance, for each value and step, that a sensor drops out and shows 0.", Max: 1},
		wrapDrop},
	{Option{Key: "drop-steps", Sentence: "Steps for which a sensor is out.", Min: 1, Max: 100, Usual: 1, Whole: true},
		nil},
	{Option{Key: "stuck", Sentence: "Chance, for each value and step, that a sensor sticks at its last value.", Max: 1},
		wrapStuck},
	{Option{Key: "stuck-steps", Sentence: "Steps for which a sensor is stuck.", Min: 1, Max: 100, Usual: 1, Whole: true},
		nil},
	{Option{Key: "act-delay", Sentence: "Steps between choosing an action and taking it; until then the first action is " +
		"taken.", Max: 100, Whole: true}, wrapActDelay},
	{Option{Key: "obs-delay", Sentence: "Steps by which observations are late; until then the agent sees the first " +
		"observation.", Max: 100, Whole: true}, wrapObsDelay},
	{Option{Key: "reward-delay", Sentence: "Steps by which rewards are late; the rest is paid when the episode stops.",
		Max: 100, Whole: true}, wrapRewardDelay},
	{Option{Key: "extra", Sentence: "Values of pure noise behind each observation, which then is flat.", Max: 1000,
		Whole: true}, wrapExtra},
	{Option{Key: "normalise", Sentence: "1: each value less its mean, over its deviation, as far as this copy has seen " +
		"them.", Max: 1, Whole: true}, wrapNormalise},
	{Option{Key: "stack", Sentence: "Observations shown at once, the newest last.", Min: 1, Max: 16, Usual: 1,
		Whole: true}, wrapStack},
}

// WrapperOptions are the options that every world has.
func WrapperOptions() []Option {
	options := make([]Option, len(wrappers))
	for i := range wrappers {
		options[i] = wrappers[i].Option
	}
	return options
}

// layer is a world, or a layer around a layer. By embedding it leaves everything that it does not change to the layer
// within.
type layer interface {
	reset(r *Rand)
	act(r *Rand, m move) Outcome
	observe(obs []float32)
	state(dst []byte) []byte
	restore(b *world.Blob)
	lasting() bool // some of the state outlives episodes
}

// move is an agent's action: its index, or with controls their numbers, within their ranges.
type move struct {
	action   int
	controls []float32
}

// core is the innermost layer: the world itself.
type core struct {
	World
	driven Driven // nil where it is not
}

func (c *core) reset(r *Rand)         { c.Reset(r) }
func (c *core) observe(obs []float32) { c.Observe(obs) }
func (c *core) lasting() bool         { return false }

func (c *core) act(r *Rand, m move) Outcome {
	if c.driven != nil {
		return c.driven.Drive(r, m.controls)
	}
	return c.Step(r, m.action)
}

func (c *core) state(dst []byte) []byte {
	return appendBlob(dst, c.State)
}

func (c *core) restore(b *world.Blob) {
	one := b.Next(int(b.Uint32()))
	if b.Err == nil {
		b.Err = c.SetState(one)
	}
}

// wrapping is a world in the making: the spec as it looks from outside so far, and how to make the layers.
type wrapping struct {
	spec   Spec
	bare   *Entry
	values func(key string) float64
	layers []func(inner layer, w World) layer
}

func (b *wrapping) add(put func(inner layer) layer) {
	b.layers = append(b.layers, func(inner layer, _ World) layer { return put(inner) })
}

// flatten adds space for more values behind an observation.
func (b *wrapping) flatten(more int) { b.spec.Obs = []int{b.spec.Size() + more} }

// maxWrapped bounds a wrapped world's state, in bytes: a frame to the browser carries one.
const maxWrapped = 192 << 10

// wrap puts the options' layers around a world; values are in the order of the wrappers.
func (e *Entry) wrap(name, words string, values func(key string) float64) (*Entry, error) {
	b := &wrapping{spec: *e.Spec, bare: e, values: values}
	for i := range wrappers {
		w := &wrappers[i]
		if v := values(w.Key); w.put != nil && v != w.Usual {
			if err := w.put(b, v); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	spec := &b.spec
	spec.Name = name
	spec.Summary += " Here with " + words + "."
	entry := &Entry{Spec: spec, Bare: e.Spec, New: func() World { return b.fresh().world() }}

	w, r := entry.New(), NewRand(0, 0)
	w.Reset(&r)
	if n := len(w.State(nil)); n > maxWrapped {
		return nil, fmt.Errorf("%s: its state has %d bytes, at most %d can travel: stack or delay less", name, n,
			maxWrapped)
	}
	return entry, nil
}

// fresh makes one copy, layer by layer.
func (b *wrapping) fresh() *wrapped {
	w := b.bare.New()
	driven, _ := w.(Driven)
	var top layer = &core{w, driven}
	for _, put := range b.layers {
		top = put(top, w)
	}
	return &wrapped{from: b, bare: w, top: top, controls: make([]float32, len(b.spec.Controls))}
}

// wrapped is a world again, seen from outside.
type wrapped struct {
	from     *wrapping
	bare     World
	top      layer
	controls []float32 // space for the clipped controls of a step
}

// wrappedDriven is one with controls.
type wrappedDriven struct{ *wrapped }

func (w *wrapped) world() World {
	if len(w.controls) > 0 {
		return wrappedDriven{w}
	}
	return w
}

func (w *wrapped) Spec() *Spec           { return &w.from.spec }
func (w *wrapped) Reset(r *Rand)         { w.top.reset(r) }
func (w *wrapped) Observe(obs []float32) { w.top.observe(obs[:w.from.spec.Size()]) }
func (w *wrapped) Draw(c Canvas)         { w.bare.Draw(c) }

// Within returns the world that the layers are around.
func (w *wrapped) Within() World { return w.bare }

// Lasting says whether some of the state outlives episodes, so that a reset is not the same as a new copy.
func (w *wrapped) Lasting() bool { return w.top.lasting() }

func (w *wrapped) Step(r *Rand, action int) Outcome {
	if uint(action) >= uint(len(w.from.spec.Actions)) {
		panic("envs: action out of range of a wrapped world")
	}
	if len(w.controls) > 0 {
		return w.top.act(r, move{controls: w.from.spec.Settings[action]})
	}
	return w.top.act(r, move{action: action})
}

// Drive clips the controls before the layers see them, so layers store values within the ranges.
func (w wrappedDriven) Drive(r *Rand, controls []float32) Outcome {
	if len(controls) != len(w.controls) {
		panic("envs: Drive needs one number for each control")
	}
	for i := range controls {
		w.controls[i] = float32(w.from.spec.Controls[i].Clip(controls[i]))
	}
	return w.top.act(r, move{controls: w.controls})
}

func (w *wrapped) State(dst []byte) []byte {
	return w.top.state(world.Begin(dst, world.One, w.Spec()))
}

func (w *wrapped) SetState(src []byte) error {
	b := world.Open(src, world.One, w.Spec())
	next := w.from.fresh()
	if b.Err == nil {
		next.top.restore(&b)
	}
	if err := b.Close(); err != nil {
		return err
	}
	*w = *next
	return nil
}
