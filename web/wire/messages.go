// Package wire is every message that crosses between the page and the server. A message is one binary
// frame: version, type, then the fields in the order of its walk, which both encodes and decodes; the server
// may join several in one frame (joined.go). What is accepted re-encodes to the same bytes; every length has a limit.
package wire

// Version is the first byte of every frame. A peer of another version is told so and let go.
const Version = 4

// Origin is the moment at which a fork leaves another run: after Update updates of Run. Run is "" where there is none.
type Origin struct {
	Run    string
	Update uint64
}

// Setting is one key of the table of hyperparameters (or a key of the run: world, algo, seed, steps, speed),
// in the text form that links and the command line use.
type Setting struct{ Key, Value string }

// Verbs of Do.
const (
	VerbPlay      uint8 = iota + 1
	VerbPause           //
	VerbStep            // one update, then paused
	VerbPauseFell       // VerbPause, because the run fell: its state's reason is ReasonFell until somebody has it play
)

// ReasonFell is the reason of StatePaused where a page paused the run because its return collapsed.
const ReasonFell = "it fell"

// States of a run.
const (
	StateRunning uint8 = iota + 1
	StatePaused
	StateDone      // its budget of steps is spent
	StateDiverged  // NaN or infinity: stopped with its last healthy snapshot
	StateStopped   // by the server, with a reason
	StateQueued    // it waits for room on the server, and begins by itself; the reason says where it stands
	StateReturning // it learns again what it had learned, up to where it stands; the reason says how far it is
)

// Over reports whether a run in this state will not go on.
func Over(state uint8) bool {
	return state == StateDone || state == StateDiverged || state == StateStopped
}

// From the browser.
type (
	// Hello opens a session: a new run with these settings, or Run, if there is one. Key proves whose a run is: who has
	// it may steer, others may watch. A new run belongs to the Key that came with it. With From, a new run is a fork: that
	// run up to a moment, and Settings are what changes there.
	Hello struct {
		Run, Key string
		After    uint64 // the last event the page has; the server sends what came since
		From     Origin
		Settings []Setting
	}
	// Set asks for one setting to change. Seq rises by one with each Set or Do of a session, from 1.
	Set struct {
		Seq        uint32
		Key, Value string
	}
	// Do asks for something other than a setting.
	Do struct {
		Seq  uint32
		Verb uint8
	}
	// Want says what the page takes of the watched world: the server's frames, or the parameters to play it with. A
	// session begins with frames and without parameters. It asks nothing of the run and has no Seq.
	Want struct{ Frames, Weights bool }
)

// To the browser. Events carry Event, a number that rises by one within a run, and are never dropped;
// the rest is latest-wins.
type (
	// Welcome answers Hello: which run the page has, where it stands, and whether the page may steer it.
	Welcome struct {
		Run, Key string // Key is given once, to the page whose Hello brought none
		Steers   bool   // this page may steer the run
		Build    string
		Event    uint64 // the newest event there is
		Fresh    bool   // forget what you have: this run begins, or you were away too long
		State    uint8
		From     Origin
		Settings []Setting // every key, the values in force
		Unknown  []string  // unknown keys of the link: kept, reported, never fatal
		Figures  []string  // names of the rows of Point.Figures and XRay.Figures
	}
	// Changed is an event: a setting changed between two updates. Intent is the Seq that asked for it, for the
	// session that did; 0 for all others.
	Changed struct {
		Event         uint64
		Intent        uint32
		Step, Update  uint64
		Key, From, To string
	}
	// Status is an event: the run's state changed.
	Status struct {
		Event  uint64
		State  uint8
		Reason string
	}
	// Point is an event: one point of the curves.
	Point struct {
		Event        uint64
		Step, Update uint64
		Episodes     uint64
		Return       float32 // mean return of the last 100 training episodes (NaN before the first)…
		Recent       float32 // …and of the last 10
		Low, High    float32 // quartiles of the returns of Ended episodes
		Ended        uint32  // training episodes since the last quartiles; 0: there are none with this point
		Traces       []Trace // what the algorithm keeps beside θ; empty for those that keep nothing
		// Figures are those of the newest update, in the order of Welcome's names; NaN where the settings in force have
		// no such thing.
		Figures []float32
	}
	// Judged is an event: a measurement of V on episodes that nobody learns from.
	Judged struct {
		Event        uint64
		Step, Update uint64  // of the parameters that were measured
		ValueError   float32 // root mean square of V − G, in rewards of the world; NaN: no return is known
		States       uint32  // whose return is known
	}
	// Trace is one quantity of telemetry's table as the newest update used it.
	Trace struct {
		Name         string
		Value, Bound float32 // Bound is +Inf where there is none
	}
	// XRay is the inside of the correction, from the newest update. Latest wins.
	XRay struct {
		Step, Update, Episodes uint64
		StepsPerSecond         float32
		Figures                []float32 // as in Point
		Ratios                 []uint32  // telemetry.RatioBins
		Ages                   []uint32  // telemetry.AgeBins, ages 0 to the figure age-max
		// Returns is of a suite the mean return of each task's last 100 training episodes, NaN before the first; else empty.
		Returns []float32
	}
	// Frame is the watched world after one of its steps. Latest wins.
	Frame struct {
		Number        uint64
		World         string
		State         []byte // envs.World.SetState
		Action        uint8
		Reward        float32
		Return        float32   // of this episode so far
		Length        uint32    // steps of this episode so far
		End           uint8     // envs.End
		Policy        uint8     // net.Policy: what Behaviour and Target hold
		Behaviour     []float32 // μ(·|x), which acts, Lag updates old: probabilities, or the means and then σ of each control
		Target        []float32 // π(·|x), the learner's, now
		Control       []float32 // of real-valued actions: what was done, ±1 at the ends of each control's range
		Value         float32   // V(x)
		Ratio, Rho, C float32   // π/μ of the action taken, and what the correction makes of it
	}
	// Gauge is the destination of the values on a finite world: exact, averaged over the states in which episodes start.
	// Latest wins.
	Gauge struct {
		Behaviour, Target, Implied float32 // V^μ, V^π, V^{π_ρ̄,α}
		Learned                    float32 // the network's V
		FromTarget, FromImplied    float32 // rms over states of V − V^π and of V − V^{π_ρ̄,α}
		Contraction                float32 // η, IMPALA Theorem 1
		Worst, Best                float32 // value of the worst and of the best policy there is: the ends of the scale
	}
	// Weights are the parameters as they stand, of the network that the settings in force describe. The value head's
	// number v says Scale·v + Shift in the rewards the learner sees, for each task of a suite. Latest wins.
	Weights struct {
		Update       uint64    // that made Target
		Scale, Shift []float32 // [tasks]
		Target       []float32 // of π, the learner's
		Behaviour    []float32 // of μ, which acts; empty: the same
	}
	// Refused answers one Set or Do that changed nothing.
	Refused struct {
		Intent uint32
		Key    string
		Reason string // names the thing and what is allowed
	}
	// Bye is the last message before the server closes a session.
	Bye struct{ Reason string }
)
