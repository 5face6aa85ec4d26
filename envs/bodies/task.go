package bodies

import "impalab/envs/world"

// Task is a body with a goal and a reward, in a file of its own. The worlds of bodies differ in nothing else.
type Task struct {
	name, title, source string
	summary             func(speed float64) string
	plan                plan
	substeps            int // steps of the mechanics for one control
	limit               int // control steps of an episode
	pose                func(w *creature, r *world.Rand)
	reward              func(w *creature) float64
	fallen              func(w *creature) bool
	moves               []move
	speed, fall         float64    // usual values of the options
	figures             []figure   // returns as measured
	view                [2]float32 // m
	head                vec        // in the root's frame

	body *body
}

// ready builds the task's body.
func ready(t *Task) *Task {
	b, err := build(&t.plan)
	if err != nil {
		panic(err.Error())
	}
	t.body = b
	return t
}

// move is a named action, for keys: the controls of some motors, the others at 0.
type move struct {
	name     string
	controls map[string]float32
}

// figure is the mean return of the uniform policy with some options, and a return that counts as solved. The solved
// return of a task's first figure is measured: at least six of eight fresh seeds of V-MPO's preset end above it
// (RESULTS.md). The others are estimates.
type figure struct {
	speed, fall    float64
	random, solved float32
}

// options are the values of a world's options.
type options struct {
	speed   float64
	fall    bool
	terrain int
}

// Options are the options of the task.
func (t *Task) Options() []world.Option {
	return []world.Option{
		{Key: "speed", Sentence: "Metres per second asked for; 0: stand still.", Max: 20, Usual: t.speed},
		{Key: "fall", Sentence: "1: a fall ends the episode; 0: it continues.", Max: 1, Usual: t.fall, Whole: true},
		{Key: "terrain", Sentence: "The ground: 0 flat, 1 with gaps, 2 hills; other ones in each episode. The agent sees " +
			"its height around the body.", Max: hills, Whole: true},
	}
}

// Sized returns the task's world with its options, in the order of Options: its spec, and a function that makes a
// copy.
func (t *Task) Sized(values []float64) (spec *world.Spec, fresh func() world.World) {
	o := options{speed: values[0], fall: values[1] == 1, terrain: int(values[2])}
	b := t.body
	f := t.figures[0]
	for _, at := range t.figures {
		if at.speed == values[0] && at.fall == values[1] {
			f = at
		}
	}
	spec = &world.Spec{
		Name: t.name, Title: t.title, Summary: t.summary(o.speed), Source: t.source,
		Obs:   []int{t.observed(o)},
		Limit: t.limit, Random: f.random, Solved: f.solved,
		View: t.view, Rate: float32(1 / (b.h * float64(t.substeps))),
		Ahead: world.Ahead{Value: b.n + 2, Unit: speedUnit},
	}
	place := map[string]int{}
	for i, l := range b.motors[:b.driven] {
		name := t.plan.links[l].name
		place[name] = i
		spec.Controls = append(spec.Controls, world.Control{Name: name, Low: -1, High: 1})
	}
	for _, m := range t.moves {
		setting := make([]float32, b.driven)
		for name, x := range m.controls {
			i, known := place[name]
			if !known {
				panic("bodies: " + t.name + " has no motor " + name)
			}
			setting[i] = x
		}
		spec.Actions = append(spec.Actions, m.name)
		spec.Settings = append(spec.Settings, setting)
	}
	return spec, func() world.World {
		return &creature{spec: spec, task: t, options: o, body: b}
	}
}

// above is the tolerance of the DeepMind Control Suite (utils/rewards.py) without an upper bound: 1 from low on, and
// below it a Gaussian that is .1 a margin away.
func above(x, low, margin float64) float64 {
	d := max(low-x, 0) / margin
	return exp2(float64(-log10 * float64(d*d)))
}

const log10 = 3.321928094887362 // log₂ 10: exp2(−log10·1) is .1

// linear is that tolerance with a straight flank: it has the given value at a margin below low, and falls to 0.
func linear(x, low, margin, value float64) float64 {
	d := max(low-x, 0) / margin
	return max(1-float64(d*(1-value)), 0)
}

// forward is the share of the walker's and the humanoid's reward for moving: (5·tolerance + 1)/6.
func forward(tolerance float64) float64 { return (float64(5*tolerance) + 1) / 6 }

// effortless is the share for small controls: (4 + mean of 1 − u², at least 0)/5.
func (w *creature) effortless() float64 {
	n, sum := w.body.driven, 0.0
	for _, u := range w.shown[:n] {
		sum += 1 - float64(float64(u)*float64(u))
	}
	return (4 + sum/float64(n)) / 5
}

// forward returns the forward velocity of the centre of mass.
func (w *creature) forward() float64 {
	vx, _ := w.body.speed(&w.m, &w.fs)
	return vx
}

// tall returns the height of the root above the ground under it.
func (w *creature) tall() float64 {
	ground, _ := w.land.height(w.m.x)
	return w.m.z - ground
}
