package lab

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/wire"
)

// request is one thing a browser asks of a run, on its way to the learner. What it says is read on arrival, so that
// nonsense is refused at once; what it leads to is worked out when its turn comes, because earlier requests may have
// changed the settings in force.
type request struct {
	owner  uint64
	intent uint32
	change hyper.Change // a setting…
	preset string       // …or a preset…
	verb   uint8        // …or a verb
}

// key is that of the setting it is about; "" for a verb.
func (req *request) key() string {
	if req.preset != "" {
		return "preset"
	}
	return req.change.Key()
}

// goesOn reports whether it is a setting that changes while the run goes on.
func (req *request) goesOn() bool { return req.change.Key() != "" && req.change.Hot() }

// plan is what a restarted run begins with.
type plan struct {
	cfg    hyper.Config
	preset string
}

// planned works out what the run would begin anew with, or why it cannot; nil: req asks for no restart. A cold setting,
// or another preset, restarts the run with the same seed.
func (r *Run) planned(req request) (*plan, error) {
	r.mu.Lock()
	o := &plan{r.cfg, r.preset}
	r.mu.Unlock()
	world := ""
	if req.change.Key() == "world" {
		if world = req.change.Value(); plainWorld(world) == plainWorld(o.cfg.World) {
			world = "" // the same with other options: all else stays
		}
	}
	switch {
	case req.preset != "" || world != "":
		setting := hyper.Setting{Key: "preset", Value: req.preset}
		if world != "" {
			setting = hyper.Setting{Key: "world", Value: world}
		}
		cfg, preset, _, err := hyper.FromSettings([]hyper.Setting{setting})
		if err != nil {
			return nil, err
		}
		cfg.Seed, cfg.Speed = o.cfg.Seed, o.cfg.Speed
		unlimited(&cfg)
		o.cfg, o.preset = cfg, preset
	case req.goesOn():
		return nil, nil
	case req.change.Key() != "":
		req.change.Apply(&o.cfg)
	case req.verb == wire.VerbAgain:
	case req.verb == wire.VerbReseed:
		o.cfg.Seed = uint64(rand.Uint32N(1_000_000)) // the one draw that no seed decides: it makes the seed
	default:
		return nil, nil
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
	return l.afford(cfg)
}

// afford refuses a configuration that needs more than a run may use here.
func (l *Lab) afford(cfg *hyper.Config) error {
	cost, err := learner.CostOf(cfg)
	switch {
	case err != nil:
		return err
	case cost.Bytes > float64(l.opts.RunMemory):
		return fmt.Errorf("this run would take %s of memory, most of it for %s; a run may take %s here: "+
			"make one of these smaller",
			formatBytes(cost.Bytes), cost.Largest, formatBytes(float64(l.opts.RunMemory)))
	case cost.Work > maxWork:
		return fmt.Errorf("one update would take %.2g operations with %s; it may take %.2g here, so that the run still "+
			"answers: make one of these smaller",
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
	req := request{owner: owner, intent: intent}
	var err error
	if key == "preset" {
		req.preset = value
		_, err = hyper.FromPreset(value)
	} else {
		req.change, err = hyper.ParseChange(key, value)
	}
	if err != nil {
		return err
	}
	return r.enqueue(req)
}

// Do asks for something other than a setting.
func (r *Run) Do(owner uint64, intent uint32, verb uint8) error {
	switch verb {
	case wire.VerbPlay, wire.VerbPause, wire.VerbStep, wire.VerbAgain, wire.VerbReseed:
		return r.enqueue(request{owner: owner, intent: intent, verb: verb})
	}
	return fmt.Errorf("verb %d is unknown; known are play, pause, step, again and reseed", verb)
}

// enqueue queues a request for the learner.
func (r *Run) enqueue(req request) error {
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
	r.topic.Tell(req.owner, &wire.Refused{Intent: req.intent, Key: req.key(), Reason: reason.Error()})
}

// steer has the learner make the change that req asks for, and publishes what it answers.
func (r *Run) steer(req request, l *learner.Learner) error {
	next := *l.Config()
	req.change.Apply(&next)
	if err := r.lab.afford(&next); err != nil {
		return err
	}
	if err := r.grow(&next); err != nil {
		return err
	}
	changed, err := l.Apply(req.change)
	if err != nil {
		return errors.Join(err, r.grow(l.Config())) // the room for what did not come about
	}
	r.publish(req, changed, l.Config())
	return nil
}

// prepare is steer while there is no learner: the next one begins with the change.
func (r *Run) prepare(req request) error {
	r.mu.Lock()
	next := r.cfg
	r.mu.Unlock()
	from := next.Get(req.key())
	req.change.Apply(&next)
	if err := r.lab.admit(&next); err != nil {
		return err
	}
	r.publish(req, telemetry.Changed{Key: req.key(), From: from, To: next.Get(req.key())}, &next)
	return nil
}

// publish says what a change came to, and keeps the settings that are in force now for those who come later.
func (r *Run) publish(req request, changed telemetry.Changed, cfg *hyper.Config) {
	r.mu.Lock()
	r.cfg = *cfg
	r.mu.Unlock()
	r.topic.Publish(&wire.Changed{
		Intent: req.intent, Step: changed.Step, Update: changed.Update, Key: changed.Key, From: changed.From, To: changed.To,
	}, req.owner)
}
