package page

// Data is the data of all pages. It is fixed when the server starts.
type Data struct {
	Base        string                   // path of the pages; begins and ends with a slash
	Origin      string                   // scheme and host, like https://example.org; "": unknown
	Build       string                   // version, commit and files of this build
	Asset       func(name string) string // returns the hashed URL of a file in static
	ClientBuilt bool                     // whether static/app.wasm exists; else the stage says how to build it
	Browser     *Browser                 // nil: runs train only on the server
	Bare        bool                     // the pages stand alone, as an exported board: no script, no other page
	Alone       *Alone                   // nil: the pages have a server
	Card        string                   // address of a picture for links to the page; "": the picture of all pages
	Devices     string                   // devices that compute beside the CPU, separated by commas; "": none
}

// BuildClient is the command that builds the client.
const BuildClient = "make wasm"

// Floor is the oldest browsers that the pages are for. tools/floor.mjs holds styles and scripts to them.
const Floor = "Safari 17.2, Firefox 125 or Chrome 120"

// pageDescription describes every page for search engines and for links on other sites.
const pageDescription = "Watch an off-policy actor-critic agent learn, and turn policy lag, clipping and replay " +
	"while it does."

// labPath is the path of the Lab below the base.
const labPath = "lab"

// runsPath is the path of the page with the runs of this browser, below the base.
const runsPath = "runs"
