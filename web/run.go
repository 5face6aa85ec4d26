package web

// Run is what the page of one run shows, all of it in words.
type Run struct {
	ID, Title, Sentence string
	URL                 string // of its page, as others reach it
	State, Reason       string
	Facts               []Fact
	Settings            []Fact // that differ from the preset's
	Preset              string
	Parent              string // id of the run that this is a fork of; ""
	ParentUpdate        uint64
	Charts              []RunChart // the return first
	Tape                []TapeLine
	Left                int // lines of the tape that are not shown
	Update              uint64
	Command, BibTeX     string
	Experiment          string   // fragment that trains it again in the Lab; "": its seed is a secret
	Short               string   // the short link of that, as others reach it; "": none was asked for
	Played              bool     // a snapshot is kept, so that its agent can be seen
	PlayedFrom          uint64   // the update of the oldest
	Board               []Choice // tracks that it can be handed in on
	NoBoard             string   // why there is none
	MayChange           []string // keys that the nearest track lets change
}

// Fact is a name and a value.
type Fact struct{ Name, Value string }

// TapeLine is one line of a run's tape.
type TapeLine struct {
	Update, Step uint64
	What, By     string
}

// Drawing is a chart for one width of the page: its class, narrow, middle or broad, its viewBox, and what is in it.
type Drawing struct{ Class, Box, Inside string }

// RunChart is one chart of a run.
type RunChart struct {
	Name, Title string
	Says        string // the same for those who do not see it
	Drawn       []Drawing
	Value       string // heads the second column of its table
	Rows        [][2]string
}

// Frozen is what a copy of a run's page carries along, because nothing is asked of a server.
type Frozen struct {
	Styles          string // the style sheet
	Data            any    // for programs, as JSON
	CSV, Tape, JSON string // data: URLs
	Taken           string // when, in words
}
