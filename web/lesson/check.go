package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	numbers "impalab/wasm/number"
)

// Check is the task at the end of a lesson: a run that the reader makes, or a number.
type Check struct {
	Ask    string  `yaml:"ask"`
	Live   []Live  `yaml:"live"`  // where the reader begins
	Run    *Goal   `yaml:"run"`   // nil: a number is asked for
	Exact  string  `yaml:"exact"` // the quantity that is the answer
	Is     float64 `yaml:"is"`
	Within float64 `yaml:"within"` // how far off it may be, as a share of it
	Slips  []Slip  `yaml:"slips"`  // wrong numbers whose cause is known
	Good   Answer  `yaml:"good"`   // passes
	Bad    Answer  `yaml:"bad"`    // does not

	Title string `yaml:"-"`
	Prose string `yaml:"-"`

	say *Verdicts
}

// Goal is what a run has to do.
type Goal struct {
	Locked map[string]string `yaml:"locked"` // settings that have to stay
	After  uint64            `yaml:"after"`  // steps before it is judged
	Within uint64            `yaml:"within"` // steps it may take; 0: any
	Above  float64           `yaml:"above"`  // mean return of the last hundred episodes
}

// Slip is a wrong number and what led to it.
type Slip struct {
	Value float64 `yaml:"value"`
	Say   string  `yaml:"say"`
}

// Answer is a stored answer: a run, made again by `impalab reproduce lessons`, or a number.
type Answer struct {
	Train  string  `yaml:"train"`
	Steps  uint64  `yaml:"steps"`
	Return float64 `yaml:"return"`
	Number float64 `yaml:"number"`
}

// Outcome is a run as far as it counts for a check.
type Outcome struct {
	Settings map[string]string // in force
	Steps    uint64
	Return   float64 // mean of the last hundred episodes; NaN before the first
	Turned   bool    // a setting was changed on the way
}

// Verdict is what a check says of an answer.
type Verdict struct {
	Passed bool   `json:"passed"`
	Say    string `json:"say"`
}

// Unknown is the verdict on a run that the server does not have.
func (c *Check) Unknown() Verdict { return Verdict{Say: c.say.Gone} }

// Judge judges a run.
func (c *Check) Judge(o Outcome) Verdict {
	g := c.Run
	if g == nil {
		return Verdict{Say: c.say.Number}
	}
	var keys []string
	for key := range g.Locked {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if want, have := g.Locked[key], o.Settings[key]; have != want {
			return Verdict{Say: fmt.Sprintf(c.say.Locked, title(key), have, want)}
		}
	}
	switch {
	case o.Turned:
		return Verdict{Say: c.say.Turned}
	case g.Within > 0 && o.Steps > g.Within:
		return Verdict{Say: fmt.Sprintf(c.say.Late, numbers.Count(o.Steps), numbers.Count(g.Within))}
	case o.Steps < g.After:
		return Verdict{Say: fmt.Sprintf(c.say.Early, numbers.Count(o.Steps), numbers.Count(g.After))}
	case !(o.Return >= g.Above):
		return Verdict{Say: fmt.Sprintf(c.say.Low, o.Return, g.Above)}
	}
	return Verdict{true, fmt.Sprintf(c.say.Passed, o.Return, numbers.Count(o.Steps))}
}

func title(key string) string {
	if row, err := hyper.Lookup(key); err == nil {
		return strings.ToUpper(row.Words[:1]) + row.Words[1:]
	}
	return key
}

// JudgeNumber judges what the reader typed.
func (c *Check) JudgeNumber(text string) Verdict {
	x, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if c.Run != nil || err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return Verdict{Say: c.say.Number}
	}
	near := func(y float64) bool { return math.Abs(x-y) <= c.Within*math.Abs(y)+tiny }
	if near(c.Is) {
		return Verdict{true, fmt.Sprintf(c.say.Is, c.Is)}
	}
	for _, s := range c.Slips {
		if near(s.Value) {
			return Verdict{Say: s.Say}
		}
	}
	if x < c.Is {
		return Verdict{Say: c.say.More}
	}
	return Verdict{Say: c.say.Less}
}
