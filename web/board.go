package web

// boardPath is where the board is, below the base.
const boardPath = "board"

// Board is what the page of one track shows, all of it in words. Places are shares of the drawing's width, in percent.
type Board struct {
	Tracks          []BoardTrack
	Title, Sentence string
	Facts           []Fact
	Notes           []string
	About           string // whose rows these are, and on which seeds
	Ranking         string
	Rows            []BoardRow
	Ticks           []BoardTick
	Start           string // where the start's score is; "" where it has no row
	Keys            []BoardKey
	Command         string // trains the reader's own settings
	Data            string // URL of the rows for programs
	Lab             string // URL that a link of the Lab stands behind; "": nobody serves one
	Copy            bool   // a file that no server stands behind

	Name    string      // of the track, in addresses
	Season  BoardSeason // of Title "": none has begun
	Waiting int         // rows that are not ranked yet
	Left    int         // rows that are not shown
	Form    BoardForm
}

// BoardSeason is the season whose rows are shown, in words.
type BoardSeason struct {
	Title string   // like Season 2
	Says  string   // until when, or since when it is over
	Facts []Fact   // its key, or the digest of it, and its seeds
	Other []Choice // the other seasons
}

// Choice is somewhere else to go.
type Choice struct{ Title, URL string }

// BoardForm is what a visitor hands in.
type BoardForm struct {
	Settings, Run, Problem string // as the address has them; why the track does not take the settings
	Differs                []BoardChip
}

// BoardTrack leads to the page of a track.
type BoardTrack struct {
	Title, Says, URL string
	Current          bool
}

// BoardRow is one configuration.
type BoardRow struct {
	Rank, Tie         string // Tie: first, middle or last of those with one rank; "": alone
	Name              string
	Start             bool // it is what the others differ from
	Chips, More       []BoardChip
	Low, Wide, Middle string
	Seeds             []string // where the score of each seed is
	Score, Interval   string
	End               string
	Says              string // the drawing, for those who do not see it
	Line, Band        string // paths of the curve in a box of 100 by 34
	Fragment          string // opens it in the Lab
	Command           string // trains it

	ID, URL     string // of its page; "": none
	Baseline    bool
	Provisional bool
	Tried       string // like 7 ×; "" of a baseline that nobody handed in
	Note        string // what to know beside its name
	State       string // while it is not ranked: queued, training, failed; else done
	Doing       string // how far it has come, or why it failed; "": nothing more happens to it
	Done, Of    int    // seeds trained so far, of those that are being trained
}

// BoardEntry is the page of one row.
type BoardEntry struct {
	BoardRow
	Track    Choice
	Facts    []Fact
	Settings []BoardKey // that differ, with what they are here in place of Takes
	Charts   []BoardCurve
	Seeds    []BoardSeed
	Hidden   string // why the secret seeds are not among them
	Again    []BoardCommand
	Lab      string // address of it in a Lab; "": nobody serves one
	Run      string // address of a run that shows it; ""
	Episode  string // address of a picture of that run's agent; ""
	JSON     string
	Copy     bool // a file that no server stands behind
}

// BoardCurve is the chart of a row's return over the run.
type BoardCurve struct {
	Title, Says string
	Drawn       []Drawing
}

// BoardSeed is what one seed came to.
type BoardSeed struct{ Seed, Score, Params string }

// BoardCommand trains seeds again.
type BoardCommand struct{ Says, Command string }

// BoardChip is one setting beside what it is at the start.
type BoardChip struct{ Symbol, Words, Tone, From, To string }

// BoardTick is a figure of the scale.
type BoardTick struct {
	At, Text, Anchor string
}

// BoardKey is a setting that may differ, and how far.
type BoardKey struct{ Key, Words, Start, Takes string }
