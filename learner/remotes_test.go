package learner

import (
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/stream"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// lend has a remote actor play on a goroutine of this process. Alter sees each block before it is delivered; false: the
// actor leaves instead.
func lend(t *testing.T, o *remote.Actors, trusted bool, alter func(*remote.Block) bool) *remote.Actor {
	t.Helper()
	return lendAs(t, o, trusted, new(remote.Tally), alter)
}

func lendAs(t *testing.T, o *remote.Actors, trusted bool, tally *remote.Tally,
	alter func(*remote.Block) bool) *remote.Actor {
	t.Helper()
	r, err := o.Join("test", trusted, tally)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Leave)
	go func() { // ends when the actor leaves or is sent away
		defer r.Leave()
		var a *actor.Actor
		var empty func() *traj.Unroll
		for {
			var order *remote.Order
			select {
			case order = <-r.Orders():
			case <-r.Done():
				return
			}
			if p := order.Place; p != nil {
				spec, err := p.Config.Network()
				if err == nil {
					a, err = p.Actor()
				}
				if err != nil {
					t.Error(err)
					return
				}
				empty = func() *traj.Unroll { return traj.NewUnroll(p.Config.UnrollLen, spec.Shape()) }
			}
			b := &remote.Block{Number: order.Number}
			for range a.Len() {
				b.Unrolls = append(b.Unrolls, empty())
			}
			if err := a.Play(order.Theta, order.Version, b.Unrolls, func(telemetry.Episode) {}); err != nil {
				t.Error(err)
				return
			}
			b.After = a.Save()
			b.After.Returns, b.After.Lengths, b.After.Played = nil, nil, 0 // are not sent
			if !alter(b) || r.Deliver(b) != nil {
				return
			}
		}
	}()
	return r
}

func honest(*remote.Block) bool { return true }

// trainWith is a run that remote actors may join.
func trainWith(t *testing.T, cfg hyper.Config, o *remote.Actors, hooks Hooks) Result {
	t.Helper()
	e := here
	e.Remotes = o
	l, err := e.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r, err := l.Run(t.Context(), hooks)
	if err != nil && !errors.Is(err, errSeen) {
		t.Fatal(err)
	}
	return r
}

// errSeen ends a run of trainWith that has shown what its test waits for.
var errSeen = errors.New("seen")

// The parameters equal the parameters of one process, whichever actors play and whichever are lost.
func TestWithRemoteActorsAReferenceRunComesToTheSameBytes(t *testing.T) {
	for _, c := range []struct{ preset, changes string }{
		{"cartpole", "lag=3 collect=trajectory actors=4 steps=8000 batch=8"},
		{"t-maze", "lstm=6 collect=trajectory actors=3 mix=0.5 recall=rebuild feedback=on steps=3000"},
		{"t-maze", "lstm=6 memory=unroll unroll=5 collect=trajectory actors=3 steps=2000"},
		{"vmpo-pendulum", "steps=3000"}, // one actor, with all copies
		{"tiny", "hidden=8 batch=12 actors=3 collect=trajectory popart=off steps=4000"},
		{"random-sharers", "steps=1500 mix=1 collect=trajectory actors=2"},
	} {
		cfg := kit.Config(t, c.preset, c.changes)
		alone := train(t, cfg, Hooks{})
		o := remote.NewActors()
		first := lend(t, o, true, honest)
		blocks := 0
		lend(t, o, true, func(b *remote.Block) bool { blocks++; return blocks < 4 }) // it leaves in the middle
		lend(t, o, false, honest)
		var steps, forged uint64
		together := trainWith(t, cfg, o, Hooks{Between: func(l *Learner) error {
			if l.Updates() == 6 {
				lend(t, o, false, func(b *remote.Block) bool { b.Unrolls[0].Reward[0]++; return true })
			}
			for _, info := range o.Infos() {
				steps, forged = max(steps, info.Steps), max(forged, info.Forged)
			}
			return nil
		}})
		if !equal(together, alone) {
			t.Errorf("%s %s: with remote actors\n%+v, without\n%+v", c.preset, c.changes, together, alone)
		}
		if steps == 0 || first.Why() != nil {
			t.Errorf("%s %s: remote actors played %d steps, and the first has left: %v", c.preset, c.changes, steps, first.Why())
		}
		if forged == 0 && cfg.Collect == hyper.CollectTrajectory && cfg.Actors > 3 {
			t.Errorf("%s %s: a forged block was not counted", c.preset, c.changes)
		}
	}
}

func TestARemoteActorThatDoesNotAnswerIsPlayedForAndDismissed(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "collect=trajectory actors=2 steps=3000")
	alone := train(t, cfg, Hooks{})
	o := remote.NewActors()
	silent, err := o.Join("silent", true, new(remote.Tally))
	if err != nil {
		t.Fatal(err)
	}
	e := here
	e.Remotes = o
	l, err := e.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	l.fleet.(*referenceActors).within = time.Millisecond
	result, err := l.Run(t.Context(), Hooks{})
	if err != nil || !equal(result, alone) {
		t.Errorf("%+v (%v), without it %+v", result, err, alone)
	}
	if why := silent.Why(); why == nil || why.Error() != "no block came within 1ms" {
		t.Errorf("it was sent away because of %v", why)
	}
}

