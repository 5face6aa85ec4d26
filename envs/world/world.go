// Package world has the parts of every world: its description (Spec), its behaviour (World, Driven, Vector), its
// drawing (Canvas), its chance (Rand) and its state as bytes (Blob). Read World first. Package envs gives all of it the
// same names for its users.
package world

// Spec describes a world for an agent and for a person.
type Spec struct {
	Name    string   `json:"name"` // key in the table, in links and on the command line
	Title   string   `json:"title"`
	Summary string   `json:"summary"` // one sentence: the agent's task and its rewards
	Source  string   `json:"source"`  // where the rules are defined
	Actions []string `json:"actions"` // the name of each action, in the order of its index
	Limit   int      `json:"limit" doc:"Steps after which an episode is cut; 0: never."`
	Random  float32  `json:"random"` // mean return of the uniform policy
	Solved  float32  `json:"solved"` // mean return that counts as solved

	Obs      []int       `json:"-"` // shape of one observation, row-major
	Controls []Control   `json:"-"` // of a Driven world: the meaning of its real numbers; nil elsewhere
	Settings [][]float32 `json:"-"` // of a Driven world: the controls of each named action
	View     [2]float32  `json:"-"` // width and height of the box Draw fills, in the world's own units
	Rate     float32     `json:"-"` // steps per second at which an eye can follow
	Ahead    Ahead       `json:"-"` // how an observation shows the speed forward
}

// Ahead is the number of the value of an observation that is the speed forward, and how many m/s its unit is. A unit
// of 0: the world has no such value.
type Ahead struct {
	Value int
	Unit  float32
}

// Size is the number of values in one observation.
func (s *Spec) Size() int {
	n := 1
	for _, d := range s.Obs {
		n *= d
	}
	return n
}

// End reports whether an episode continues, ended, or was cut by its time limit.
type End uint8

const (
	Running    End = iota
	Terminated     // the episode is over: nothing follows, its discount is 0
	Truncated      // time ran out: the return bootstraps from the state it was cut in
)

// Outcome is the result of one step.
type Outcome struct {
	Reward float32
	End    End
}

// World is one copy of a game. All chance comes from the Rand it is handed, so that a seed decides
// everything; State holds all the rest.
type World interface {
	Spec() *Spec
	// Reset begins an episode.
	Reset(r *Rand)
	// Step applies an action in [0, len(Spec().Actions)); any other panics, as a mistake of the caller. After
	// termination the caller resets. A cut world continues by the same rules, cut at every step, which shows the states
	// that would have followed; its State is then no longer accepted.
	Step(r *Rand, action int) Outcome
	// Observe writes the present observation, Spec().Size() values.
	Observe(obs []float32)
	// State appends the full state; SetState takes it back and refuses a blob of another world or version.
	State(dst []byte) []byte
	SetState(src []byte) error
	// Draw paints the present state and changes nothing.
	Draw(c Canvas)
}

// Control is one real number of an action, and its range.
type Control struct {
	Name      string
	Low, High float32
}

// Driven is a world whose actions are real numbers. Its named actions are a few settings of the controls, for a
// keyboard and for policies that choose among names.
type Driven interface {
	World
	// Drive applies one number for each of Spec().Controls, clipped to its range; a world may charge for the clipped
	// part. NaN panics, as a mistake of the caller.
	Drive(r *Rand, controls []float32) Outcome
}

// Vector is n copies of one world stepped together. A copy whose episode ended or was cut begins the next
// at once: Observe then shows its first observation, and Final the last one of the episode before.
type Vector interface {
	Spec() *Spec
	Len() int
	// Reset starts all copies; copy i draws from its own stream, a function of (seed, i).
	Reset(seed uint64)
	Observe(obs []float32) // [n, Size]
	Step(actions []int32, out []Outcome)
	// Drive is Step with real numbers, [n, len(Controls)]; it panics where the world is not Driven.
	Drive(controls []float32, out []Outcome)
	// Final writes the observation in which copy i's last episode stopped; valid until the next Step.
	Final(i int, obs []float32)
	// Endless takes the time limit away: from now on no copy is cut. Such copies have no State to come back to.
	Endless()
	State(dst []byte) []byte
	SetState(src []byte) error
}

// Ink is a role in the shared drawing language, not a colour; the page's theme decides the colour.
type Ink uint8

const (
	Ground Ink = iota // the floor below everything
	Wall
	Faint  // hairlines, grids, tracks
	Strong // ink: outlines, poles, text
	Agent  // moved by the policy: blue
	Harm   // harm: vermilion
	Prize  // reward: green
	Past   // where the agent was: amber
)

// Canvas receives a world's drawing. Coordinates are the world's own, x right and y down, within Spec.View.
type Canvas interface {
	Rect(x, y, w, h float32, ink Ink)
	Circle(x, y, r float32, ink Ink)
	Line(x0, y0, x1, y1, width float32, ink Ink)
	Polygon(xy []float32, ink Ink) // x0 y0 x1 y1 …, convex
	// Picture stretches pixels over a rectangle: r, g, b of each, in rows of columns pixels, the top row first.
	// The canvas reads rgb before it returns and does not keep it.
	Picture(x, y, w, h float32, rgb []byte, columns int)
}
