package web

// Run is the page of one run.
type Run struct {
	ID, Title, Sentence string
	URL                 string // of its page, for others
	State, Reason       string
	Facts               []Fact
	Settings            []Fact // settings that differ from the preset
	Preset              string
	Parent              string // id of the run that it was forked from; ""
	ParentUpdate        uint64
	Charts              []RunChart // the return comes first
	Tape                []TapeLine
	Left                int // number of lines of the tape that are not shown
	Update              uint64
	Command, BibTeX     string
	Experiment          string   // link of the Lab that trains it again; "": its seed is secret
	Short               string   // short link to the experiment; "": none was requested
	Played              bool     // whether a snapshot exists, so that the agent can be shown
	PlayedFrom          uint64   // update of the oldest snapshot
	Board               []Choice // tracks that accept its settings
	NoBoard             string   // why no track does
	MayChange           []string // keys that the nearest track allows to change
}

// Fact is a name and a value.
type Fact struct{ Name, Value string }

// TapeLine is one line of a run's tape.
type TapeLine struct {
	Update, Step uint64
	What, By     string
}

// Drawing is a chart for one width of the page, with its class (narrow, middle or broad), its viewBox and its inside.
type Drawing struct{ Class, Box, Inside string }

// RunChart is one chart of a run.
type RunChart struct {
	Name, Title string
	Says        string // describes the chart for screen readers
	Drawn       []Drawing
	Value       string // heading of the second column of its table
	Rows        [][2]string
}

// Frozen is the data of a run's page as a file, which needs no server.
type Frozen struct {
	Styles          string // the style sheet
	Data            any    // for programs, as JSON
	CSV, Tape, JSON string // data: URLs
	Taken           string // time, in words
}
