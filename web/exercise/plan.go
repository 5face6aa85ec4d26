package exercise

// The plans of lessons: fifty minutes, step by step.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"impalab/learner/hyper"
)

// Plan is one file.
type Plan struct {
	Name     string   `yaml:"name"`
	Title    string   `yaml:"title"`
	For      string   `yaml:"for"`
	Aim      string   `yaml:"aim"`
	Minutes  int      `yaml:"minutes"`
	Steps    []Step   `yaml:"steps"`
	Homework []string `yaml:"homework"` // names of exercises
	Hint     string   `yaml:"hint"`     // for a fast class, or if something fails
}

// Step is one step of a plan. It has at most one of Predict, Run, Lab, Exercise and Sentence.
type Step struct {
	Name     string    `yaml:"name"`
	Title    string    `yaml:"title"`
	Minutes  int       `yaml:"minutes"`
	Say      string    `yaml:"say"`     // for students
	Told     bool      `yaml:"told"`    // Say answers an earlier question, so the handout leaves it out
	Teacher  string    `yaml:"teacher"` // for the teacher only
	Predict  *Question `yaml:"predict"`
	Run      *Start    `yaml:"run"`     // each student has a seed
	Lab      *Start    `yaml:"lab"`     // a run to change in the page; nothing is sent
	Weights  []float64 `yaml:"weights"` // of old steps, which the page shows as poses
	Exercise string    `yaml:"exercise"`
	Sentence string    `yaml:"sentence"` // the question for a sentence of each student
	Begins   string    `yaml:"begins"`   // how each of these sentences begins
	Starts   []string  `yaml:"starts"`   // ways to continue, for a student who lacks words
}

// MostSentence is the length of the longest sentence, in letters.
const MostSentence = 200

// CheckSentence returns an error for an empty sentence, or one that does not fit on a line.
func CheckSentence(a *Answer) error {
	a.Text = strings.TrimSpace(a.Text)
	if a.Text == "" {
		return errors.New("write a sentence first")
	}
	if n := utf8.RuneCountInString(a.Text); n > MostSentence {
		return fmt.Errorf("this sentence has %d letters; at most %d are kept", n, MostSentence)
	}
	for _, c := range a.Text {
		if !unicode.IsPrint(c) {
			return errors.New("a sentence needs visible letters or signs, on one line")
		}
	}
	return nil
}

// Question is a prediction of the class: one of Choose, or a figure.
type Question struct {
	Ask    string  `yaml:"ask"`
	Choose Options `yaml:"choose"`
	From   float64 `yaml:"from"`
	To     float64 `yaml:"to"`
	Log    bool    `yaml:"log"`
	Whole  bool    `yaml:"whole"` // only whole numbers make sense
	Unit   string  `yaml:"unit"`
	Is     float64 `yaml:"is"`
	Exact  string  `yaml:"exact"`  // the formula of package quantity that gives Is; "": Is was measured
	Reveal string  `yaml:"reveal"` // shown with the truth
}

// Plans returns all plans, and last one of all exercises at each student's own pace.
var Plans = sync.OnceValue(func() []*Plan {
	every := &Plan{Name: "exercises", Title: "Exercises", For: "anybody", Aim: "All exercises, in any order."}
	for _, e := range All() {
		every.Steps = append(every.Steps, Step{Name: e.Name, Title: e.Title, Exercise: e.Name})
	}
	return append(load[Plan]("plan"), every)
})

// PlanNamed returns a plan by its name.
func PlanNamed(name string) (*Plan, error) {
	return hyper.Find("plan", name, "", Plans(), func(p *Plan) string { return p.Name })
}

// Whole returns the steps, followed by a step for each exercise of the homework.
func (p *Plan) Whole() []Step {
	all := slices.Clone(p.Steps)
	for _, name := range p.Homework {
		if e, err := Named(name); err == nil { // tests read every file
			all = append(all, Step{Name: name, Title: "Homework: " + e.Title, Exercise: name})
		}
	}
	return all
}

// Asked returns a guess with only the field that the question asks for, and an error if it cannot be counted.
func (q *Question) Asked(a *Answer) (asked Answer, err error) {
	if len(q.Choose) > 0 {
		if asked.Choice = a.Choice; !chosen(a.Choice, q.Choose) {
			err = errChoose
		}
		return asked, err
	}
	asked.Number = a.Number
	if err = finite(a.Number); err == nil && (*a.Number < q.From || *a.Number > q.To) {
		err = fmt.Errorf("a guess lies between %s and %s", short(q.From), short(q.To))
	} else if err == nil && q.Whole && *a.Number != math.Trunc(*a.Number) {
		err = fmt.Errorf("a guess is a whole number of %s here", q.Unit)
	}
	return asked, err
}

// bins is the number of columns of a histogram over an axis.
const bins = 10

// Bin returns the column of a guess.
func (q *Question) Bin(a *Answer) int {
	if len(q.Choose) > 0 {
		return *a.Choice
	}
	return q.bin(*a.Number)
}

// TruthBin returns the column of the truth.
func (q *Question) TruthBin() int {
	for i, o := range q.Choose {
		if o.Right {
			return i
		}
	}
	return q.bin(q.Is)
}

func (q *Question) bin(x float64) int {
	share := (x - q.From) / (q.To - q.From)
	if q.Log {
		share = math.Log(x/q.From) / math.Log(q.To/q.From)
	}
	return min(bins-1, max(0, int(share*bins)))
}

// Truth returns the right answer in words.
func (q *Question) Truth() string {
	for _, o := range q.Choose {
		if o.Right {
			return o.Say
		}
	}
	return strings.TrimSpace(short(q.Is) + " " + q.Unit)
}

// Labels returns the names of the columns.
func (q *Question) Labels() (list []string) {
	if len(q.Choose) > 0 {
		return q.Choose.Texts()
	}
	at := func(i int) float64 {
		share := float64(i) / bins
		if q.Log {
			return q.From * math.Pow(q.To/q.From, share)
		}
		return q.From + (q.To-q.From)*share
	}
	for i := range bins {
		list = append(list, short(at(i))+"–"+short(at(i+1)))
	}
	return list
}
