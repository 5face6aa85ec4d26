// Package runloop runs one run: it holds its state, answers what people ask, and drives its learner from update to
// update. A server's lab and a trainer in a browser both use it; each implements Host. Look at Run.Train first.
//
// A run is in one State. Events change it:
//
//	state           Play      Pause           Step            Updated Return          Arrive  Queue        Admit
//	Running                   Paused          Stepping                Returning               Queued
//	Paused          Running                   Stepping                ReturningPaused         QueuedPaused
//	Stepping        Running   Paused                          Paused  ReturningPaused         QueuedPaused
//	Returning                 ReturningPaused ReturningPaused                         Running Queued
//	ReturningPaused Returning                                                         Paused  QueuedPaused
//	Queued                                                                                                 Running
//	QueuedPaused                                                                                           Paused
//
// An event without an entry changes nothing. From all of these states End leads to Done, Diverge to Diverged and Fail
// to Stopped; no event leaves those three.
package runloop

import "impalab/web/wire"

// State is the state of a run.
type State uint8

const (
	none State = iota // in the table: the state stays
	Running
	Paused          // until an owner plays or steps it
	Stepping        // paused, except for the one update that its owner asked for
	Returning       // recomputes the updates up to where the run stood, then runs
	ReturningPaused // recomputes them, then is paused
	Queued          // has no learner and waits for memory, then runs
	QueuedPaused    // waits for memory, then is paused
	Done            // its budget of steps is spent, or its owner stopped it
	Diverged        // its numbers are infinite or NaN
	Stopped         // an error stopped it
)

// Event is a cause that changes the state of a run.
type Event uint8

const (
	Play    Event = iota // its owner lets the run continue
	Pause                // its owner pauses it
	Step                 // its owner asks for one update
	Updated              // this update has been made
	Return               // the learner stands before the newest update of the run
	Arrive               // the learner has come to it
	Queue                // the run waits for memory
	Admit                // it has its memory
	End                  // the budget is spent, or its owner stopped the run
	Diverge              // the learner diverged
	Fail                 // an error stopped the learner
)

var table = [...][Admit + 1]State{
	Running:         {Pause: Paused, Step: Stepping, Return: Returning, Queue: Queued},
	Paused:          {Play: Running, Step: Stepping, Return: ReturningPaused, Queue: QueuedPaused},
	Stepping:        {Play: Running, Pause: Paused, Updated: Paused, Return: ReturningPaused, Queue: QueuedPaused},
	Returning:       {Pause: ReturningPaused, Step: ReturningPaused, Arrive: Running, Queue: Queued},
	ReturningPaused: {Play: Returning, Arrive: Paused, Queue: QueuedPaused},
	Queued:          {Admit: Running},
	QueuedPaused:    {Admit: Paused},
}

// After returns the state that follows s on an event.
func (s State) After(e Event) State {
	if s.Over() {
		return s
	}
	switch e {
	case End:
		return Done
	case Diverge:
		return Diverged
	case Fail:
		return Stopped
	}
	if to := table[s][e]; to != none {
		return to
	}
	return s
}

// Over reports whether the run has ended.
func (s State) Over() bool { return s >= Done }

// Paused reports whether the run is paused, also while it waits for memory or returns.
func (s State) Paused() bool {
	return s == Paused || s == Stepping || s == ReturningPaused || s == QueuedPaused
}

// Returning reports whether the run recomputes earlier updates.
func (s State) Returning() bool { return s == Returning || s == ReturningPaused }

// Wire returns the state as pages know it.
func (s State) Wire() uint8 {
	return [...]uint8{
		Running: wire.StateRunning, Paused: wire.StatePaused, Stepping: wire.StatePaused,
		Returning: wire.StateReturning, ReturningPaused: wire.StateReturning,
		Queued: wire.StateQueued, QueuedPaused: wire.StateQueued,
		Done: wire.StateDone, Diverged: wire.StateDiverged, Stopped: wire.StateStopped,
	}[s]
}
