package page

import (
	"github.com/a-h/templ"

	"impalab/web/lesson"
)

// Pages returns the pages that are the same for every visitor, by their paths below the base.
func Pages() map[string]func(Data) templ.Component {
	pages := map[string]func(Data) templ.Component{
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
