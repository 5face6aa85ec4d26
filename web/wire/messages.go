// Package wire defines the messages between page and server. A message is one binary frame: version, type, then its
// fields in their order. One walk both encodes and decodes them. A server may join several messages in one frame
// (joined.go). A decoded message encodes to the same bytes, and every length has a limit. A tag of the field names the
// limit (limits.go).
package wire

// Version is the first byte of every frame. A peer with another version is told so and disconnected.
const Version = 5

// Origin is the origin of a fork: Run after Update updates. Run is "" if there is none.
type Origin struct {
	Run    string
	Update uint64
}

// Setting is a key of the table of settings, with its value in the text form of links and the command line.
type Setting struct {
	Key   string
	Value string `limit:"Value"`
}

// Verbs of Do.
const (
	VerbPlay      uint8 = iota + 1
	VerbPause           //
	VerbStep            // one update, then paused
	VerbPauseFell       // VerbPause because the run fell; the state's reason is ReasonFell until it plays again
)

// ReasonFell is the reason of StatePaused if a page paused the run because its return collapsed.
const ReasonFell = "it fell"

// States of a run.
const (
	StateRunning uint8 = iota + 1
	StatePaused
	StateDone      // all its steps are done
	StateDiverged  // NaN or infinity; it keeps its last healthy snapshot
	StateStopped   // by the server, with a reason
	StateQueued    // it waits for memory or a core and starts by itself; the reason gives its position
	StateReturning // it retrains up to its last step; the reason gives its progress
)

// Over reports whether a run in this state has ended.
func Over(state uint8) bool {
	return state == StateDone || state == StateDiverged || state == StateStopped
}

// Messages from the browser.
type (
	// Hello opens a session for Run, or for a new run with these settings. The owner of Key may steer the run; others
	// may watch. A new run belongs to Key. With From, the new run is a fork, and Settings are its changes.
	Hello struct {
		Run, Key string
		After    uint64 // the last event that the page received; the server sends the later ones
		From     Origin
		Settings []Setting `limit:"Settings"`
	}
	// Set asks for a change of one setting. Seq counts the Set and Do messages of a session, from 1.
	Set struct {
		Seq   uint32
		Key   string
		Value string `limit:"Value"`
	}
	// Do asks for an action.
	Do struct {
		Seq  uint32
		Verb uint8
	}
	// Want says whether the page wants the server's frames of the watched world, or the parameters to play it. A
	// session starts with frames only. Want has no Seq, because it changes nothing in the run.
	Want struct{ Frames, Weights bool }
)

