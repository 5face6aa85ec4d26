package watch

import (
	"fmt"
	"sync"
	"time"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/stream"
	"impalab/web/hub"
	"impalab/web/play"
	"impalab/web/wire"
)

// Watch plays a copy of the world with the acting policy, at a speed for people. It also sends the parameters to pages
// that play the world themselves. It has a goroutine and copies the parameters between two updates, so the learner
// never waits. Of a suite it plays an episode of each task in turn.
type Watch struct {
	topic  *hub.Topic
	kept   Kept
	cores  *schedule.Share
	player *play.Player
	tasks  int    // tasks of a suite; else 1
	gauge  *gauge // nil if the world is not finite
	ruler  *ruler
	scale  *scale

	broke func(error)   // is called with the error that stopped the watch
	stop  chan struct{} // nil once closed
	gone  sync.WaitGroup

	guard  sync.Mutex
	latest Policies // the newest copy of the learner's policies
	fresh  bool     // latest is new to the watch
	wanted bool     // the watch wants a newer copy
	belt   belt
	paused bool
	once   bool // take one step although paused
}

// Policies has copies of the acting and the learning policy, with their settings.
type Policies struct {
	play.Policies
	Config hyper.Config
	Update uint64 // the update that made the target
	Step   uint64 // step of the run at that update
	belt   belt
}

// NewWatch starts a watch of a learner, on cores (nil: all). If it has to stop, it calls broke once, on its own
// goroutine.
func NewWatch(topic *hub.Topic, kept Kept, cores *schedule.Share, l *learner.Learner,
	broke func(error)) (*Watch, error) {
	cfg := l.Config()
	spec := l.Machine().Spec
	player, err := play.NewPlayer(cfg.World, spec, envs.NewRand(cfg.Seed, stream.Watch))
	if err != nil {
		return nil, err
	}
	ruler, err := newRuler(cfg, l)
	if err != nil {
		return nil, err
	}
	w := &Watch{
		topic: topic, kept: kept, cores: cores, player: player, tasks: player.Tasks(), ruler: ruler,
		scale: newScale(spec, player.World()), broke: broke, stop: make(chan struct{}), wanted: true,
	}
	w.gauge = gaugeFor(player, spec)
	w.copyFrom(l)
	stop := w.stop
	w.gone.Go(func() { // ends with Close
		if err := schedule.Catch(func() error { return w.play(stop) }); err != nil {
			w.broke(err)
		}
	})
	return w, nil
}

// Close ends the watch. It may be called again.
func (w *Watch) Close() {
	if w.stop != nil {
		close(w.stop)
		w.gone.Wait()
		w.stop = nil
	}
}

// Finish sends the final parameters of a run that has ended, so that pages can play on.
func (w *Watch) Finish(l *learner.Learner) {
	w.Close()
	w.copyFrom(l)
	offerWeights(&w.latest, w.topic)
}

// Offer copies newer parameters if the watch wants some. The caller is between two updates. stepped lets the world take
// one step with them.
func (w *Watch) Offer(l *learner.Learner, paused, stepped bool) {
	w.guard.Lock()
	w.belt.add(l)
	wanted := w.wanted
	w.paused = paused
	w.guard.Unlock()
	if wanted || stepped || paused { // after a pause no newer ones follow
		w.copyFrom(l)
	}
	if stepped {
		w.guard.Lock()
		w.once = true
		w.guard.Unlock()
	}
}

// copyFrom copies the parameters. The watch exchanges its copy with this one, so the learner does not wait.
func (w *Watch) copyFrom(l *learner.Learner) {
	w.guard.Lock()
	defer w.guard.Unlock()
	w.latest.CopyFrom(l, w.tasks)
	w.latest.belt.copyFrom(&w.belt)
	w.fresh, w.wanted = true, false
}

// CopyFrom copies the policies of a learner with the given number of tasks.
func (p *Policies) CopyFrom(l *learner.Learner, tasks int) {
	behaviour, _ := l.Behaviour()
	p.Behaviour = append(p.Behaviour[:0], behaviour...)
	p.Target = append(p.Target[:0], l.Machine().Theta...)
	p.Shift, p.Scale = p.Shift[:0], p.Scale[:0]
	for k := range tasks {
		shift := l.Machine().RealValue(0, k)
		p.Shift, p.Scale = append(p.Shift, shift), append(p.Scale, l.Machine().RealValue(1, k)-shift)
	}
	p.Config, p.Update, p.Step = *l.Config(), l.Updates(), l.Steps()
}

// viewing is the state of a watch's goroutine.
type viewing struct {
	own    Policies
	sent   sentWeights
	shown  bool   // at least one frame was shown
	solved uint64 // the update of the last gauge, plus one; 0: none
}

// play steps the watched world until stop, or until the policy is not finite.
func (w *Watch) play(stop chan struct{}) error {
	pace := w.pace()
	tick := time.NewTicker(pace)
	defer tick.Stop()
	var v viewing
	for {
		select {
		case <-tick.C:
		case <-stop:
			return nil
		}
		watched := w.topic.Subscribers() > 0
		w.guard.Lock()
		once, still := w.once, w.paused && !w.once
		if watched && w.fresh {
			v.own, w.latest = w.latest, v.own
			w.fresh = false
		}
		w.once, w.wanted = false, watched
		w.guard.Unlock()
		if !watched {
			continue
		}
		if err := w.present(&v, once, still); err != nil {
			return err
		}
		if next := w.pace(); next != pace { // of the next task
			pace = next
			tick.Reset(pace)
		}
	}
}

// present shows one step. It waits for a core, and skips the ticks meanwhile.
func (w *Watch) present(v *viewing, once, still bool) error {
	w.cores.Acquire()
	defer w.cores.Release()
	frames, weights := w.topic.Wanted()
	if weights > 0 && v.sent.due(&v.own, once) {
		offerWeights(&v.own, w.topic)
	}
	if frames+weights > 0 && len(v.own.belt.past) > 0 && w.scale.due(time.Now()) {
		w.topic.Offer(w.scale.weigh(&v.own.belt, v.own.Behaviour))
	}
	if frames > 0 && !(still && v.shown) {
		f, err := w.player.Step(&v.own.Policies, &v.own.Config)
		if err != nil {
			return fmt.Errorf("update %d, step %d: in the copy of the world that is shown, %w", v.own.Update, v.own.Step, err)
		}
		w.topic.Offer(f)
		v.shown = true
	}
	if w.gauge != nil && !(still && v.solved == v.own.Update+1) && w.gauge.refresh(&v.own, w.topic) {
		v.solved = v.own.Update + 1
	}
	return w.ruler.refresh(&v.own, func(j *wire.Judged) {
		if w.kept.Judge(j) {
			w.topic.Publish(j, 0)
		}
	})
}

// pace returns the time between two steps of the next world.
func (w *Watch) pace() time.Duration {
	return time.Duration(float64(time.Second) / float64(w.player.Rate()))
}
