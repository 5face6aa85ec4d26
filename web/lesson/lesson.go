// Package lesson holds the lessons: what a lesson is, how its file is read, how a reader's answer and run are judged,
// and what every figure in it rests on. Look at Lesson first, then at text/01-late.md.
//
// A lesson is one file. Its head names it; each heading begins a step; what stands between is prose. Blocks marked
// live, predict, evidence and check carry the rest as YAML. Prose before a prediction is read before it, prose after it
// is what is revealed.
package lesson

import (
	"math"
	"strings"
)

// Lesson is one file of text.
type Lesson struct {
	Name     string   `yaml:"name"` // as in /learn/NAME
	Title    string   `yaml:"title"`
	Sentence string   `yaml:"sentence"` // what it is about, for the list of lessons
	Minutes  int      `yaml:"minutes"`  // of the whole; its core takes three
	Needs    []string `yaml:"needs"`    // lessons that it builds on
	Words    []string `yaml:"words"`    // that it introduces
	Core     []int    `yaml:"core"`     // steps of the short path, from 1

	Number int    `yaml:"-"` // from 1, by the name of its file
	Steps  []Step `yaml:"-"`
	Check  Check  `yaml:"-"`
	Aside  string `yaml:"-"` // for the curious; ""
}

// Step is one idea: read, look, predict, see.
type Step struct {
	Title    string
	Core     bool
	Prose    string // Markdown; $…$ is a formula
	Live     []Live
	Predict  *Predict
	Reveal   string // Markdown, hidden until the prediction is made
	Evidence *Evidence
}

// Live is a button that has the live figure show a run, or a page of the microscope.
type Live struct {
	Say  string `yaml:"say"`
	Link string `yaml:"link"` // what stands behind #v=1& in a link of the Lab; or the path of a page
}

// Page reports whether it shows a page, not a run.
func (l Live) Page() bool { return !strings.Contains(l.Link, "=") }

// Predict is a question that the reader answers before anything is shown: by choosing, or by dragging a bar, a marker
// along an axis, or a curve. Exactly one of the four is there.
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
	Why   string `yaml:"why"` // what is said to whoever chose it
	Right bool   `yaml:"right"`
}

// Scale is an axis with a handle on it. The answer is a row of the step's evidence.
type Scale struct {
	Name   string  `yaml:"name"` // of what is dragged
	From   float64 `yaml:"from"`
	To     float64 `yaml:"to"`
	Log    bool    `yaml:"log"`
	Unit   string  `yaml:"unit"`
	Tone   string  `yaml:"tone"`
	Answer string  `yaml:"answer"` // the row's name
	Within float64 `yaml:"within"` // how far off is still near; on a logarithmic axis a factor

	Value float64 `yaml:"-"` // the row's figure
}

// Dial is an exact function of what is dragged. Its curve is hidden until the reader has chosen a place on the axis.
type Dial struct {
	Scale  `yaml:",inline"`
	Of     string   `yaml:"of"`     // a quantity with all arguments but one, like "destination c=1"
	Along  string   `yaml:"along"`  // that one
	Target *float64 `yaml:"target"` // a level that the curve is to meet; nil: none
	Level  string   `yaml:"level"`  // what the vertical axis is

	Curve []Point `yaml:"-"`
}

// Drawing is a curve to draw: what is known of it is shown, the rest is the reader's.
type Drawing struct {
	Y      string  `yaml:"y"` // what is drawn
	To     float64 `yaml:"to"`
	Known  float64 `yaml:"known"`  // steps up to which it is shown
	Answer string  `yaml:"answer"` // the row of the evidence that has the curve
	Within float64 `yaml:"within"`

	Truth []Point `yaml:"-"`
}

// Point is a place on a curve.
type Point struct{ X, Y float64 }

// At returns the value at a share of the axis.
func (s *Scale) At(share float64) float64 {
	if s.Log {
		return s.From * math.Pow(s.To/s.From, share)
	}
	return s.From + (s.To-s.From)*share
}

// Place returns the share of the axis at a value. A value beyond the axis is at its end.
func (s *Scale) Place(x float64) float64 {
	share := (x - s.From) / (s.To - s.From)
	if s.Log {
		share = math.Log(x/s.From) / math.Log(s.To/s.From)
	}
	return max(0, min(1, share))
}

// Right reports whether a figure is near enough to the answer.
func (s *Scale) Right(x float64) bool {
	if s.Log {
		return x > 0 && x <= s.Value*s.Within && x >= s.Value/s.Within
	}
	return x >= s.Value-s.Within-tiny && x <= s.Value+s.Within+tiny
}

// tiny forgives the rounding of decimal fractions.
const tiny = 1e-9

// First is the run that the live figure waits with: the first of the short path, or else of any step. It is false for a
// lesson without one.
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
