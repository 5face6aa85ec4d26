package exercise

// How an answer is judged. An answer that cannot be judged is an error with a sentence; one that can has a verdict.

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Trained reports whether an answer is judged by runs.
func (e *Exercise) Trained() bool { return e.Reach != nil }

// Asked is an answer with the fields that this exercise asks for, and no others: they alone are kept.
func (e *Exercise) Asked(a *Answer) Answer {
	switch {
	case e.Reach != nil, e.Find != nil:
		return Answer{Settings: a.Settings}
	case e.Number != nil:
		return Answer{Number: a.Number}
	case e.Numbers != nil:
		return Answer{Numbers: a.Numbers}
	case e.Program != nil:
		return Answer{Draw: a.Draw, Targets: a.Targets}
	case e.Cause != nil && e.Cause.Then == "":
		return Answer{Choice: a.Choice}
	}
	return Answer{Choice: a.Choice, Second: a.Second}
}

// Check refuses an answer that cannot be judged, before anything runs.
func (e *Exercise) Check(a *Answer) error {
	switch {
	case e.Reach != nil:
		_, err := e.Reach.Config(a)
		return err
	case e.Find != nil:
		value, ok := a.Settings[e.Find.Key.Key]
		if !ok || len(a.Settings) != 1 {
			return fmt.Errorf("this exercise wants a value of %s and nothing else", e.Find.Key.Key)
		}
		return e.Find.Key.allows(value)
	case e.Number != nil:
		return finite(a.Number)
	case e.Numbers != nil:
		if len(a.Numbers) != len(e.Numbers.Are) {
			return fmt.Errorf("this exercise wants %d numbers: %s", len(e.Numbers.Are), listed(e.Numbers.Names))
		}
		for i := range a.Numbers {
			if err := finite(&a.Numbers[i]); err != nil {
				return err
			}
		}
	case e.Program != nil:
		return e.Program.check(a)
	case e.Cause != nil:
		if a.Choice == nil || *a.Choice < 0 || *a.Choice >= len(e.Cause.Choose) {
			return errors.New("choose one of the answers")
		}
		if e.Cause.Then != "" && (a.Second == nil || *a.Second < 0 || *a.Second >= len(e.Cause.Second)) {
			return errors.New("choose an answer to the second question, too")
		}
	}
	return nil
}

func finite(x *float64) error {
	if x == nil || math.IsNaN(*x) || math.IsInf(*x, 0) {
		return errors.New("this exercise wants a number")
	}
	return nil
}

// Hidden is what an answer is judged on that nobody knows before: what its runs on the hidden seeds came to, or the
// seed of the unrolls that a program is judged on.
type Hidden struct {
	Runs *Measured
	Seed [32]byte
}

// Judge judges what was handed in.
func (e *Exercise) Judge(a *Answer, by Hidden) (Verdict, error) {
	if err := e.Check(a); err != nil {
		return Verdict{}, err
	}
	m := by.Runs
	switch {
	case e.Program != nil:
		return e.Program.judge(e, a, by.Seed)
	case e.Reach != nil:
		return e.reached(a, m)
	case e.Find != nil:
		return e.found(a)
	case e.Number != nil:
		return e.Number.judge(*a.Number), nil
	case e.Numbers != nil:
		return e.Numbers.judge(a.Numbers), nil
	}
	return e.Cause.judge(a), nil
}

// Public judges what everybody may know at once: runs on the public seeds, or the one number that is checked.
func (e *Exercise) Public(a *Answer, m *Measured) (Verdict, error) {
	if err := e.Check(a); err != nil {
		return Verdict{}, err
	}
	switch {
	case e.Reach != nil:
		return e.reachable(a, m)
	case e.Find != nil:
		return e.hint(a)
	case e.Program != nil:
		return e.Program.public(a)
	case e.Numbers != nil:
		n := e.Numbers
		v := Verdict{Say: n.Names[n.Public] + " is not right yet."}
		if n.near(a.Numbers[n.Public], n.Are[n.Public]) {
			v = Verdict{Credit: 1, Say: n.Names[n.Public] + " is right."}
		}
		return v, nil
	}
	return Verdict{}, errors.New("there is nothing to try here: hand your answer in")
}

// within reports whether x lies in a range whose upper end 0 is none.
func within(x, from, to float64) bool { return x >= from-tiny && (to == 0 || x <= to+tiny) }

// tiny forgives the rounding of decimal fractions.
const tiny = 1e-9

// short is a figure as people say it.
func short(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
