package exercise

// Checks of the files: an exercise that cannot be answered, or a plan that does not fill its time.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"impalab/learner/hyper"
)

func TestEveryFileIsAWholeExerciseOrPlan(t *testing.T) {
	for _, e := range All() {
		if err := e.check(); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
	for _, p := range Plans() {
		if err := p.check(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

func (e *Exercise) check() error {
	if e.Name == "" || e.Title == "" || e.Ask == "" || e.Answer == "" || e.Tries < 1 {
		return errors.New("needs name, title, ask, answer and tries")
	}
	kinds := 0
	for _, there := range []bool{e.Reach != nil, e.Find != nil, e.Number != nil, e.Numbers != nil, e.Cause != nil,
		e.Program != nil} {
		if there {
			kinds++
		}
	}
	if kinds != 1 {
		return fmt.Errorf("%d kinds; must be one of reach, find, number, numbers, cause and program", kinds)
	}
	switch {
	case e.Reach != nil:
		r := e.Reach
		if r.Measure != OfReturn && r.Measure != OfFallen {
			return fmt.Errorf("measure %q; must be return or fallen", r.Measure)
		}
		if r.Public.Seeds < 1 || r.Hidden.Seeds < 1 {
			return errors.New("needs public and hidden seeds")
		}
		if _, err := r.Config(&Answer{}); err != nil {
			return err
		}
		return r.Start.check()
	case e.Find != nil:
		_, err := e.Find.at(1)
		return err
	case e.Numbers != nil:
		n := len(e.Numbers.Are)
		if n == 0 || len(e.Numbers.Names) != n || e.Numbers.Public >= n {
			return fmt.Errorf("%d numbers with %d names; the public one is %d", n, len(e.Numbers.Names), e.Numbers.Public)
		}
		for _, s := range e.Numbers.Slips {
			if len(s.Is) != n {
				return fmt.Errorf("slip %v does not have %d numbers", s.Is, n)
			}
		}
	case e.Number != nil:
		if !(e.Number.From <= e.Number.Is && e.Number.Is <= e.Number.To) {
			return fmt.Errorf("%g is not between %g and %g", e.Number.Is, e.Number.From, e.Number.To)
		}
	case e.Program != nil:
		return e.Program.checkFile()
	case e.Cause != nil:
		if (e.Cause.Then == "") != (len(e.Cause.Second) == 0) {
			return errors.New("then and second go together")
		}
		return oneRight(e.Cause.Choose)
	}
	return nil
}

func (p *Program) checkFile() error {
	if len(p.Groups) == 0 || p.Within <= 0 || p.Unrolls < 1 {
		return errors.New("needs groups, within and unrolls")
	}
	for _, g := range p.Groups {
		if g.Title == "" || len(g.Rho) == 0 || len(g.C) == 0 || len(g.Lambda) == 0 {
			return errors.New("a group needs title, rho, c and lambda")
		}
	}
	for _, s := range p.Slips {
		if mistakes[s.Of] == nil {
			return fmt.Errorf("unknown mistake %q; there are %s", s.Of, listed(slices.Sorted(maps.Keys(mistakes))))
		}
	}
	for _, s := range p.Public {
		n := len(s.Reward)
		for _, series := range [][]float64{s.Discount, s.Value, s.Ratio} {
			if len(series) != n || n == 0 {
				return fmt.Errorf("%s: its series differ in length", s.Title)
			}
		}
	}
	return nil
}

func oneRight(of []Option) error {
	right := 0
	for _, o := range of {
		if o.Right {
			right++
		}
	}
	if right != 1 {
		return fmt.Errorf("%d of the options are right; must be one", right)
	}
	return nil
}

func (s *Start) check() error {
	cfg, err := s.Config(nil)
	if err != nil {
		return err
	}
	for _, k := range s.Keys {
		if _, err := hyper.Lookup(k.Key); err != nil {
			return err
		}
		for _, value := range append([]string{cfg.Get(k.Key), k.From, k.To}, k.Values...) {
			if value == "" {
				continue
			}
			if err := k.allows(value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Plan) check() error {
	seen, minutes := map[string]bool{}, 0
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Name == "" || s.Title == "" || seen[s.Name] {
			return fmt.Errorf("step %d: needs a unique name and a title", i+1)
		}
		seen[s.Name] = true
		minutes += s.Minutes
		if err := s.check(); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if minutes != p.Minutes {
		return fmt.Errorf("the steps take %d minutes, not %d", minutes, p.Minutes)
	}
	for _, name := range p.Homework {
		if _, err := Named(name); err != nil {
			return err
		}
	}
	return nil
}

func (s *Step) check() error {
	switch {
	case s.Run != nil:
		return s.Run.check()
	case s.Lab != nil:
		return s.Lab.check()
	case s.Exercise != "":
		_, err := Named(s.Exercise)
		return err
	case s.Predict != nil:
		return s.Predict.check()
	}
	return nil
}

func (q *Question) check() error {
	if len(q.Choose) > 0 {
		return oneRight(q.Choose)
	}
	if !(q.From < q.To) || q.Is < q.From || q.Is > q.To || q.Log && q.From <= 0 {
		return fmt.Errorf("%g is not on an axis from %g to %g", q.Is, q.From, q.To)
	}
	return nil
}
