package page

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"impalab/learner/hyper"
	"impalab/web/lesson"
)

// Address is a page that a visitor may mean: its path below the base, with its fragment, and its title.
type Address struct{ Path, Title string }

// Meant returns the page that a path below the base means, where no page has this path. Its last word may be the name
// of a place, of a lesson or of a preset, and exact is true. A misspelled word means the page of the nearest name. The
// zero Address: no name is near.
func Meant(typed string) (at Address, exact bool) {
	word := strings.TrimSuffix(strings.ToLower(path.Base("/"+typed)), ".html")
	names := named()
	if at, exact = names[word]; !exact {
		at = names[hyper.Nearest(word, slices.Sorted(maps.Keys(names)))]
	}
	return at, exact
}

// Moved returns pages of a copy of the site without a server, by the words that people type for other pages. Each leads
// there, as a server does.
func Moved() map[string]Page {
	pages, moved := AlonePages(), map[string]Page{}
	for word, at := range named() {
		if pages[word] == nil && word != "" && word != boardPath && fs.ValidPath(word) {
			moved[word] = func(d Data) templ.Component { return movedTo(d, at) }
		}
	}
	return moved
}

// named returns the pages by the words that mean them: the names and paths of places, lessons and presets.
func named() map[string]Address {
	names := map[string]Address{"index": {"", "Start"}, "home": {"", "Start"}, "sweep": {labPath, "Lab"}}
	for _, p := range hyper.Presets {
		names[p.Name] = Address{labPath + "#v=1&p=" + p.Name, cmp.Or(p.Title, p.Name) + " in the Lab"}
	}
	for _, l := range lesson.All() {
		names[l.Name] = Address{LessonPath(l)[1:], l.Title}
	}
	more := []area{{path: errataPath, name: "Errata"}, {path: microscopePath, name: "Microscope"}}
	for _, p := range slices.Concat(places, further, more) {
		for _, word := range []string{strings.ToLower(p.name), path.Base("/" + p.path)} {
			names[word] = Address{p.path, p.name}
		}
	}
	return names
}
