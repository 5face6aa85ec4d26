package learner

import (
	"runtime"

	"impalab/learner/actor"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// ahead is a round of a reference run that another core plays during the update before it. With a lag of one update or
// more, the round's parameters already exist, so playing ahead changes no result. If a changed setting requires another
// round, ahead undoes it. Between two updates callers see the actors at the start of the round.
type ahead struct {
	begun   bool           // a round is being played, or is finished and not yet used
	before  []actor.State  // of each player, at the start of the round
	unrolls []*traj.Unroll // of the round
	wake    chan struct{}  // starts a round; nil: no goroutine runs yet
	ended   chan error     // the round has ended; the error is its panic
}

// begin plays the next round of n unrolls ahead if its parameters are known, a core is free and no remote actor takes
// part in it.
func (f *referenceActors) begin(p *lagWindow, n int) {
	a := &f.ahead
	if a.begun || f.cfg.Lag == 0 || f.copies != n || runtime.GOMAXPROCS(0) < 2 || f.visited() || !f.pool.Cores.Try() {
		return
	}
	f.theta, f.version = p.at(f.cfg.Lag - 1) // an update from now they are Lag updates old
	for len(a.unrolls) < n {
		a.unrolls = append(a.unrolls, traj.NewUnroll(f.cfg.UnrollLen, f.spec.Shape()))
	}
	f.deal(a.unrolls[:n])
	f.here = append(f.here[:0], f.players...)
	for len(a.before) < len(f.players) {
		a.before = append(a.before, actor.State{})
	}
	a.before = a.before[:len(f.players)]
	for i, one := range f.players {
		one.actor.SaveTo(&a.before[i])
	}
	if a.wake == nil {
		a.wake, a.ended = make(chan struct{}), make(chan error, 1)
		go func() { // ends with close
			for range a.wake {
				a.ended <- schedule.Catch(f.playRound)
			}
		}()
	}
	a.begun = true
	a.wake <- struct{}{}
}

// visited offers the seats to remote actors and reports whether one is taken.
func (f *referenceActors) visited() (taken bool) {
	for _, one := range f.players {
		taken = one.seat.Offer(f.remotes) || taken
	}
	return taken
}

// playRound plays the round on the core that begin took.
func (f *referenceActors) playRound() error {
	defer f.pool.Cores.Release()
	if len(f.here) == 1 {
		f.playHere(f.here[0]) // its parts are on the pool
		return nil
	}
	f.pool.Each(len(f.here), f.play)
	return nil
}

// playedAhead reports whether the wanted round of n unrolls was played ahead, and waits for its end. It undoes any
// other round.
func (f *referenceActors) playedAhead(p *lagWindow, n int) bool {
	if !f.ahead.begun {
		return false
	}
	if _, version := p.at(f.cfg.Lag); version != f.version || n != f.copies {
		f.undoAhead()
		return false
	}
	f.wait()
	return true
}

// wait waits for the end of the round. It releases the caller's core, which the round may need.
func (f *referenceActors) wait() {
	f.ahead.begun = false
	var err error
	select {
	case err = <-f.ahead.ended:
	default:
		f.pool.Cores.Release()
		err = <-f.ahead.ended
		f.pool.Cores.Acquire()
	}
	if err != nil {
		panic(err) // as if it had been played here
	}
}

// deliverAhead passes on the round that was played ahead.
func (f *referenceActors) deliverAhead(unrolls []*traj.Unroll, done func(telemetry.Episode)) error {
	for i, u := range unrolls {
		unrolls[i], f.ahead.unrolls[i] = f.ahead.unrolls[i], u
	}
	if len(f.players) > 1 {
		return f.report(done)
	}
	one := f.players[0]
	for _, e := range one.episodes { // up to the step at which the policy could not act
		done(e)
	}
	return one.err
}

// undoAhead undoes the round that was played ahead, if there is one.
func (f *referenceActors) undoAhead() {
	if !f.ahead.begun {
		return
	}
	f.wait()
	for i, one := range f.players {
		if err := one.actor.Load(f.ahead.before[i]); err != nil {
			panic(err) // the state is the actor's own
		}
	}
}

// stand returns the states of the actors between two updates. They are good until the next update.
func (f *referenceActors) stand() (actors []actor.State) {
	if f.ahead.begun {
		return f.ahead.before
	}
	for _, one := range f.players {
		actors = append(actors, one.actor.Save())
	}
	return actors
}

// close ends the round and its goroutine. The caller holds no core.
func (a *ahead) close() {
	if a.begun {
		<-a.ended
	}
	if a.wake != nil {
		close(a.wake)
	}
	*a = ahead{}
}
