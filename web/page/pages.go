package page

import (
	"github.com/a-h/templ"

	"impalab/web/exercise"
	"impalab/web/lesson"
)

// Page makes a page of the data of all pages.
type Page = func(Data) templ.Component

// Pages returns the pages that are the same for every visitor, by their paths below the base.
func Pages() map[string]Page {
	pages := map[string]Page{
		"": First, labPath: Lab, galleryPath: Gallery, runsPath: Runs, "stage": Stage, "microscope": Microscope,
		"microscope/two-states": TwoStates, "microscope/proposition-2": Buttons, errataPath: Errata, papersPath: Papers,
		correctionsPath: Corrections,
		learnPath:       func(d Data) templ.Component { return Learn(d, "") },
	}
	for _, l := range lesson.All() {
		pages[LessonPath(l)[1:]] = func(d Data) templ.Component { return Lesson(d, l) }
	}
	return pages
}

// AlonePages returns the pages of a copy of the site without a server.
func AlonePages() map[string]Page {
	pages := Pages()
	pages[classPath] = ClassAlone
	for _, e := range exercise.All() {
		pages[ExercisePath(e)] = func(d Data) templ.Component { return ExerciseAlone(d, e) }
	}
	return pages
}
