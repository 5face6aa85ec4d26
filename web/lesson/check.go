package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	numbers "impalab/web/number"
)

// Check is the task at the end of a lesson: a run that the reader makes, or a number.
type Check struct {
	Ask    string  `yaml:"ask"`
	Live   []Live  `yaml:"live"`  // starting points for the reader
	Run    *Goal   `yaml:"run"`   // nil: a number is asked for
	Exact  string  `yaml:"exact"` // name of the quantity that is the answer
	Is     float64 `yaml:"is"`
	Within float64 `yaml:"within"` // allowed error, as a share of the answer
	Slips  []Slip  `yaml:"slips"`  // wrong numbers with a known cause
	Good   Answer  `yaml:"good"`   // an answer that passes
	Bad    Answer  `yaml:"bad"`    // an answer that fails

	Title string `yaml:"-"`
	Prose string `yaml:"-"`
}

// Goal is the condition that a run must meet.
type Goal struct {
	Locked map[string]string `yaml:"locked"` // settings that must not change
	After  uint64            `yaml:"after"`  // steps before the run is judged
	Within uint64            `yaml:"within"` // steps that the run may take; 0: any
	Above  float64           `yaml:"above"`  // mean return of the last hundred episodes
}

// Slip is a wrong number and the mistake that leads to it.
type Slip struct {
	Value float64 `yaml:"value"`
	Say   string  `yaml:"say"`
}

// Answer is a stored answer, a run or a number. The test that trains Evidence again trains it, too.
type Answer struct {
	Train  string  `yaml:"train"`
	Steps  uint64  `yaml:"steps"`
	Return float64 `yaml:"return"`
	Number float64 `yaml:"number"`
}

// Outcome is the part of a run that a check judges.
type Outcome struct {
	Settings map[string]string // in force
	Steps    uint64
	Return   float64 // mean of the last hundred episodes; NaN before the first
	Turned   bool    // a setting changed during the run
}

// Verdict is the judgement of an answer.
type Verdict struct {
	Passed bool   `json:"passed"`
	Say    string `json:"say"`
}

// Unknown returns the verdict on a run that the server does not have.
func (c *Check) Unknown() Verdict {
	return Verdict{Say: "The server no longer has this run; start it again."}
}

// Judge judges a run.
func (c *Check) Judge(o Outcome) Verdict {
	g := c.Run
	if g == nil {
		return Verdict{Say: "Type a number, like 0.25."}
	}
	var keys []string
	for key := range g.Locked {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if want, have := g.Locked[key], o.Settings[key]; have != want {
			return Verdict{Say: fmt.Sprintf("%s is %s in this run; the task keeps it at %s.", title(key), have, want)}
		}
	}
	switch {
	case o.Turned:
		return Verdict{Say: "A setting was changed on the way. Choose first, then run it from zero with the same seed."}
	case g.Within > 0 && o.Steps > g.Within:
		return Verdict{Say: fmt.Sprintf("The run is at %s steps; it had %s.",
			numbers.Count(o.Steps), numbers.Count(g.Within))}
	case o.Steps < g.After:
		return Verdict{Say: fmt.Sprintf("The run is at %s steps; it is judged from %s on.",
			numbers.Count(o.Steps), numbers.Count(g.After))}
	case !(o.Return >= g.Above):
		return Verdict{Say: fmt.Sprintf("The mean return is %.4g; %.4g is needed.", o.Return, g.Above)}
	}
	return Verdict{true, fmt.Sprintf("Passed: a mean return of %.4g after %s steps.", o.Return, numbers.Count(o.Steps))}
}

func title(key string) string {
	if row, err := hyper.Lookup(key); err == nil {
		return strings.ToUpper(row.Words[:1]) + row.Words[1:]
	}
	return key
}

// JudgeNumber judges a number that the reader typed.
func (c *Check) JudgeNumber(text string) Verdict {
	x, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if c.Run != nil || err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return Verdict{Say: "Type a number, like 0.25."}
	}
	near := func(y float64) bool { return math.Abs(x-y) <= c.Within*math.Abs(y)+tiny }
	if near(c.Is) {
		return Verdict{true, fmt.Sprintf("Passed: it is %.4g.", c.Is)}
	}
	for _, s := range c.Slips {
		if near(s.Value) {
			return Verdict{Say: s.Say}
		}
	}
	if x < c.Is {
		return Verdict{Say: "It is more than that."}
	}
	return Verdict{Say: "It is less than that."}
}
