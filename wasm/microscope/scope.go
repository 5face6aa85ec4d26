package microscope

import (
	"errors"
	"fmt"
	"html"
	"strings"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/link"
)

// Scope is an unroll under the microscope, with adjustable settings beside the run's, and a selected cell.
type Scope struct {
	Unroll *Unroll
	Config hyper.Config // adjusted
	Step   int          // the diagram unfolds its v
	Asked  int          // the step of the selected cell: Step, or a later one in the row of Πc
	Row    int          // one of the rows of chart.Backup
	From   int          // the first visible step…
	Sight  int          // …of this number

	Now, Run *Numbers // under the adjusted settings, and under the run's own
}

// NewScope starts with the settings of the run, at the first step with a cut ratio.
func NewScope(u *Unroll) (*Scope, error) {
	if err := u.Check(); err != nil {
		return nil, err
	}
	s := &Scope{Unroll: u, Config: u.Config, Row: chart.BackupValue, Sight: len(u.Steps)}
	s.Run = Of(u, &u.Config)
	s.Now = s.Run
	for t, step := range u.Steps {
		if step.Ratio > s.Now.Clip.RhoBar && t+2 < len(u.Steps) {
			s.Step, s.Asked = t, t
			break
		}
	}
	return s, nil
}

// Replace replaces the unroll, and keeps the adjusted settings and the visible part.
func (s *Scope) Replace(u *Unroll) error {
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

// Set adjusts a setting. A leak below 1 changes V-trace into leaky V-trace. It refuses what the run would refuse.
func (s *Scope) Set(key, value string) error {
	next := s.Config
	if err := next.Set(key, value); err != nil {
		return err
	}
	if key == "alpha" && next.Correction == correct.MethodVTrace && next.LeakRho < 1 {
		next.Correction = correct.MethodLeaky
	}
	if next.Correction == correct.MethodOwn && s.Unroll.Config.Correction != correct.MethodOwn {
		return errors.New("your own correction runs in the learner: choose it in the Lab, and look at an unroll of that run")
	}
	if err := next.Validate(); err != nil && s.Unroll.Config.Validate() == nil {
		return err
	}
	s.Config = next
	s.Now = Of(s.Unroll, &s.Config)
	return nil
}

// Reset restores the settings of the run.
func (s *Scope) Reset() { s.Config, s.Now = s.Unroll.Config, s.Run }

// Changed returns the settings that differ from the run's.
func (s *Scope) Changed() []hyper.Setting { return s.Config.Diff(&s.Unroll.Config) }

// Offered reports whether the page shows a setting: settings of forms are shown where they have an effect.
func (s *Scope) Offered(key string) bool {
	row, err := hyper.Lookup(key)
	return err == nil && row.Offered(&s.Config)
}

// Alone says which numbers are means over the whole batch, of which the page sees one trajectory; "" if none is.
func (s *Scope) Alone() string {
	if s.Unroll.Of < 2 {
		return ""
	}
	var said []string
	if s.Now.Correction.Weight == correct.WeightMoment {
		said = append(said, "τ bounds a mean over the batch: the run may leave out other steps than this page.")
	}
	if s.Config.Correction == correct.MethodOwn {
		said = append(said, "The weights are those that your function gave in the run, whatever you change here.")
	}
	if s.Now.Lift != 0 {
		said = append(said, "The lift is β times the mean |A| of the batch: the run adds another number than this page.")
	}
	if said == nil {
		return ""
	}
	return fmt.Sprintf("The batch has %d trajectories, and this page sees one. %s", s.Unroll.Of, strings.Join(said, " "))
}

// Used reports whether a setting has an effect under the adjusted correction. The leak has one: it makes V-trace leaky.
func (s *Scope) Used(key string) bool {
	row, err := hyper.Lookup(key)
	return err == nil && (row.InForce(&s.Config) || key == "alpha" && s.Config.Correction == correct.MethodVTrace)
}

// Controls says, as HTML, which settings a person can change under the adjusted correction: the bars that the diagram
// draws, by dragging, and the others beside it.
func (s *Scope) Controls() string {
	bars := map[string]bool{}
	bars["rho"], bars["c"] = s.Now.Correction.Cuts()
	var dragged, changed []string
	for _, key := range link.MicroscopeKeys {
		row, err := hyper.Lookup(key)
		if err != nil || key == "correction" || !s.Offered(key) || !s.Used(key) {
			continue
		}
		name := "“" + html.EscapeString(row.Words) + "”"
		if row.Symbol != "" {
			name = `<i class="symbol ` + row.Tone + `">` + html.EscapeString(row.Symbol) + "</i>"
		}
		if bars[key] {
			dragged = append(dragged, name)
		} else {
			changed = append(changed, name)
		}
	}
	all := strings.Join(changed[:len(changed)-1], ", ") + " and " + changed[len(changed)-1]
	if dragged == nil {
		return "Change " + all + "."
	}
	return "Drag " + strings.Join(dragged, " and ") + ", or change " + all + "."
}

// Show makes n steps visible.
func (s *Scope) Show(n int) {
	s.Sight = min(max(1, n), len(s.Unroll.Steps))
	s.follow()
}

// Choose selects a cell. A later cell in the row of Πc leaves Step where it is.
func (s *Scope) Choose(step, row int) {
	s.Asked = min(max(0, step), len(s.Unroll.Steps)-1)
	s.Row = min(max(0, row), chart.BackupRows-1)
	if s.Row != chart.BackupReach || s.Asked < s.Step {
		s.Step = s.Asked
	}
	s.follow()
}

// Walk selects the cell at a distance of steps and rows.
func (s *Scope) Walk(steps, rows int) {
	if rows != 0 {
		s.Choose(s.Step, s.Row+rows)
		return
	}
	s.Choose(s.Asked+steps, s.Row)
}

// follow keeps the selected step visible, with one before it and some after.
func (s *Scope) follow() {
	last := len(s.Unroll.Steps) - s.Sight
	if s.Asked < s.From+1 {
		s.From = s.Asked - 1
	} else if s.Asked > s.From+s.Sight-2 {
		s.From = s.Asked - s.Sight + 2
	}
	s.From = min(max(0, s.From), last)
}

// Title describes the unroll.
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
