package exercise

// Reading a file: what is wrong in it is said when the program is tested, and not to a class.

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"impalab/learner/hyper"
	"impalab/web/lesson/quantity"
)

// Parse reads one exercise.
func Parse(text []byte) (*Exercise, error) {
	e := &Exercise{}
	if err := read(text, e); err != nil {
		return nil, err
	}
	if e.Name == "" || e.Title == "" || e.Ask == "" || e.Answer == "" || e.Tries < 1 {
		return nil, errors.New("want name, title, ask, answer and tries")
	}
	kinds := 0
	for _, there := range []bool{e.Reach != nil, e.Find != nil, e.Number != nil, e.Numbers != nil, e.Cause != nil,
		e.Program != nil} {
		if there {
			kinds++
		}
	}
	if kinds != 1 {
		return nil, fmt.Errorf("%d kinds; want one of reach, find, number, numbers, cause and program", kinds)
	}
	if err := e.check(); err != nil {
		return nil, err
	}
	for _, s := range e.Say {
		for _, when := range s.When {
			if _, err := parseCondition(when); err != nil {
				return nil, err
			}
		}
	}
	return e, nil
}

func (e *Exercise) check() error {
	switch {
	case e.Reach != nil:
		return e.Reach.check()
	case e.Find != nil:
		_, err := e.Find.at(1)
		return err
	case e.Numbers != nil:
		n := len(e.Numbers.Are)
		if n == 0 || len(e.Numbers.Names) != n || e.Numbers.Public >= n {
			return fmt.Errorf("%d numbers with %d names; the public one is %d", n, len(e.Numbers.Names),
				e.Numbers.Public)
		}
		for _, s := range e.Numbers.Slips {
			if len(s.Is) != n {
				return fmt.Errorf("slip %v has not %d numbers", s.Is, n)
			}
		}
	case e.Number != nil:
		if !(e.Number.From <= e.Number.Is && e.Number.Is <= e.Number.To) {
			return fmt.Errorf("%g is not between %g and %g", e.Number.Is, e.Number.From, e.Number.To)
		}
	case e.Program != nil:
		return e.Program.checkFile()
	case e.Cause != nil:
		if err := oneRight(e.Cause.Choose); err != nil {
			return err
		}
		if (e.Cause.Then == "") != (len(e.Cause.Second) == 0) {
			return errors.New("then and second go together")
		}
	}
	return nil
}

func (p *Program) checkFile() error {
	if len(p.Groups) == 0 || p.Within <= 0 || p.Unrolls < 1 {
		return errors.New("want groups, within, and how many unrolls are drawn")
	}
	for _, g := range p.Groups {
		if g.Title == "" || len(g.Rho) == 0 || len(g.C) == 0 || len(g.Lambda) == 0 {
			return errors.New("a group wants title, rho, c and lambda")
		}
	}
	for _, s := range p.Slips {
		if mistakes[s.Of] == nil {
			return fmt.Errorf("no mistake is called %q; there are %s", s.Of, listed(slices.Sorted(maps.Keys(mistakes))))
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
		return fmt.Errorf("%d of the answers to choose are right; want one", right)
	}
	return nil
}

func (r *Reach) check() error {
	if r.Measure != OfReturn && r.Measure != OfFallen {
		return fmt.Errorf("measure %q; want return or fallen", r.Measure)
	}
	if r.Public.Seeds < 1 || r.Hidden.Seeds < 1 {
		return errors.New("want seeds, public and hidden")
	}
	return r.Start.check()
}

func (s *Start) check() error {
	cfg, err := s.config(nil)
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

// allows refuses values outside of the range.
func (k *Key) allows(value string) error {
	row, err := hyper.Lookup(k.Key)
	if err != nil {
		return err
	}
	change, err := hyper.ParseChange(k.Key, value)
	if err != nil {
		return err
	}
	if len(k.Values) > 0 {
		for _, v := range k.Values {
			if v == change.Value() {
				return nil
			}
		}
		return fmt.Errorf("%s=%.40s: this exercise allows %s", k.Key, value, listed(k.Values))
	}
	low, err := number(row, k.From, math.Inf(-1))
	if err != nil {
		return err
	}
	high, err := number(row, k.To, math.Inf(1))
	if err != nil {
		return err
	}
	x, err := row.Parse(change.Value())
	if err != nil {
		return err
	}
	if !(x >= low && x <= high) {
		return fmt.Errorf("%s=%.40s: this exercise allows %s to %s", k.Key, value, k.From, k.To)
	}
	return nil
}

func number(row *hyper.Row, text string, otherwise float64) (float64, error) {
	if text == "" {
		return otherwise, nil
	}
	return row.Parse(text)
}

// at is the quantity where the key has a value.
func (f *Find) at(value float64) (float64, error) {
	return quantity.Compute(fmt.Sprintf("%s %s=%v", f.Of, f.Key.Key, value))
}
