// Package lesson reads the lessons and judges answers to them. Start with Lesson, then read text/01-late.md.
//
// A lesson is one file. Its head names it, and each heading starts a step of prose. Blocks marked live, plot,
// predict, evidence and check contain YAML. The page shows the prose after a prediction once the reader has made it.
package lesson

import (
	"math"
	"strings"
)

// Lesson is one lesson.
type Lesson struct {
	Name     string   `yaml:"name"` // as in /learn/NAME
	Title    string   `yaml:"title"`
	Sentence string   `yaml:"sentence"` // summary for the list of lessons
	Needs    []string `yaml:"needs"`    // lessons to read before
	Words    []string `yaml:"words"`    // terms that it introduces
	Core     []int    `yaml:"core"`     // steps of the short path, from 1

	Number int    `yaml:"-"` // from 1, in the order of file names
	Steps  []Step `yaml:"-"`
	Check  Check  `yaml:"-"`
	Aside  string `yaml:"-"` // extra text for curious readers; ""
}

// Step is one idea with its prediction and its evidence.
type Step struct {
	Title    string
	Core     bool
	Prose    string // Markdown; $…$ is a formula
	Live     []Live
	Plot     *Plot
	Predict  *Predict
	Reveal   string // Markdown, hidden until the prediction is made
	Evidence *Evidence
}

// Live is a button that opens a run, or a page of the microscope, in the live figure.
type Live struct {
	Say  string `yaml:"say"`
	Link string `yaml:"link"` // the part after #v=1& of a Lab link; or the path of a page
}

// Page reports whether the button opens a page, not a run.
func (l Live) Page() bool { return !strings.Contains(l.Link, "=") }

// Predict is a question that the reader answers first: by choosing, or by dragging a bar, a marker or a curve. Exactly
// one of the four fields is set.
type Predict struct {
	Ask    string   `yaml:"ask"`
	Choose []Option `yaml:"choose"`
	Bar    *Scale   `yaml:"bar"`
	Dial   *Dial    `yaml:"dial"`
	Curve  *Drawing `yaml:"curve"`
}

// Option is one answer to choose.
type Option struct {
	Say   string `yaml:"say"`
	Why   string `yaml:"why"` // reply to a reader who chose it
	Right bool   `yaml:"right"`
}

// Scale is an axis with a handle. The answer is a row of the step's evidence.
type Scale struct {
	Name   string  `yaml:"name"` // of the value that is dragged
	From   float64 `yaml:"from"`
	To     float64 `yaml:"to"`
	Log    bool    `yaml:"log"`
	Unit   string  `yaml:"unit"`
	Tone   string  `yaml:"tone"`
	Answer string  `yaml:"answer"` // name of the row
	Within float64 `yaml:"within"` // allowed error; a factor on a logarithmic axis

	Value float64 `yaml:"-"` // figure of the row
}

// Dial is an exact function of the dragged value. The page shows its curve after the reader has chosen a value.
type Dial struct {
	Scale  `yaml:",inline"`
	Of     string   `yaml:"of"`     // a quantity with all arguments but one, like "destination c=1"
	Along  string   `yaml:"along"`  // name of the missing argument
	Target *float64 `yaml:"target"` // a level that the curve should reach; nil: none
	Level  string   `yaml:"level"`  // name of the vertical axis

	Curve []Point `yaml:"-"`
}

// Drawing is a curve whose start is shown and whose rest the reader draws.
type Drawing struct {
	Y      string  `yaml:"y"` // name of the vertical axis
	To     float64 `yaml:"to"`
	Known  float64 `yaml:"known"`  // steps of the shown part
	Answer string  `yaml:"answer"` // name of the row with the curve
	Within float64 `yaml:"within"`

	Truth []Point `yaml:"-"`
}

// Point is a point of a curve.
type Point struct{ X, Y float64 }

// At returns the value at a share of the axis.
func (s *Scale) At(share float64) float64 {
	if s.Log {
		return s.From * math.Pow(s.To/s.From, share)
	}
	return s.From + (s.To-s.From)*share
}

// Position returns the share of the axis at a value. A value beyond the axis is at its end.
func (s *Scale) Position(x float64) float64 {
	share := (x - s.From) / (s.To - s.From)
	if s.Log {
		share = math.Log(x/s.From) / math.Log(s.To/s.From)
	}
	return max(0, min(1, share))
}

// Right returns the range of values that are close enough to the answer.
func (s *Scale) Right() (low, high float64) {
	if s.Log {
		return s.Value / s.Within, s.Value * s.Within
	}
	return s.Value - s.Within - tiny, s.Value + s.Within + tiny
}

// tiny allows for the rounding of decimal fractions.
const tiny = 1e-9

// First returns the first run of the short path, or of any step. ok is false if the lesson has no run.
func (l *Lesson) First() (Live, bool) {
	for _, core := range [...]bool{true, false} {
		for i := range l.Steps {
			if s := &l.Steps[i]; len(s.Live) > 0 && (s.Core || !core) {
				return s.Live[0], true
			}
		}
	}
	return Live{}, false
}
