package lab

import (
	"sync"
	"time"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/server/hub"
	"impalab/web/wire"
)

// watch plays one more copy of the world for people to look at, with the policy that the actors have, at a rate
// the eye can follow. It has its own goroutine and takes copies of the parameters between two updates: the
// learner never waits for it. Of a suite it plays an episode of each task in turn.
type watch struct {
	topic   *hub.Topic
	world   envs.World
	worlds  []envs.World // of a suite's tasks; world is the one in play
	task    int
	chance  envs.Rand
	pi, mu  *net.Forward
	spec    net.Spec
	actions int
	input   []float32 // what the networks see: the observation, and what was done last where they are shown it
	piCore  []float32 // what each remembers of this episode
	muCore  []float32
	gauge   *gauge // nil unless the world is finite

	stop chan struct{}
	gone sync.WaitGroup

	guard  sync.Mutex
	given  policies // what the learner last gave
	fresh  bool     // the watch has not taken it yet
	wanted bool     // the watch would like newer
	paused bool
	once   bool // one step although paused
}

// policies is a copy of what acts and what learns, with the settings they learn under.
type policies struct {
	behaviour, target []float32 // parameters
	scale, shift      []float32 // [tasks] of the value head's number
	cfg               hyper.Config
}

// stream of the run's seed for the watched copy.
const streamWatch = 1 << 22

func newWatch(r *Run, l *learner.Learner) (*watch, error) {
	cfg := l.Config()
	_, tasks, err := envs.Describe(cfg.World)
	if err != nil {
		return nil, err
	}
	var worlds []envs.World
	for _, t := range tasks {
		world, err := envs.New(t.World)
		if err != nil {
			return nil, err
		}
		worlds = append(worlds, world)
	}
	world := worlds[0]
	spec := l.Machine().Spec
	w := &watch{
		topic: r.topic, world: world, worlds: worlds, chance: envs.NewRand(cfg.Seed, streamWatch),
		pi: net.NewForward(spec, 1), mu: net.NewForward(spec, 1), spec: spec, actions: spec.Actions,
		input: make([]float32, spec.Inputs()), piCore: make([]float32, spec.States()), muCore: make([]float32, spec.States()),
		stop: make(chan struct{}), wanted: true,
	}
	memory := spec.States() > 0 || spec.Feedback > 0 // then a state alone has no value
	if finite, ok := world.(envs.Finite); ok && len(worlds) == 1 && !memory && finite.MDP().States <= gaugeStates {
		w.gauge = newGauge(finite, spec)
	}
	world.Reset(&w.chance)
	w.take(l)
	w.gone.Add(1)
	go w.play() // ends with close
	return w, nil
}

func (w *watch) close() {
	close(w.stop)
	w.gone.Wait()
}

// offer hands over newer parameters if the watch would like some. It is called between two updates. After the update
// of a run that steps by hand, stepped lets the world take one step too, with what that update made.
func (w *watch) offer(l *learner.Learner, paused, stepped bool) {
	w.guard.Lock()
	wanted := w.wanted
	w.paused = paused
	w.guard.Unlock()
	if wanted || stepped {
		w.take(l)
	}
	if stepped {
		w.guard.Lock()
		w.once = true
		w.guard.Unlock()
	}
}

// take copies the parameters. The watch changes places with the copy and never holds the guard for longer, so the
// learner does not wait.
func (w *watch) take(l *learner.Learner) {
	w.guard.Lock()
	defer w.guard.Unlock()
	behaviour, _ := l.Behaviour()
	w.given.behaviour = append(w.given.behaviour[:0], behaviour...)
	w.given.target = append(w.given.target[:0], l.Machine().Theta...)
	w.given.shift, w.given.scale = w.given.shift[:0], w.given.scale[:0]
	for k := range w.worlds {
		shift := l.Machine().RealValue(0, k)
		w.given.shift, w.given.scale = append(w.given.shift, shift), append(w.given.scale, l.Machine().RealValue(1, k)-shift)
	}
	w.given.cfg = *l.Config()
	w.fresh, w.wanted = true, false
}

// play steps the watched world until close.
func (w *watch) play() {
	defer w.gone.Done()
	tick := time.NewTicker(w.pace())
	defer tick.Stop()
	var own policies // of this goroutine alone
	frame := wire.Frame{World: w.world.Spec().Name}
	for {
		select {
		case <-tick.C:
		case <-w.stop:
			return
		}
		watched := w.topic.Subscribers() > 0
		w.guard.Lock()
		still := !watched || w.paused && !w.once && frame.Number > 0
		if !still && w.fresh {
			own, w.given = w.given, own
			w.fresh = false
		}
		w.once, w.wanted = false, watched
		w.guard.Unlock()
		if still {
			continue
		}
		w.step(&own, &frame)
		if len(w.worlds) > 1 && frame.End != uint8(envs.Running) {
			tick.Reset(w.pace()) // the next task's
		}
		if w.gauge != nil {
			w.gauge.refresh(&own, w.topic)
		}
	}
}

// pace is the time between two steps of the world that comes next.
func (w *watch) pace() time.Duration {
	return time.Duration(float64(time.Second) / float64(w.worlds[w.task].Spec().Rate))
}

// step plays one step and shows it.
func (w *watch) step(p *policies, f *wire.Frame) {
	if f.End != uint8(envs.Running) {
		w.world = w.worlds[w.task]
		w.world.Reset(&w.chance)
		f.World = w.world.Spec().Name
		f.Return, f.Length = 0, 0
		clear(w.input)
		clear(w.piCore)
		clear(w.muCore)
	}
	w.world.Observe(w.input[:w.world.Spec().Size()]) // what a suite has beyond that is 0
	outcome, value := w.act(p, f)
	f.Number++
	f.Reward, f.End = outcome.Reward, uint8(outcome.End)
	f.Return += outcome.Reward
	f.Length++
	f.Value = (p.scale[w.task]*value + p.shift[w.task]) / float32(p.cfg.RewardScale) // in the world's own rewards
	if f.End != uint8(envs.Running) {
		w.task = (w.task + 1) % len(w.worlds)
	}
	f.Rho, f.C = weights(&p.cfg, f.Ratio)
	f.State = w.world.State(nil)
	shown := *f
	w.topic.Offer(&shown)
}

// exactError is the error of the values against V^π, on a finite world.
func (w *watch) exactError() (e float32, finite bool) {
	if w.gauge == nil {
		return 0, false
	}
	return w.gauge.error(), true
}
