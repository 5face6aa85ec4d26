// Package exercise is what a class is set: the exercises and the plans of lessons, a file each, and how an answer is
// judged. Nothing is trained here: who calls says what the runs came to. Look at Exercise first, then at one of the
// files in set, then at Judge.
package exercise

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"impalab/learner/hyper"
)

// Exercise is one file. Exactly one of Reach, Find, Number, Numbers, Cause and Program is there.
type Exercise struct {
	Name   string `yaml:"name"`
	Title  string `yaml:"title"`
	Lesson string `yaml:"lesson"` // after which it is set; its name
	Ask    string `yaml:"ask"`    // what the student reads
	Answer string `yaml:"answer"` // what the teacher reads, and nobody else
	Tries  int    `yaml:"tries"`  // how often it may be handed in; the best counts

	Reach   *Reach   `yaml:"reach"`
	Find    *Find    `yaml:"find"`
	Number  *Number  `yaml:"number"`
	Numbers *Numbers `yaml:"numbers"`
	Cause   *Cause   `yaml:"cause"`
	Program *Program `yaml:"program"`

	Say []Say `yaml:"say"` // the first that fits is what the student reads

	Place int `yaml:"-"` // from 1, by the name of its file
}

// Reach is judged by runs: from a start some settings may be changed, and what the seeds come to must lie in a range.
type Reach struct {
	Start    `yaml:",inline"`
	Measure  Measure    `yaml:"measure"`
	One      bool       `yaml:"one"`      // exactly one key is to be changed, or one of Together
	Together [][]string `yaml:"together"` // keys that count as one
	Public   Check      `yaml:"public"`   // on seeds that everybody knows, at once
	Hidden   Check      `yaml:"hidden"`   // on seeds that nobody knows, when it is handed in
	Partial  []Part     `yaml:"partial"`
}

// Start is a configuration and what may be changed of it.
type Start struct {
	Preset string            `yaml:"preset"`
	Set    map[string]string `yaml:"set"`
	Keys   []Key             `yaml:"keys"`
	Steps  uint64            `yaml:"steps"` // of each run
}

// Key is a setting that may be changed: one of Values, or a number between From and To, both included.
type Key struct {
	Key    string   `yaml:"key" json:"key"`
	Values []string `yaml:"values" json:"values,omitempty"`
	From   string   `yaml:"from" json:"from,omitempty"`
	To     string   `yaml:"to" json:"to,omitempty"`
}

// Measure is what is asked of the runs of an answer.
type Measure string

const (
	OfReturn Measure = "return" // the interquartile mean over seeds of the last hundred episodes; in public the mean
	OfFallen Measure = "fallen" // the share of seeds that fell
)

// FallenBelow is where an agent on CartPole has fallen: the mean return of its last hundred episodes, at the end.
const FallenBelow = 100

// Check is a number of seeds and the range that the measure must lie in. To 0: there is no upper end.
type Check struct {
	Seeds  int     `yaml:"seeds"`
	From   float64 `yaml:"from"`
	To     float64 `yaml:"to"`
	Fallen *int    `yaml:"fallen"` // at most so many seeds may have fallen; nil: any
}

// Part is a range that earns part of the credit.
type Part struct {
	From   float64 `yaml:"from"`
	To     float64 `yaml:"to"`
	Credit float64 `yaml:"credit"`
}

// Find is judged by a quantity that can be computed: one setting is to be chosen so that it lies near a target.
type Find struct {
	Key    Key     `yaml:"key"`
	Of     string  `yaml:"of"` // a quantity of package lesson's, with the key as its argument
	Target float64 `yaml:"target"`
	Within float64 `yaml:"within"`
	Half   float64 `yaml:"half"`  // within which there is half of the credit
	Hints  int     `yaml:"hints"` // how often one may ask whether to go up or down
}

// Number is a figure to predict or to work out.
type Number struct {
	Unit  string  `yaml:"unit"`
	Is    float64 `yaml:"is"`
	From  float64 `yaml:"from"` // the range of right answers
	To    float64 `yaml:"to"`
	Part  []Part  `yaml:"partial"`
	Slips []Slip  `yaml:"slips"`
}

// Numbers are figures to work out by hand, each worth the same.
type Numbers struct {
	Names  []string  `yaml:"names"`
	Are    []float64 `yaml:"are"`
	Within float64   `yaml:"within"`
	Public int       `yaml:"public"` // place of the one that may be checked at once
	Slips  []Slip    `yaml:"slips"`
}

// Slip is a wrong answer with a reason.
type Slip struct {
	Is  []float64 `yaml:"is"`
	Say string    `yaml:"say"`
}

// Cause is a table of figures and what it shows.
type Cause struct {
	Columns []string   `yaml:"columns"`
	Rows    [][]string `yaml:"rows"`
	Choose  []Option   `yaml:"choose"`
	Then    string     `yaml:"then"` // a second question, for half of the credit; "": none
	Second  []Option   `yaml:"second"`
}

// Option is one answer to choose.
type Option struct {
	Say   string `yaml:"say"`
	Right bool   `yaml:"right"`
	Why   string `yaml:"why"` // what is said to whoever chose it
}

// Say is a sentence and when it is said: all conditions hold.
type Say struct {
	When []string `yaml:"when"`
	Say  string   `yaml:"say"`
}

// Answer is what a student sends. Which of its parts count is the exercise's business.
type Answer struct {
	Settings map[string]string `json:"settings,omitempty"`
	Number   *float64          `json:"number,omitempty"`
	Numbers  []float64         `json:"numbers,omitempty"`
	Choice   *int              `json:"choice,omitempty"` // place in the list, from 0
	Second   *int              `json:"second,omitempty"`
	Text     string            `json:"text,omitempty"`    // a sentence
	Draw     string            `json:"draw,omitempty"`    // of the unrolls that the targets are of
	Targets  []Targets         `json:"targets,omitempty"` // what a program elsewhere has computed
}

// Verdict is what an answer was judged to be.
type Verdict struct {
	Credit float64  `json:"credit"` // 0 to 1
	Say    string   `json:"say"`
	Figure *float64 `json:"figure,omitempty"` // what was measured
}

//go:embed set/*.yaml
var files embed.FS

// All are the exercises in their order. They are part of the program: a file that cannot be read fails every test, and
// here it panics.
var All = sync.OnceValue(func() []*Exercise {
	all, err := load(files, "set", Parse)
	if err != nil {
		panic(err)
	}
	for i, e := range all {
		e.Place = i + 1
	}
	return all
})

// Named is the exercise of that name.
func Named(name string) (*Exercise, error) {
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
	}
	names := []string{}
	for _, e := range All() {
		names = append(names, e.Name)
	}
	return nil, hyper.Unknown("exercise", name, names, "exercises: "+strings.Join(names, ", "))
}

// load reads the files of a folder in the order of their names.
func load[T any](from fs.FS, folder string, parse func([]byte) (*T, error)) (all []*T, err error) {
	names, err := fs.Glob(from, path.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		one, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Base(name), err)
		}
		all = append(all, one)
	}
	return all, nil
}

// read decodes YAML and refuses keys that nobody reads.
func read(text []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	return d.Decode(into)
}
