package web

// Sweep is what the page of one sweep shows, all of it in words.
type Sweep struct {
	ID, Title, About string
	State, Progress  string
	Going            bool
	Runs, Over       int
	Across, Up       SweepAxis   // Across is without a key where the sweep goes over seeds alone
	Rows             []SweepRow  // of the map, the topmost first
	Legend           []SweepTone // from the highest down
	Chosen           SweepCell
	Drawn            []Drawing
	Caption          string // of the chart
	Facts            []Fact
	Members          []SweepMember // of the chosen cell
	Table            []SweepCell   // all of them
	Lab              string        // fragment that opens the chosen cell in the Lab
}

// SweepAxis is a setting that the sweep goes over.
type SweepAxis struct {
	Key, Symbol, Words, Unit, Tone string
	Values                         []string
}

// SweepRow is a row of the map.
type SweepRow struct {
	Value string
	Cells []SweepCell
}

// SweepCell is one combination of values.
type SweepCell struct {
	Number   int
	Values   []string
	Name     string // in words
	Says     string // what it came to, in words
	Short    string // the same on the map
	IQM      string
	Interval string
	N        int
	State    string // waiting, filling, done
	Slices   []SweepSlice
	Runs     []SweepMember
	Chosen   bool
}

// SweepSlice is one seed on the map: its place from the left, and how strong its colour is, from 0 to 1.
type SweepSlice struct{ At, Opacity string }

// SweepTone is a step of the legend.
type SweepTone struct{ Opacity, Value string }

// SweepMember is one run.
type SweepMember struct{ ID, Seed, State, Return string }
