package lab

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/web/wire"
)

// ask is one thing a browser wants, on its way to the learner. What it makes of the configuration is decided twice: when
// it is asked, to refuse at once what cannot be, and when its turn comes, because what was asked before it may have
// changed what is in force.
type ask struct {
	owner  uint64
	intent uint32
	key    string // a setting…
	value  string
	verb   uint8 // …or a verb
}

// outcome is what an ask leads to.
type outcome struct {
	cfg    hyper.Config
	preset string
	anew   bool // the run begins anew with cfg; otherwise it goes on
}

// weigh says what a would lead to now, or why it cannot be. A hot setting changes while the run goes on; a cold one, or
// another preset, begins it anew with the same seed.
func (r *Run) weigh(a ask) (o outcome, err error) {
	r.mu.Lock()
	o.cfg, o.preset = r.cfg, r.preset
	r.mu.Unlock()
	switch {
	case a.key == "world" && plain(a.value) == plain(o.cfg.World): // the same with other options: all else stays
		if err := o.cfg.Set(a.key, a.value); err != nil {
			return o, err
		}
		o.anew = true
	case a.key == "preset" || a.key == "world":
		cfg, preset, _, err := hyper.FromSettings([]hyper.Setting{{Key: a.key, Value: a.value}})
		if err != nil {
			return o, err
		}
		cfg.Seed, cfg.Speed = o.cfg.Seed, o.cfg.Speed
		unlimited(&cfg)
		o = outcome{cfg, preset, true}
	case a.key != "":
		row, err := hyper.Lookup(a.key)
		if err != nil {
			return o, err
		}
		if err := o.cfg.Set(a.key, a.value); err != nil {
			return o, err
		}
		o.anew = !row.Hot
	case a.verb == wire.VerbAgain:
		o.anew = true
	case a.verb == wire.VerbReseed:
		o.anew = true
		o.cfg.Seed = uint64(rand.Uint32N(1_000_000)) // the one draw that no seed decides: it makes the seed
	case a.verb == wire.VerbPlay, a.verb == wire.VerbPause, a.verb == wire.VerbStep:
	default:
		return o, fmt.Errorf("verb %d is unknown; known are play, pause, step, again and reseed", a.verb)
	}
	return o, r.lab.admit(&o.cfg)
}

// plain is a world's name without its options.
func plain(world string) string {
	name, _, _ := strings.Cut(world, ":")
	return name
}

// maxWork is what one update may ask for, in floating-point operations: about a second on two cores. A run answers
// its people, and ends, between two updates only.
const maxWork = 5e10

// admit refuses a configuration that makes no sense, or that asks for more than a run may have here.
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
			bytes(cost.Bytes), cost.Largest, bytes(float64(l.opts.RunMemory)))
	case cost.Work > maxWork:
		return fmt.Errorf("one update would take %.2g operations with %s; it may take %.2g here, so that the run still answers: make one of these smaller",
			cost.Work, cost.Working, maxWork)
	}
	return nil
}

// bytes is a size for people.
func bytes(n float64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.3g GB", n/1e9)
	}
	return fmt.Sprintf("%.3g MB", n/1e6)
}

// maxAsked bounds what waits for the learner, whoever asked. A person never gets there.
const maxAsked = 256

// Set asks for a setting.
func (r *Run) Set(owner uint64, intent uint32, key, value string) error {
	return r.ask(ask{owner: owner, intent: intent, key: key, value: value})
}

// Do asks for something other than a setting.
func (r *Run) Do(owner uint64, intent uint32, verb uint8) error {
	return r.ask(ask{owner: owner, intent: intent, verb: verb})
}

func (r *Run) ask(a ask) error {
	if _, err := r.weigh(a); err != nil {
		return err
	}
	r.mu.Lock()
	full := len(r.asked) >= maxAsked
	if !full {
		r.asked = append(r.asked, a)
	}
	r.mu.Unlock()
	if full {
		return fmt.Errorf("%d wishes wait for this run already; ask again in a moment", maxAsked)
	}
	r.nudge()
	return nil
}

// next takes the oldest ask; the others wait for their turn, across a new beginning too.
func (r *Run) next() (a ask, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.asked) == 0 {
		return a, false
	}
	a = r.asked[0]
	r.asked = r.asked[1:]
	return a, true
}

// refuse tells who asked, and nobody else, why it changed nothing after all. A page that takes nothing is told nothing.
func (r *Run) refuse(a ask, reason error) {
	r.topic.Tell(a.owner, &wire.Refused{Intent: a.intent, Key: a.key, Reason: reason.Error()})
}

// enforce puts a hot setting in force, and says so.
func (r *Run) enforce(a ask, o outcome, step, update uint64) {
	r.mu.Lock()
	from := r.cfg.Get(a.key)
	r.cfg = o.cfg
	r.mu.Unlock()
	r.topic.Publish(&wire.Changed{
		Intent: a.intent, Step: step, Update: update, Key: a.key, From: from, To: o.cfg.Get(a.key),
	}, a.owner)
}
