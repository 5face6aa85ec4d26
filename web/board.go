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
}

// BoardChip is one setting beside what it is at the start.
type BoardChip struct{ Symbol, Words, Tone, From, To string }

// BoardTick is a figure of the scale.
type BoardTick struct {
	At, Text, Anchor string
}

// BoardKey is a setting that may differ, and how far.
type BoardKey struct{ Key, Words, Start, Takes string }
