package exercise

// The judgement of an answer. An answer that cannot be judged is an error with a sentence.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// kind is a kind of exercise: the fields that it asks for, or why it cannot judge them; and its verdicts on a hand-in
// and on a try.
type kind interface {
	asked(a *Answer) (Answer, error)
	judge(e *Exercise, a *Answer, by Hidden) (Verdict, error)
	public(e *Exercise, a *Answer, m *Measured) (Verdict, error)
}

// kind returns the kind that the file has.
func (e *Exercise) kind() kind {
	switch {
	case e.Reach != nil:
		return e.Reach
	case e.Find != nil:
		return e.Find
	case e.Number != nil:
		return e.Number
	case e.Numbers != nil:
		return e.Numbers
	case e.Program != nil:
		return e.Program
	}
	return e.Cause
}

// Trained reports whether runs decide the exercise.
func (e *Exercise) Trained() bool { return e.Reach != nil }

// Asked returns an answer with only the fields that this exercise asks for, and an error if they cannot be judged.
func (e *Exercise) Asked(a *Answer) (Answer, error) { return e.kind().asked(a) }

// ErrUntouched refuses a hand-in of the settings of the start.
var ErrUntouched = errors.New("these are the settings of the start: change one, and try it before you hand it in")

// Spent returns an error if that many hand-ins, or checks of a figure, are the limit.
func (e *Exercise) Spent(handIn bool, before int) error {
	switch {
	case handIn && before >= e.Tries:
		return fmt.Errorf("this has been handed in %d times, and that is the limit; the best counts", e.Tries)
	case !handIn && e.Find != nil && before >= e.Find.Hints:
		return fmt.Errorf("this has been checked %d times, and that is the limit: hand it in", e.Find.Hints)
	}
	return nil
}

// Hidden is the secret part of a judgement: the results on hidden seeds, or the seed of a program's unrolls.
type Hidden struct {
	Runs *Measured
	Seed [32]byte
}

// Judge judges a hand-in.
func (e *Exercise) Judge(a *Answer, by Hidden) (v Verdict, err error) {
	if _, err = e.Asked(a); err == nil {
		v, err = e.kind().judge(e, a, by)
	}
	return v, err
}

// Public judges a try: runs on the public seeds, or the part of an answer that can be checked at once.
func (e *Exercise) Public(a *Answer, m *Measured) (v Verdict, err error) {
	if _, err = e.Asked(a); err == nil {
		v, err = e.kind().public(e, a, m)
	}
	return v, err
}

var errNoTry = errors.New("there is nothing to try here: hand your answer in")

func finite(x *float64) error {
	if x == nil || math.IsNaN(*x) || math.IsInf(*x, 0) {
		return errors.New("this exercise wants a number")
	}
	return nil
}

func (*Number) asked(a *Answer) (Answer, error) { return Answer{Number: a.Number}, finite(a.Number) }

func (*Number) public(*Exercise, *Answer, *Measured) (Verdict, error) { return Verdict{}, errNoTry }

func (n *Number) judge(_ *Exercise, a *Answer, _ Hidden) (Verdict, error) {
	x, v := *a.Number, Verdict{Say: "No."}
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
	return v, nil
}

func (n *Numbers) asked(a *Answer) (asked Answer, err error) {
	asked.Numbers = a.Numbers
	if len(a.Numbers) != len(n.Are) {
		err = fmt.Errorf("this exercise wants %d numbers: %s", len(n.Are), listed(n.Names))
	}
	for i := range a.Numbers {
		err = cmp.Or(err, finite(&a.Numbers[i]))
	}
	return asked, err
}

func (n *Numbers) near(x, y float64) bool { return math.Abs(x-y) <= n.Within+tiny }

func (n *Numbers) public(_ *Exercise, a *Answer, _ *Measured) (Verdict, error) {
	if n.near(a.Numbers[n.Public], n.Are[n.Public]) {
		return Verdict{Credit: 1, Say: n.Names[n.Public] + " is right."}, nil
	}
	return Verdict{Say: n.Names[n.Public] + " is not right yet."}, nil
}

func (n *Numbers) judge(_ *Exercise, a *Answer, _ Hidden) (Verdict, error) {
	var right, wrong []string
	for i, x := range a.Numbers {
		if n.near(x, n.Are[i]) {
			right = append(right, n.Names[i])
		} else {
			wrong = append(wrong, n.Names[i])
		}
	}
	v := Verdict{Credit: float64(len(right)) / float64(len(a.Numbers))}
	switch {
	case len(wrong) == 0:
		v.Say = "All are right."
	case len(right) == 0:
		v.Say = "None is right yet."
	default:
		v.Say = fmt.Sprintf("Right: %s. Not yet: %s.", listed(right), listed(wrong))
	}
	if slip := n.slip(a.Numbers); slip != "" {
		v.Say = slip
	}
	return v, nil
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

func (c *Cause) asked(a *Answer) (asked Answer, err error) {
	if asked.Choice = a.Choice; !chosen(a.Choice, c.Choose) {
		err = errChoose
	}
	if c.Then == "" {
		return asked, err
	}
	if asked.Second = a.Second; !chosen(a.Second, c.Second) {
		err = cmp.Or(err, errors.New("choose an answer to the second question, too"))
	}
	return asked, err
}

var errChoose = errors.New("choose one of the answers")

// chosen reports whether a choice is one of the options.
func chosen(choice *int, of []Option) bool { return choice != nil && *choice >= 0 && *choice < len(of) }

func (*Cause) public(*Exercise, *Answer, *Measured) (Verdict, error) { return Verdict{}, errNoTry }

func (c *Cause) judge(_ *Exercise, a *Answer, _ Hidden) (Verdict, error) {
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
	return v, nil
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
