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

// Watch plays one more copy of the world for people to look at, with the policy that the actors have, at a rate the eye
// can follow, and sends its parameters to pages that play the world themselves. It has its own goroutine and takes
// copies of the parameters between two updates: the learner never waits for it. Of a suite it plays an episode of each
// task in turn.
type Watch struct {
	topic  *hub.Topic
	kept   Kept
	cores  *schedule.Share
	player *play.Player
	tasks  int    // of a suite; else 1
	gauge  *gauge // nil unless the world is finite
	ruler  *ruler

	broke func(error)   // is told why it cannot go on, if it cannot
	stop  chan struct{} // nil once closed
	gone  sync.WaitGroup

	guard  sync.Mutex
	latest Policies // the newest copy of the learner's policies
	fresh  bool     // the watch has not taken it yet
	wanted bool     // the watch would like newer
	paused bool
	once   bool // one step although paused
}

// Policies is a copy of what acts and what learns, with the settings they learn under.
type Policies struct {
	play.Policies
	Config hyper.Config
	Update uint64 // that made the target
	Step   uint64 // of the run, then
}

// NewWatch begins to play what a learner has, on cores (nil: as many as there are). When it cannot go on it says so to
// broke, once, on its own goroutine.
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
		broke: broke, stop: make(chan struct{}), wanted: true,
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

// Close ends the watch. Closing again does nothing.
func (w *Watch) Close() {
	if w.stop != nil {
		close(w.stop)
		w.gone.Wait()
		w.stop = nil
	}
}

// Finish sends the final parameters of a run that is over, so that pages may go on playing.
func (w *Watch) Finish(l *learner.Learner) {
	w.Close()
	w.copyFrom(l)
	offerWeights(&w.latest, w.topic)
}

// Offer hands over newer parameters if the watch would like some. It is called between two updates. After the update
// of a run that steps by hand, stepped lets the world take one step too, with what that update made.
func (w *Watch) Offer(l *learner.Learner, paused, stepped bool) {
	w.guard.Lock()
	wanted := w.wanted
	w.paused = paused
	w.guard.Unlock()
	if wanted || stepped || paused { // what a pause leaves standing is the newest
		w.copyFrom(l)
	}
	if stepped {
		w.guard.Lock()
		w.once = true
		w.guard.Unlock()
	}
}

// copyFrom copies the parameters. The watch changes places with the copy and never holds the guard for longer, so the
// learner does not wait.
func (w *Watch) copyFrom(l *learner.Learner) {
	w.guard.Lock()
	defer w.guard.Unlock()
	w.latest.CopyFrom(l, w.tasks)
	w.fresh, w.wanted = true, false
}

// CopyFrom copies what a learner of so many tasks has now.
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

// viewing is what the goroutine of a watch has to itself.
type viewing struct {
	own    Policies
	sent   sentWeights
	shown  bool   // once at least
	solved uint64 // the update that the gauge has shown, and one; 0: none
}

// play steps the watched world until stop, or until the policy is such that nothing can act with it.
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

// present shows what is wanted of one step. It computes on a core: ticks that come while it waits for one are left out.
func (w *Watch) present(v *viewing, once, still bool) error {
	w.cores.Hold()
	defer w.cores.Release()
	frames, weights := w.topic.Wanted()
	if weights > 0 && v.sent.due(&v.own, once) {
		offerWeights(&v.own, w.topic)
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

// pace is the time between two steps of the world that comes next.
func (w *Watch) pace() time.Duration {
	return time.Duration(float64(time.Second) / float64(w.player.Rate()))
}
