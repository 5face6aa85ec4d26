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

// Errata is what is misprinted or ambiguous in the four papers: a lesson without predictions, a step for each.
var Errata = sync.OnceValue(func() *Lesson {
	l, err := Parse(errata)
	if err != nil {
		panic("errata.md: " + err.Error())
	}
	return l
})

// All are the lessons in their order. They are part of the program: a file that cannot be read fails every test, and
// here it panics.
var All = sync.OnceValue(func() []*Lesson {
	lessons, err := Read(files)
	if err != nil {
		panic(err)
	}
	return lessons
})

// Following is the lesson after this one; nil after the last.
func (l *Lesson) Following() *Lesson {
	if l.Number == len(All()) {
		return nil
	}
	return All()[l.Number]
}

// Read reads the lessons of a folder "text", in the order of their file names.
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

// Find is a lesson by name. Its error names the nearest.
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