// In a live run remote actors play beside the run's own, no forged block reaches a batch, and the lag shown is the lag
// of the unrolls.
func TestALiveRunLearnsFromRemoteActorsAndNotFromForgers(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "mode=live actors=1 steps=60000")
	o := remote.NewActors()
	trusted, checked, forger := new(remote.Tally), new(remote.Tally), new(remote.Tally)
	lendAs(t, o, true, trusted, honest)
	lendAs(t, o, false, checked, honest)
	var tried atomic.Uint64
	lendAs(t, o, false, forger, func(b *remote.Block) bool {
		tried.Add(1)
		for _, u := range b.Unrolls {
			u.Reward[len(u.Reward)/2] = 1000
		}
		return true
	})
	var l *Learner
	var unrolls, lags uint64
	trainWith(t, cfg, o, Hooks{
		Between: func(of *Learner) error { l = of; return nil },
		Update: func(*telemetry.Update) {
			for _, u := range l.fresh[:l.cfg.Fresh()] {
				if slices.Max(u.Reward) > 1 {
					t.Error("a forged reward reached the learner")
				}
				if u.Lane >= (stream.Actors+uint64(cfg.Actors))<<16 {
					unrolls++
					lags += l.updates - 1 - u.Version // the updates between playing and use
				}
			}
		},
	})
	of, ofChecked, ofForger := trusted.Count(), checked.Count(), forger.Count()
	if of.Unrolls == 0 || ofChecked.Unrolls == 0 || ofChecked.Forged > 0 {
		t.Errorf("of the trusted actor %+v, of the one that is checked %+v", of, ofChecked)
	}
	if f := ofForger; f.Unrolls > 0 || f.Forged == 0 || f.Forged > tried.Load() || !math.IsNaN(f.Lag) ||
		!math.IsNaN(f.Return) {
		t.Errorf("of the forger, which sent %d blocks: %+v", tried.Load(), f)
	}
	if c := ofChecked; !(c.Return > 8) { // who pushes one way only falls in eight steps or later
		t.Errorf("the return of the one that is checked: %v", c.Return)
	}
	shown := of.Lag*float64(of.Unrolls) + ofChecked.Lag*float64(ofChecked.Unrolls)
	if unrolls == 0 || math.Abs(shown-float64(lags)) > 1e-6*shown {
		t.Errorf("the lags shown add up to %v, those of %d unrolls to %v", shown, unrolls, lags)
	}
}

// A forger gets its next order no sooner than after an update, and is sent away after twenty blocks in a row, in every
// mode; its next visit ends with its next forged block. Between genuine blocks an actor may err now and then.
func TestAForgerIsSentAwayAndWaitsForUpdatesMeanwhile(t *testing.T) {
	for mode, of := range map[string]string{"live": "mode=live actors=1 steps=0",
		"lockstep": "collect=trajectory actors=1 steps=40000"} {
		cfg := kit.Config(t, "cartpole", of)
		o, tally, nowAndThen := remote.NewActors(), new(remote.Tally), new(remote.Tally)
		forge := func(b *remote.Block) bool { b.Unrolls[0].Reward[0]++; return true }
		forger := lendAs(t, o, false, tally, forge)
		first := uint64(0)
		sent := 0
		trainWith(t, cfg, o, Hooks{Between: func(l *Learner) error {
			switch c := tally.Count(); {
			case errors.Is(forger.Why(), remote.ErrForger) && first == 0:
				if first = c.Forged; mode == "live" && l.Updates() < first/remote.MostOrders {
					t.Errorf("%d forged blocks within %d updates", first, l.Updates())
				}
				forger = lendAs(t, o, false, tally, forge)
			case errors.Is(forger.Why(), remote.ErrForger) && sent == 0:
				sent = int(c.Forged)
				blocks := 0
				lendAs(t, o, false, nowAndThen, func(b *remote.Block) bool {
					if blocks++; blocks%2 == 0 {
						b.Unrolls[0].Reward[0]++
					}
					return true
				})
			case mode == "live" && nowAndThen.Count().Forged > 0 && nowAndThen.Count().Unrolls > 0:
				return errSeen
			}
			return nil
		}})
		if first != remote.MostForged || sent != remote.MostForged+1 {
			t.Errorf("%s: sent away after %d forged blocks, and again after %d", mode, first, sent)
		}
		if c := nowAndThen.Count(); mode == "lockstep" && c.Forged < remote.MostForged || c.Forged == 0 || c.Unrolls == 0 {
			t.Errorf("%s: who errs now and then: %+v", mode, c)
		}
	}
}

