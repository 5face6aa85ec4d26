package web

import "impalab/learner/hyper"

// Data is what a page is made from. All of it is fixed when the server starts.
type Data struct {
	Base        string                   // path the pages live under; begins and ends with a slash
	Origin      string                   // before Base, for other sites, like https://example.org; "": not known
	Build       string                   // version, commit and files that this page was built from
	Asset       func(name string) string // URL of a file in static, hashed so that it may be cached for ever
	ClientBuilt bool                     // whether static/app.wasm exists; if not the stage says how to build it
	Presets     []hyper.Preset
	Table       []hyper.Row
	Browser     *Browser // nil: runs train on the server only
	Alone       *Alone   // nil: there is a server behind the pages
	Devices     string   // what the server computes on beside its processor, with commas between; "": that alone
}

// BuildClient is the command that builds the client; the stage names it when there is none.
const BuildClient = "make wasm"

// pageDescription is what search engines and sites that link here say of every page.
const pageDescription = "Watch an off-policy actor-critic agent learn, and turn policy lag, clipping and replay " +
	"while it does."

// labPath is the Lab's path below the base.
const labPath = "lab"

// screen is one entry of the navigation.
type screen struct{ path, name string }

// screens lists what exists: a screen is added here on the day it can be opened.
var screens = []screen{{"", "Home"}, {labPath, "Lab"}, {learnPath, "Lessons"}, {classPath, "Class"},
	{boardPath, "Board"}}
