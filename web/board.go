package web

// boardPath is the path of the board below the base.
const boardPath = "board"

// Board is the page of one track. Places are percentages of the drawing's width.
type Board struct {
	Tracks          []BoardTrack
	Title, Sentence string
	Facts           []Fact
	Notes           []string
	About           string // describes the rows and their seeds
	Ranking         string
	Rows            []BoardRow
	Ticks           []BoardTick
	Start           string // place of the start's score; "": it has no row
	Keys            []BoardKey
	Command         string // command that trains the reader's own settings
	Data            string // URL of the rows for programs
	Lab             string // URL of the Lab; "": none
	Copy            bool   // a file without a server

	Name    string      // of the track, in addresses
	Season  BoardSeason // Title "": no season has started
	Waiting int         // rows that are not ranked yet
	Left    int         // rows that are not shown
	Form    BoardForm
}

// BoardSeason is the season of the rows.
type BoardSeason struct {
	Title string   // like Season 2
	Says  string   // when it ends or ended
	Facts []Fact   // its key, or the key's digest, and its seeds
	Other []Choice // the other seasons
}

// Choice is a link to another page.
type Choice struct{ Title, URL string }

// BoardForm is the form of a submission.
type BoardForm struct {
	Settings, Run, Problem string // as in the page's address; Problem: why the track refuses the settings
	Differs                []BoardChip
}

// BoardTrack is a link to a track.
type BoardTrack struct {
	Title, Says, URL string
	Current          bool
}

// BoardRow is one configuration.
type BoardRow struct {
	Rank, Tie         string // Tie: position among the rows of the same rank: first, middle or last; "": alone
	Name              string
	Start             bool // whether it is the start of the track
	Chips, More       []BoardChip
	Low, Wide, Middle string
	Seeds             []string // places of the seeds' scores
	Score, Interval   string
	End               string
	Says              string // describes the drawing for screen readers
	Line, Band        string // paths of the curve in a box of 100 by 34
	Fragment          string // link of the Lab
	Command           string // command that trains it

	ID, URL     string // of its page; "": none
	Baseline    bool
	Provisional bool
	Tried       string // like 7 ×; "" for a baseline
	Note        string // words beside its name
	State       string // queued, training, failed or done
	Doing       string // its progress, or why it failed; "": done
	Done, Of    int    // trained seeds, and all seeds of this kind
}

// BoardEntry is the page of one row.
type BoardEntry struct {
	BoardRow
	Track    Choice
	Facts    []Fact
	Settings []BoardKey // settings that differ, with their value in Takes
	Charts   []BoardCurve
	Seeds    []BoardSeed
	Hidden   string // why it does not list the secret seeds
	Again    []BoardCommand
	Lab      string // its link in the Lab; "": none
	Run      string // address of a run that shows it; ""
	Episode  string // address of a film of that run's agent; ""
	JSON     string
	Copy     bool // a file without a server
}

// BoardCurve is the chart of a row's return over the run.
type BoardCurve struct {
	Title, Says string
	Drawn       []Drawing
}

// BoardSeed is the result of one seed.
type BoardSeed struct{ Seed, Score, Params string }

// BoardCommand is a command that trains seeds again.
type BoardCommand struct{ Says, Command string }

// BoardChip is a setting that differs from the start.
type BoardChip struct{ Symbol, Words, Tone, From, To string }

// BoardTick is a figure of the scale.
type BoardTick struct {
	At, Text, Anchor string
}

// BoardKey is a setting that an entry may change, with its allowed values.
type BoardKey struct{ Key, Words, Start, Takes string }
