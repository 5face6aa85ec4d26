package web

// Run is what the page of one run shows, all of it in words.
type Run struct {
	ID, Title, Sentence string
	State, Reason       string
	Facts               []Fact
	Settings            []Fact // that differ from the preset's
	Preset              string
	Parent              string // id of the run that this is a fork of; ""
	ParentUpdate        uint64
	Chart               string // the inside of an SVG of ChartWidth by ChartHeight
	ChartSays           string // the same for those who do not see it
	Tape                []TapeLine
	Left                int // lines of the tape that are not shown
	Update              uint64
	Command, BibTeX     string
}

// Fact is a name and a value.
type Fact struct{ Name, Value string }

// TapeLine is one line of a run's tape.
type TapeLine struct {
	Update, Step uint64
	What, By     string
}

// Size of a run's chart, in pixels.
const (
	ChartWidth  = 720
	ChartHeight = 240
)
