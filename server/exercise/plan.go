package exercise

// The plans of lessons: what a class does in fifty minutes, step by step. A teacher goes through one; what students
// read of a step, and what only the teacher does, stand apart.

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"impalab/web/lesson/quantity"
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
	Hint     string   `yaml:"hint"`     // if it goes fast, or something fails
}

// Step is one stretch of it. At most one of Predict, Run, Lab, Exercise and Sentence is there.
type Step struct {
	Name     string    `yaml:"name"`
	Title    string    `yaml:"title"`
	Minutes  int       `yaml:"minutes"`
	Say      string    `yaml:"say"`     // what students read
	Told     bool      `yaml:"told"`    // say tells what was asked before: it is not on paper, where one reads ahead
	Teacher  string    `yaml:"teacher"` // what the teacher reads, and nobody else
	Predict  *Question `yaml:"predict"`
	Run      *Start    `yaml:"run"` // each student on a seed of their own
	Lab      *Start    `yaml:"lab"` // to turn while it runs; nothing of it is sent
	Exercise string    `yaml:"exercise"`
	Sentence string    `yaml:"sentence"` // what each student writes one sentence to; nobody judges it
}

// MostSentence is how many letters a sentence may have.
const MostSentence = 200

// CheckSentence refuses a sentence that is none, or that no line of a wall holds.
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
			return errors.New("a sentence has letters and signs that can be seen, on one line")
		}
	}
	return nil
}

// Question is what a class predicts, before it is shown the truth: one of Choose, or a figure.
type Question struct {
	Ask    string   `yaml:"ask"`
	Choose []Option `yaml:"choose"`
	From   float64  `yaml:"from"`
	To     float64  `yaml:"to"`
	Log    bool     `yaml:"log"`
	Unit   string   `yaml:"unit"`
	Is     float64  `yaml:"is"`
	Exact  string   `yaml:"exact"`  // a quantity of package lesson's that Is must agree with; "": measured
	Reveal string   `yaml:"reveal"` // what is said with the truth
}

//go:embed plan/*.yaml
var planFiles embed.FS

// Plans are all of them, and last the exercises one after the other, at everybody's own pace.
var Plans = sync.OnceValue(func() []*Plan {
	all, err := load(planFiles, "plan", parsePlan)
	if err != nil {
		panic(err)
	}
	every := &Plan{Name: "exercises", Title: "Exercises", For: "anybody", Aim: "All exercises, in any order."}
	for _, e := range All() {
		every.Steps = append(every.Steps, Step{Name: e.Name, Title: e.Title, Exercise: e.Name})
	}
	return append(all, every)
})

// PlanNamed is the plan of that name, or nil.
func PlanNamed(name string) *Plan {
	for _, p := range Plans() {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func parsePlan(text []byte) (*Plan, error) {
	p := &Plan{}
	if err := read(text, p); err != nil {
		return nil, err
	}
	seen, minutes := map[string]bool{}, 0
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Name == "" || s.Title == "" || seen[s.Name] {
			return nil, fmt.Errorf("step %d: want a name of its own and a title", i+1)
		}
		seen[s.Name] = true
		minutes += s.Minutes
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if minutes != p.Minutes {
		return nil, fmt.Errorf("the steps take %d minutes, not %d", minutes, p.Minutes)
	}
	for _, name := range p.Homework {
		if _, err := Named(name); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (s *Step) check() error {
	switch {
	case s.Run != nil:
		return s.Run.check()
	case s.Lab != nil:
		return s.Lab.check()
	case s.Exercise != "":
		_, err := Named(s.Exercise)
		return err
	case s.Predict != nil:
		return s.Predict.check()
	}
	return nil
}

func (q *Question) check() error {
	if len(q.Choose) > 0 {
		return oneRight(q.Choose)
	}
	if !(q.From < q.To) || q.Is < q.From || q.Is > q.To || q.Log && q.From <= 0 {
		return fmt.Errorf("%g does not lie on an axis from %g to %g", q.Is, q.From, q.To)
	}
	if q.Exact == "" {
		return nil
	}
	exact, err := quantity.Compute(q.Exact)
	if err != nil {
		return err
	}
	if math.Abs(exact-q.Is) > .02*math.Abs(exact) {
		return fmt.Errorf("%s is %g, not %g", q.Exact, exact, q.Is)
	}
	return nil
}

// Asked is a guess with the one field that this question asks for.
func (q *Question) Asked(a *Answer) Answer {
	if len(q.Choose) > 0 {
		return Answer{Choice: a.Choice}
	}
	return Answer{Number: a.Number}
}

// Check refuses a guess that is none.
func (q *Question) Check(a *Answer) error {
	if len(q.Choose) > 0 {
		if a.Choice == nil || *a.Choice < 0 || *a.Choice >= len(q.Choose) {
			return errors.New("choose one of the answers")
		}
		return nil
	}
	if err := finite(a.Number); err != nil {
		return err
	}
	if *a.Number < q.From || *a.Number > q.To {
		return fmt.Errorf("a guess lies between %s and %s", short(q.From), short(q.To))
	}
	return nil
}

// bins is how many columns a histogram of guesses has.
const bins = 10

// Bins are the columns of a histogram of guesses.
func (q *Question) Bins() int {
	if len(q.Choose) > 0 {
		return len(q.Choose)
	}
	return bins
}

// Bin is the column of a guess.
func (q *Question) Bin(a *Answer) int {
	if len(q.Choose) > 0 {
		return *a.Choice
	}
	return q.bin(*a.Number)
}

// TruthBin is the column of the truth.
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

// Truth is the right answer in words.
func (q *Question) Truth() string {
	for _, o := range q.Choose {
		if o.Right {
			return o.Say
		}
	}
	if q.Unit == "" {
		return short(q.Is)
	}
	return short(q.Is) + " " + q.Unit
}

// Labels name the columns of a histogram.
func (q *Question) Labels() (list []string) {
	for _, o := range q.Choose {
		list = append(list, o.Say)
	}
	if len(list) > 0 {
		return list
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