// A forger that reconnects keeps its count of forged blocks.
func TestATallyOutlivesItsActor(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "collect=trajectory actors=1 steps=4000")
	o, tally := remote.NewActors(), new(remote.Tally)
	forge := func(b *remote.Block) bool { b.Unrolls[0].Reward[0]++; return tally.Count().Forged < 3 }
	lendAs(t, o, false, tally, forge)
	trainWith(t, cfg, o, Hooks{Between: func(*Learner) error {
		if len(o.Infos()) == 0 {
			lendAs(t, o, false, tally, honest)
		}
		return nil
	}})
	if c := tally.Count(); c.Forged != 3 || c.Unrolls == 0 || !(c.Return > 8) {
		t.Errorf("%+v", c)
	}
}

// The run learns from the class's blocks: its own actors pause as long as such blocks arrive, and resume when none do.
func TestOwnActorsPauseForCheckedOnesAndContinueWithoutThem(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "mode=live actors=1 steps=60000")
	o, tally := remote.NewActors(), new(remote.Tally)
	var before, until uint64
	checked := lendAs(t, o, false, tally, honest)
	trainWith(t, cfg, o, Hooks{Between: func(l *Learner) error {
		switch c := tally.Count(); {
		case c.Steps == 0:
			before = l.Steps()
		case until == 0 && c.Steps > 15_000:
			until = l.Steps()
			checked.Leave()
		}
		return nil
	}})
	// The blocks that the queue held when the first of them arrived were played before.
	if c := tally.Count(); until == 0 || float64(c.Steps) < .8*float64(until-before)-2000 || until > 50_000 {
		t.Errorf("of %d to %d steps the actor played %d", before, until, c.Steps)
	}
}

// If an actor is lost, the next actor in its place continues after the last accepted block.
func TestALiveRunContinuesWhenAnActorIsLostAndReplaced(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "mode=live actors=1 steps=60000")
	o := remote.NewActors()
	blocks := 0
	lend(t, o, true, func(*remote.Block) bool { blocks++; return blocks < 20 })
	var l *Learner
	serials := map[uint64]uint64{} // of each lane: the next unroll
	alone := 0                     // updates without an actor; the run takes some to find its place empty
	trainWith(t, cfg, o, Hooks{
		Between: func(of *Learner) error {
			if l = of; len(o.Infos()) == 0 {
				if alone++; alone == 100 {
					lend(t, o, true, honest)
				}
			}
			return nil
		},
		Update: func(*telemetry.Update) {
			for _, u := range l.fresh[:l.cfg.Fresh()] {
				if u.Serial != serials[u.Lane] {
					t.Errorf("unroll %d of lane %d came where %d belongs", u.Serial, u.Lane, serials[u.Lane])
				}
				serials[u.Lane] = u.Serial + 1
			}
		},
	})
	of := (stream.Actors + uint64(cfg.Actors)) << 16
	if next, other := serials[of], serials[of+1<<16]; alone < 100 || next <= 20 || other > 0 {
		t.Errorf("its place came to %d unrolls, another to %d", next, other)
	}
}

func TestAnUnsoundBlockDismissesItsActor(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "collect=trajectory actors=1 steps=1000")
	alone := train(t, cfg, Hooks{})
	nan := float32(math.NaN())
	for name, spoil := range map[string]func(*remote.Block){
		"no unroll":              func(b *remote.Block) { b.Unrolls = nil },
		"another length":         func(b *remote.Block) { b.Unrolls[0] = traj.NewUnroll(3, b.Unrolls[0].Shape) },
		"an unknown action":      func(b *remote.Block) { b.Unrolls[0].Action[1] = 2 },
		"a reward that is NaN":   func(b *remote.Block) { b.Unrolls[0].Reward[1] = nan },
		"μ that is NaN":          func(b *remote.Block) { b.Unrolls[0].Mu[1] = nan },
		"a view that is endless": func(b *remote.Block) { b.Unrolls[0].Obs[1] = float32(math.Inf(1)) },
		"an unknown end":         func(b *remote.Block) { b.Unrolls[0].End[1] = 3 },
		"a cut nowhere":          func(b *remote.Block) { b.Unrolls[0].Cut(2) },
		"an end without its cut": func(b *remote.Block) { b.Unrolls[0].End[1] = 2 },
		"a state of no world":    func(b *remote.Block) { b.After.Worlds = []byte("x") },
		"a state of other size":  func(b *remote.Block) { b.After.Last = nil },
	} {
		o := remote.NewActors()
		r := lend(t, o, true, func(b *remote.Block) bool { spoil(b); return true })
		if result := trainWith(t, cfg, o, Hooks{}); !equal(result, alone) {
			t.Errorf("%s: %+v, alone %+v", name, result, alone)
		}
		if !errors.Is(r.Why(), remote.ErrUnsound) {
			t.Errorf("%s: it is gone because of %v", name, r.Why())
		}
	}
}
