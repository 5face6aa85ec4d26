package exercise

// Answers that are judged without runs: a setting, a number, several, or a cause.

import (
	"fmt"
	"math"
	"strings"

	"impalab/learner/hyper"
)

func (e *Exercise) found(a *Answer) (Verdict, error) {
	x, target, value, err := e.Find.look(a)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Figure: &x}
	switch off := math.Abs(x - target); {
	case off <= e.Find.Within+tiny:
		v.Credit = 1
	case off <= e.Find.Half+tiny:
		v.Credit = .5
	}
	v.Say = e.say(facts{"credit": v.Credit, "figure": x, e.Find.Key.Key: value}, nil)
	return v, nil
}

// look computes an answer and the target.
func (f *Find) look(a *Answer) (x, target, value float64, err error) {
	row, err := hyper.Lookup(f.Key.Key)
	if err != nil {
		return 0, 0, 0, err
	}
	if value, err = row.Parse(a.Settings[f.Key.Key]); err != nil {
		return 0, 0, 0, err
	}
	if x, err = f.at(value); err != nil {
		return 0, 0, 0, err
	}
	return x, f.Target, value, nil
}

func (e *Exercise) hint(a *Answer) (Verdict, error) {
	x, target, _, err := e.Find.look(a)
	switch {
	case err != nil:
		return Verdict{}, err
	case math.Abs(x-target) <= e.Find.Within+tiny:
		return Verdict{Credit: 1, Say: "That is near enough: hand it in."}, nil
	case x < target:
		return Verdict{Say: "It ends too low: go higher."}, nil
	}
	return Verdict{Say: "It ends too high: go lower."}, nil
}

func (n *Number) judge(x float64) Verdict {
	v := Verdict{Figure: &n.Is}
	switch {
	case within(x, n.From, n.To) && x <= n.To+tiny:
		v.Credit, v.Say = 1, "Yes: "+short(n.Is)+n.unit()+"."
	default:
		for _, p := range n.Part {
			if x >= p.From-tiny && x <= p.To+tiny {
				v.Credit = max(v.Credit, p.Credit)
			}
		}
		v.Say = "No."
		if v.Credit > 0 {
			v.Say = "Near."
		}
	}
	for _, s := range n.Slips {
		if math.Abs(x-s.Is[0]) <= .03*math.Abs(s.Is[0])+tiny {
			v.Say = s.Say
			break
		}
	}
	if v.Credit < 1 {
		v.Figure = nil // it may be handed in again
	}
	return v
}

func (n *Number) unit() string {
	if n.Unit == "" {
		return ""
	}
	return " " + n.Unit
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

// slip is what is said to whoever works out these numbers; "" where nobody knows how.
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
