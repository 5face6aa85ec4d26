package exercise

// The judgement of an answer. An answer that cannot be judged is an error with a sentence.

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Trained reports whether runs decide the exercise.
func (e *Exercise) Trained() bool { return e.Reach != nil }

// Asked returns an answer with only the fields that this exercise asks for.
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
	case e.Cause.Then == "":
		return Answer{Choice: a.Choice}
	}
	return Answer{Choice: a.Choice, Second: a.Second}
}

// Check returns an error for an answer that cannot be judged.
func (e *Exercise) Check(a *Answer) error {
	switch {
	case e.Reach != nil:
		_, err := e.Reach.Config(a)
		return err
	case e.Find != nil:
		return e.Find.check(a)
	case e.Number != nil:
		return finite(a.Number)
	case e.Numbers != nil:
		return e.Numbers.check(a.Numbers)
	case e.Program != nil:
		return e.Program.check(a)
	}
	return e.Cause.check(a)
}

func finite(x *float64) error {
	if x == nil || math.IsNaN(*x) || math.IsInf(*x, 0) {
		return errors.New("this exercise wants a number")
	}
	return nil
}

// Hidden is the secret part of a judgement: the results on hidden seeds, or the seed of a program's unrolls.
type Hidden struct {
	Runs *Measured
	Seed [32]byte
}

// Judge judges a hand-in.
func (e *Exercise) Judge(a *Answer, by Hidden) (Verdict, error) {
	if err := e.Check(a); err != nil {
		return Verdict{}, err
	}
	switch {
	case e.Program != nil:
		return e.Program.judge(e, a, by.Seed)
	case e.Reach != nil:
		return e.Reach.judge(e, a, by.Runs)
	case e.Find != nil:
		return e.Find.judge(e, a)
	case e.Number != nil:
		return e.Number.judge(*a.Number), nil
	case e.Numbers != nil:
		return e.Numbers.judge(a.Numbers), nil
	}
	return e.Cause.judge(a), nil
}

// Public judges a try: runs on the public seeds, or the part of an answer that can be checked at once.
func (e *Exercise) Public(a *Answer, m *Measured) (Verdict, error) {
	if err := e.Check(a); err != nil {
		return Verdict{}, err
	}
	switch {
	case e.Reach != nil:
		return e.Reach.public(e, a, m)
	case e.Find != nil:
		return e.Find.public(a)
	case e.Program != nil:
		return e.Program.public(a)
	case e.Numbers != nil:
		n := e.Numbers
		if n.near(a.Numbers[n.Public], n.Are[n.Public]) {
			return Verdict{Credit: 1, Say: n.Names[n.Public] + " is right."}, nil
		}
		return Verdict{Say: n.Names[n.Public] + " is not right yet."}, nil
	}
	return Verdict{}, errors.New("there is nothing to try here: hand your answer in")
}

func (n *Number) judge(x float64) Verdict {
	v := Verdict{Say: "No."}
	if within(x, n.From, n.To) && x <= n.To+tiny {
		v = Verdict{Credit: 1, Figure: &n.Is, Say: "Yes: " + strings.TrimSpace(short(n.Is)+" "+n.Unit) + "."}
	} else if v.Credit = credit(n.Part, x); v.Credit > 0 {
		v.Say = "Near."
	}
	for _, s := range n.Slips {
		if math.Abs(x-s.Is[0]) <= .03*math.Abs(s.Is[0])+tiny {
			v.Say = s.Say
			break
		}
	}
	return v
}

func (n *Numbers) check(given []float64) error {
	if len(given) != len(n.Are) {
		return fmt.Errorf("this exercise wants %d numbers: %s", len(n.Are), listed(n.Names))
	}
	for i := range given {
		if err := finite(&given[i]); err != nil {
			return err
		}
	}
	return nil
}

func (n *Numbers) near(x, y float64) bool { return math.Abs(x-y) <= n.Within+tiny }

func (n *Numbers) judge(given []float64) Verdict {
	var right, wrong []string
	for i, x := range given {
		if n.near(x, n.Are[i]) {
			right = append(right, n.Names[i])
		} else {
			wrong = append(wrong, n.Names[i])
		}
	}
	v := Verdict{Credit: float64(len(right)) / float64(len(given))}
	switch {
	case len(wrong) == 0:
		v.Say = "All are right."
	case len(right) == 0:
		v.Say = "None is right yet."
	default:
		v.Say = fmt.Sprintf("Right: %s. Not yet: %s.", listed(right), listed(wrong))
	}
	if slip := n.slip(given); slip != "" {
		v.Say = slip
	}
	return v
}

// slip returns the sentence for numbers of a known mistake, or "".
func (n *Numbers) slip(given []float64) string {
	for _, s := range n.Slips {
		if n.matches(given, s.Is) {
			return s.Say
		}
	}
	return ""
}

func (n *Numbers) matches(given, slip []float64) bool {
	for i := range given {
		if !n.near(given[i], slip[i]) {
			return false
		}
	}
	return true
}

func (c *Cause) check(a *Answer) error {
	if a.Choice == nil || *a.Choice < 0 || *a.Choice >= len(c.Choose) {
		return errors.New("choose one of the answers")
	}
	if c.Then != "" && (a.Second == nil || *a.Second < 0 || *a.Second >= len(c.Second)) {
		return errors.New("choose an answer to the second question, too")
	}
	return nil
}

func (c *Cause) judge(a *Answer) Verdict {
	first := c.Choose[*a.Choice]
	v := Verdict{Say: first.Why}
	if first.Right {
		v.Credit = 1
	}
	if c.Then != "" {
		second := c.Second[*a.Second]
		v.Credit /= 2
		if first.Right { // the second question is about the right cause
			if second.Right {
				v.Credit += .5
			}
			v.Say = strings.TrimSpace(v.Say + " " + second.Why)
		}
	}
	return v
}

// credit returns the best credit of the parts that x is in.
func credit(parts []Part, x float64) (best float64) {
	for _, p := range parts {
		if within(x, p.From, p.To) {
			best = max(best, p.Credit)
		}
	}
	return best
}

// within reports whether x is in a range; an upper end of 0 is none.
func within(x, from, to float64) bool { return x >= from-tiny && (to == 0 || x <= to+tiny) }

// tiny allows for the rounding of decimal fractions.
const tiny = 1e-9

// short writes a figure in three digits, or a large one without decimals.
func short(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// listed joins words in a sentence.
func listed(words []string) string {
	switch n := len(words); n {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}
