package lesson

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"impalab/learner/hyper"
)

//go:embed text/*.md
var files embed.FS

//go:embed errata.md
var errata string

// Errata returns the misprints and ambiguities of the four papers, as a lesson with a step for each and no predictions.
var Errata = sync.OnceValue(func() *Lesson {
	l, err := Parse(errata)
	if err != nil {
		panic("errata.md: " + err.Error())
	}
	return l
})

// All returns the lessons in order. It panics on a bad file, which fails every test.
var All = sync.OnceValue(func() []*Lesson {
	lessons, err := Read(files)
	if err != nil {
		panic(err)
	}
	return lessons
})

// Following returns the next lesson, or nil.
func (l *Lesson) Following() *Lesson {
	if l.Number == len(All()) {
		return nil
	}
	return All()[l.Number]
}

// Read reads the lessons of the folder "text", in the order of their file names.
func Read(from fs.FS) (lessons []*Lesson, err error) {
	names, err := fs.Glob(from, "text/*.md")
	if err != nil {
		return nil, err
	}
	for _, name := range names { // Glob sorts them
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		l, err := Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Base(name), err)
		}
		l.Number = len(lessons) + 1
		lessons = append(lessons, l)
	}
	return lessons, nil
}

// Find returns a lesson by name. The error suggests the nearest name.
func Find(name string) (*Lesson, error) {
	var known []string
	for _, l := range All() {
		if l.Name == name {
			return l, nil
		}
		known = append(known, l.Name)
	}
	return nil, fmt.Errorf("no lesson is called %.32q%s", name, hyper.DidYouMean(name, known,
		"; there are "+strings.Join(known, ", ")))
}
