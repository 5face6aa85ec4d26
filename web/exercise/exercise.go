// Package exercise has the exercises and lesson plans of a class, one file each, and judges answers. It trains nothing:
// the caller gives it the results of runs. Start with Exercise, then a file in set, then Judge.
package exercise

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"sync"

	"go.yaml.in/yaml/v3"

	"impalab/learner/hyper"
)

// Exercise is one file. It has exactly one of Reach, Find, Number, Numbers, Cause and Program.
type Exercise struct {
	Name   string `yaml:"name"`
	Title  string `yaml:"title"`
	Lesson string `yaml:"lesson"` // name of the lesson before it
	Ask    string `yaml:"ask"`    // for the student
	Answer string `yaml:"answer"` // for the teacher only
	Tries  int    `yaml:"tries"`  // allowed hand-ins; the best counts

	Reach   *Reach   `yaml:"reach"`
	Find    *Find    `yaml:"find"`
	Number  *Number  `yaml:"number"`
	Numbers *Numbers `yaml:"numbers"`
	Cause   *Cause   `yaml:"cause"`
	Program *Program `yaml:"program"`

	Say []Say `yaml:"say"` // the student reads the first match
}

// Number is a figure to predict or compute.
type Number struct {
	Unit  string  `yaml:"unit"`
	Is    float64 `yaml:"is"`
	From  float64 `yaml:"from"` // the range of right answers
	To    float64 `yaml:"to"`
	Part  []Part  `yaml:"partial"`
	Slips []Slip  `yaml:"slips"`
}

// Numbers are figures to compute by hand, each worth the same.
type Numbers struct {
	Names  []string  `yaml:"names"`
	Are    []float64 `yaml:"are"`
	Within float64   `yaml:"within"`
	Public int       `yaml:"public"` // index of the number that can be checked at once
	Slips  []Slip    `yaml:"slips"`
}

// Slip is a wrong answer and its reason.
type Slip struct {
	Is  []float64 `yaml:"is"`
	Say string    `yaml:"say"`
}

// Part is a range that earns part of the credit.
type Part struct {
	From   float64 `yaml:"from"`
	To     float64 `yaml:"to"`
	Credit float64 `yaml:"credit"`
}

// Cause is a table of figures and the question of what caused them.
type Cause struct {
	Columns []string   `yaml:"columns"`
	Rows    [][]string `yaml:"rows"`
	Choose  Options    `yaml:"choose"`
	Then    string     `yaml:"then"` // a second question, for half of the credit; "": none
	Second  Options    `yaml:"second"`
}

// Option is one answer to choose.
type Option struct {
	Say   string `yaml:"say"`
	Right bool   `yaml:"right"`
	Why   string `yaml:"why"` // for a student who chose it
}

// Options are the answers to choose from.
type Options []Option

// Texts returns the sentences of the options.
func (all Options) Texts() []string {
	texts := []string{}
	for _, o := range all {
		texts = append(texts, o.Say)
	}
	return texts
}

// Answer is a student's answer. The exercise decides which fields count.
type Answer struct {
	Settings map[string]string `json:"settings,omitempty"`
	Number   *float64          `json:"number,omitempty"`
	Numbers  []float64         `json:"numbers,omitempty"`
	Choice   *int              `json:"choice,omitempty" doc:"Number of the option in choose, from 0."`
	Second   *int              `json:"second,omitempty" doc:"Number of the option in second, from 0."`
	Text     string            `json:"text,omitempty" doc:"A sentence of up to 200 letters."`
	Draw     string            `json:"draw,omitempty" doc:"Draw of the unrolls that the targets belong to."`
	Targets  []Targets         `json:"targets,omitempty" doc:"Targets that a program computed for GET /rooms/CODE/unrolls/TASK: one for each unroll, in the same order."`
}

// Verdict is the judgement of an answer.
type Verdict struct {
	Credit float64  `json:"credit"` // 0 to 1
	Say    string   `json:"say"`
	Figure *float64 `json:"figure,omitempty"` // the measured one
}

//go:embed set/*.yaml plan/*.yaml
var files embed.FS

// All returns the exercises in the order of their files. It panics on a file that cannot be read, which tests exclude.
var All = sync.OnceValue(func() []*Exercise { return load[Exercise]("set") })

// Named returns an exercise by its name.
func Named(name string) (*Exercise, error) {
	return hyper.Find("exercise", name, "", All(), func(e *Exercise) string { return e.Name })
}

// load reads the files of a folder, which embed sorts by name.
func load[T any](folder string) (all []*T) {
	names, err := fs.Glob(files, path.Join(folder, "*.yaml"))
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err == nil {
			all = append(all, new(T))
			d := yaml.NewDecoder(bytes.NewReader(text))
			d.KnownFields(true)
			err = d.Decode(all[len(all)-1])
		}
		if err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
	}
	return all
}
