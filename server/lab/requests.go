package lab

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/web/wire"
)

// request is one thing a browser asks of a run, on its way to the learner. It is evaluated twice: on arrival, so that an
// impossible one is refused at once, and when its turn comes, because earlier requests may have changed the settings
// in force.
type request struct {
	owner  uint64
	intent uint32
	key    string // a setting…
	value  string
	verb   uint8 // …or a verb
}

// plan is what a request leads to.
type plan struct {
	cfg     hyper.Config
	preset  string
	restart bool // the run starts again with cfg; otherwise it goes on
}

// evaluate works out what req would lead to now, or why it is impossible. A hot setting changes while the run goes on;
// a cold one, or another preset, restarts the run with the same seed.
func (r *Run) evaluate(req request) (o plan, err error) {
	r.mu.Lock()
	o.cfg, o.preset = r.cfg, r.preset
	r.mu.Unlock()
	switch {
	case req.key == "world" && plainWorld(req.value) == plainWorld(o.cfg.World): // the same with other options: all else stays
		if err := o.cfg.Set(req.key, req.value); err != nil {
			return o, err
		}
		o.restart = true
	case req.key == "preset" || req.key == "world":
		cfg, preset, _, err := hyper.FromSettings([]hyper.Setting{{Key: req.key, Value: req.value}})
		if err != nil {
			return o, err
		}
		cfg.Seed, cfg.Speed = o.cfg.Seed, o.cfg.Speed
		unlimited(&cfg)
		o = plan{cfg, preset, true}
	case req.key != "":
		row, err := hyper.Lookup(req.key)
		if err != nil {
			return o, err
		}
		if err := o.cfg.Set(req.key, req.value); err != nil {
			return o, err
		}
		o.restart = !row.Hot
	case req.verb == wire.VerbAgain:
		o.restart = true
	case req.verb == wire.VerbReseed:
		o.restart = true
		o.cfg.Seed = uint64(rand.Uint32N(1_000_000)) // the one draw that no seed decides: it makes the seed
	case req.verb == wire.VerbPlay, req.verb == wire.VerbPause, req.verb == wire.VerbStep:
	default:
		return o, fmt.Errorf("verb %d is unknown; known are play, pause, step, again and reseed", req.verb)
	}
	return o, r.lab.admit(&o.cfg)
}

// plainWorld is a world's name without its options.
func plainWorld(world string) string {
	name, _, _ := strings.Cut(world, ":")
	return name
}

// maxWork is what one update may ask for, in floating-point operations: about a second on two cores. A run answers
// its people, and ends, between two updates only.
const maxWork = 5e10

// admit refuses a configuration that is invalid, or that needs more than a run may use here.
func (l *Lab) admit(cfg *hyper.Config) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	cost, err := learner.CostOf(cfg)
	switch {
	case err != nil:
		return err
	case cost.Bytes > float64(l.opts.RunMemory):
		return fmt.Errorf("this run would take %s of memory, most of it for %s; a run may take %s here: make one of these smaller",
			formatBytes(cost.Bytes), cost.Largest, formatBytes(float64(l.opts.RunMemory)))
	case cost.Work > maxWork:
		return fmt.Errorf("one update would take %.2g operations with %s; it may take %.2g here, so that the run still answers: make one of these smaller",
			cost.Work, cost.Working, maxWork)
	}
	return nil
}

// topicBytes is what a run takes beside its learner: the past of its page, and what is sent.
const topicBytes = 4e6

// bytes is what a run of cfg, which was admitted, takes by estimate.
func (l *Lab) bytes(cfg *hyper.Config) float64 {
	cost, err := learner.CostOf(cfg)
	if err != nil {
		return topicBytes
	}
	return cost.Bytes + topicBytes
}

// formatBytes is a size for people.
func formatBytes(n float64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.3g GB", n/1e9)
	}
	return fmt.Sprintf("%.3g MB", n/1e6)
}

// maxRequests bounds the requests that wait for the learner, from all browsers together. No person gets near it.
const maxRequests = 256

// Set asks for a setting.
func (r *Run) Set(owner uint64, intent uint32, key, value string) error {
	return r.enqueue(request{owner: owner, intent: intent, key: key, value: value})
}

// Do asks for something other than a setting.
func (r *Run) Do(owner uint64, intent uint32, verb uint8) error {
	return r.enqueue(request{owner: owner, intent: intent, verb: verb})
}

// enqueue refuses an impossible request at once and queues any other for the learner.
func (r *Run) enqueue(req request) error {
	if _, err := r.evaluate(req); err != nil {
		return err
	}
	r.mu.Lock()
	full := len(r.requests) >= maxRequests
	if !full {
		r.requests = append(r.requests, req)
	}
	r.mu.Unlock()
	if full {
		return fmt.Errorf("%d requests are already waiting for this run; try again in a moment", maxRequests)
	}
	r.signal()
	return nil
}

// nextRequest takes the oldest request; the others wait for their turn, across a restart too.
func (r *Run) nextRequest() (req request, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.requests) == 0 {
		return req, false
	}
	req = r.requests[0]
	r.requests = r.requests[1:]
	return req, true
}

// refuse tells the browser that sent req, and no other, why it changed nothing. A page that reads nothing misses it.
func (r *Run) refuse(req request, reason error) {
	r.topic.Tell(req.owner, &wire.Refused{Intent: req.intent, Key: req.key, Reason: reason.Error()})
}

// apply puts a hot setting in force and publishes the change.
func (r *Run) apply(req request, o plan, step, update uint64) {
	r.mu.Lock()
	from := r.cfg.Get(req.key)
	r.cfg = o.cfg
	r.mu.Unlock()
	r.topic.Publish(&wire.Changed{
		Intent: req.intent, Step: step, Update: update, Key: req.key, From: from, To: o.cfg.Get(req.key),
	}, req.owner)
}