// Messages to the browser. Event counts the events of a run; events are never dropped. Of other messages only the
// newest counts.
type (
	// Welcome answers Hello with the run and its state.
	Welcome struct {
		Run, Key string // Key is set once, for a page whose Hello had none
		Steers   bool   // this page may steer the run
		Build    string
		Event    uint64 // number of the newest event
		Fresh    bool   // the page must forget its state: the run is new, or the page was away too long
		State    uint8
		From     Origin
		Settings []Setting `limit:"Settings"` // all settings in force
		Unknown  []string  `limit:"Settings"` // unknown keys of the link; they are never an error
		Figures  []string  `limit:"Figures"`  // names of Point.Figures and XRay.Figures
	}
	// Changed is an event: a setting changed between two updates. Intent is the Seq of the request, for the session
	// that sent it; else 0.
	Changed struct {
		Event        uint64
		Intent       uint32
		Step, Update uint64
		Key          string
		From, To     string `limit:"Value"`
	}
	// Status is an event: the run's state changed.
	Status struct {
		Event  uint64
		State  uint8
		Reason string `limit:"Reason"`
	}
	// Point is an event: one point of the curves.
	Point struct {
		Event        uint64
		Step, Update uint64
		Episodes     uint64
		Return       float32 // mean return of the last 100 training episodes; NaN before the first
		Recent       float32 // the same of the last 10
		Low, High    float32 // quartiles of the returns of Ended episodes
		Ended        uint32  // training episodes since the last quartiles; 0: this point has none
		Traces       []Trace `limit:"Traces"` // quantities that the algorithm keeps beside θ
		// Figures of the newest update, in the order of Welcome's names; NaN if the settings define none.
		Figures []float32 `limit:"Figures"`
	}
	// Judged is an event: a measurement of V on episodes outside the training data.
	Judged struct {
		Event        uint64
		Step, Update uint64  // of the measured parameters
		ValueError   float32 // root mean square of V − G, in rewards of the world; NaN: no return is known
		States       uint32  // states with a known return
	}
	// Trace is a quantity of telemetry's table, as the newest update used it.
	Trace struct {
		Name         string
		Value, Bound float32 // Bound is +Inf if there is none
	}
	// XRay is the correction of the newest update in detail. Only the newest counts.
	XRay struct {
		Step, Update, Episodes uint64
		StepsPerSecond         float32
		Figures                []float32 `limit:"Figures"` // as in Point
		Ratios                 []uint32  `limit:"Bins"`    // telemetry.RatioBins
		Ages                   []uint32  `limit:"Bins"`    // telemetry.AgeBins, ages 0 to the figure age-max
		// Returns are the mean returns of the last 100 training episodes of each task of a suite, NaN before the first;
		// else empty.
		Returns []float32 `limit:"Tasks"`
	}
	// Frame is the watched world after a step. Only the newest counts.
	Frame struct {
		Number        uint64
		World         string `limit:"Value"`
		State         []byte `limit:"State"` // envs.World.SetState
		Action        uint8
		Reward        float32
		Return        float32   // of the current episode
		Length        uint32    // steps of the current episode
		End           uint8     // envs.End
		Policy        uint8     // net.Policy: the contents of Behaviour and Target
		Behaviour     []float32 `limit:"Actions"` // μ(·|x) of the acting policy: probabilities, or the means and then σ of each control
		Target        []float32 `limit:"Actions"` // π(·|x) of the learner, now
		Control       []float32 `limit:"Actions"` // real-valued action, ±1 at the ends of each control's range
		Value         float32   // V(x)
		Ratio, Rho, C float32   // π/μ of the action, and its ρ and c
		// Cells of the observation that π saw, row by row, as pixel control sees them; empty without it.
		Cells []Cell `limit:"Cells"`
	}
	// Cell is a square of an observation, under pixel control.
	Cell struct {
		Light float32 // mean of its numbers
		Reach float32 // max_a Q − min_a Q: how far the choice of the action moves its predicted change
	}
	// Gauge has exact values of a finite world, averaged over the start states. Only the newest counts.
	Gauge struct {
		Behaviour, Target, Implied float32 // V^μ, V^π, V^{π_ρ̄,α}
		Learned                    float32 // the network's V
		FromTarget, FromImplied    float32 // rms over states of V − V^π and of V − V^{π_ρ̄,α}
		Contraction                float32 // η, IMPALA Theorem 1
		Worst, Best                float32 // values of the worst and of the best policy: the ends of the scale
	}
	// Weights are the parameters of the network. The value head's number v means Scale·v + Shift, in the rewards that
	// the learner sees, for each task of a suite. Only the newest counts.
	Weights struct {
		Update       uint64    // the update that made Target
		Scale, Shift []float32 `limit:"Tasks"`      // [tasks]
		Target       []float32 `limit:"Parameters"` // parameters of π, the learner's policy
		Behaviour    []float32 `limit:"Parameters"` // parameters of μ, the acting policy; empty: the same
	}
	// Belt is the queue between actors and learner when the acting policy was the newest: a step of each batch, the
	// newest first. Only the newest counts.
	Belt struct {
		Update uint64
		Poses  []Pose `limit:"Belt"`
	}
	// Pose is a step on the belt.
	Pose struct {
		Lean   float32 // of the agent's stick, in radians clockwise from upright; NaN: it has none
		Weight float32 // min(1, π/μ) under the acting policy; NaN: unknown
	}
	// Refused answers a Set or a Do that changed nothing.
	Refused struct {
		Intent uint32
		Key    string
		Reason string `limit:"Reason"` // the reason, and the allowed values
	}
	// Bye is the last message before the server closes a session.
	Bye struct {
		Reason string `limit:"Reason"`
	}
)
