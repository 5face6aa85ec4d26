package microscope

import (
	"fmt"
	"impalab/learner/correct"

	"impalab/learner/hyper"
)

// Row is a row of the diagram: what there is to ask about a step.
type Row int

// Rows from the top down.
const (
	RowChance Row = iota
	RowRatio
	RowRho
	RowC
	RowReach
	RowDelta
	RowValue
	RowAdvantage
	Rows
)

// Keys are the settings that can be turned here.
var Keys = []string{"rho", "c", "lambda", "alpha", "gamma", "correction"}

// Scope is an unroll under the microscope: the settings in the hand beside those of the run, and the cell that is asked
// about.
type Scope struct {
	Unroll *Unroll
	Config hyper.Config // in the hand
	Step   int          // whose v is unfolded
	Asked  int          // the step of the cell that is asked about: Step, or in the row of Πc a later one
	Row    Row
	From   int // the first step in sight…
	Sight  int // …and how many are

	now, run *Numbers
}

// NewScope begins with the settings of the run, at the step that has most to tell: the first one whose ratio is cut.
func NewScope(u *Unroll) (*Scope, error) {
	if err := u.Check(); err != nil {
		return nil, err
	}
	s := &Scope{Unroll: u, Config: u.Config, Row: RowValue, Sight: len(u.Steps)}
	s.run = Of(u, &u.Config)
	s.now = s.run
	for t, step := range u.Steps {
		if step.Ratio > s.now.Clip.RhoBar && t+2 < len(u.Steps) {
			s.Step, s.Asked = t, t
			break
		}
	}
	return s, nil
}

// Keep has another unroll take the place of this one, with the settings in the hand and what is in sight.
func (s *Scope) Keep(u *Unroll) error {
	next, err := NewScope(u)
	if err != nil {
		return err
	}
	for _, c := range s.Changed() {
		if err := next.Set(c.Key, c.Value); err != nil {
			return err
		}
	}
	next.Row, next.Sight = s.Row, s.Sight
	*s = *next
	s.follow()
	return nil
}

// Now are the numbers under the settings in the hand, Run those under the run's own.
func (s *Scope) Now() *Numbers { return s.now }
func (s *Scope) Run() *Numbers { return s.run }

// Set turns a setting. A leak below 1 is what leaky V-trace adds to V-trace, and makes one of the other.
func (s *Scope) Set(key, value string) error {
	next := s.Config
	if err := next.Set(key, value); err != nil {
		return err
	}
	if key == "alpha" && next.Correction == correct.MethodVTrace && next.LeakRho < 1 {
		next.Correction = correct.MethodLeaky
	}
	s.Config = next
	s.now = Of(s.Unroll, &s.Config)
	return nil
}

// Reset goes back to the settings of the run.
func (s *Scope) Reset() { s.Config, s.now = s.Unroll.Config, s.run }

// Changed are the settings that differ from the run's.
func (s *Scope) Changed() []hyper.Setting { return s.Config.Diff(&s.Unroll.Config) }

// Used reports whether a setting has an effect under the correction in the hand. The leak has: it makes V-trace leaky.
func (s *Scope) Used(key string) bool {
	row, err := hyper.Lookup(key)
	return err == nil && (row.InForce(&s.Config) || key == "alpha" && s.Config.Correction == correct.MethodVTrace)
}

// Show puts n steps in sight.
func (s *Scope) Show(n int) {
	s.Sight = min(max(1, n), len(s.Unroll.Steps))
	s.follow()
}

// Choose asks about a cell. How much of a later step reaches the chosen one is asked without choosing that step.
func (s *Scope) Choose(step int, row Row) {
	s.Asked = min(max(0, step), len(s.Unroll.Steps)-1)
	s.Row = min(max(0, row), Rows-1)
	if s.Row != RowReach || s.Asked < s.Step {
		s.Step = s.Asked
	}
	s.follow()
}

// Walk goes to the cell so many steps and rows on.
func (s *Scope) Walk(steps, rows int) {
	if s.Row+Row(rows) != s.Row {
		s.Choose(s.Step, s.Row+Row(rows))
		return
	}
	s.Choose(s.Asked+steps, s.Row)
}

// follow keeps the chosen step in sight, with one before it and some after where there are any.
func (s *Scope) follow() {
	last := len(s.Unroll.Steps) - s.Sight
	if s.Asked < s.From+1 {
		s.From = s.Asked - 1
	} else if s.Asked > s.From+s.Sight-2 {
		s.From = s.Asked - s.Sight + 2
	}
	s.From = min(max(0, s.From), last)
}

// Title says which unroll it is.
func (u *Unroll) Title() string {
	what := "fresh from its actor"
	if u.Replayed {
		what = "from the replay"
	}
	if u.Actor >= 0 && !u.Replayed {
		what = fmt.Sprintf("played by actor %d", u.Actor)
	}
	age := fmt.Sprintf("%d updates old", u.Age)
	if u.Age == 1 {
		age = "1 update old"
	}
	return fmt.Sprintf("%s, update %d: trajectory %d of %d, %s, %s", u.World, u.Update, u.Column+1, u.Of, what, age)
}
