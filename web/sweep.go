package web

// Sweep is the page of one sweep.
type Sweep struct {
	ID, Title, About string
	State, Progress  string
	Going            bool
	Runs, Over       int
	Across, Up       SweepAxis   // Across has no key if the sweep varies only the seed
	Rows             []SweepRow  // of the map, from the top
	Legend           []SweepTone // from the highest value down
	Chosen           SweepCell
	Drawn            []Drawing
	Caption          string // of the chart
	Facts            []Fact
	Members          []SweepMember // of the chosen cell
	Table            []SweepCell   // all cells
	Lab              string        // link of the Lab that opens the chosen cell
}

// SweepAxis is a setting that the sweep varies.
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
	Says     string // its result, in words
	Short    string // its result on the map
	IQM      string
	Interval string
	N        int
	State    string // waiting, filling, done
	Slices   []SweepSlice
	Runs     []SweepMember
	Chosen   bool
}

// SweepSlice is one seed on the map: its place from the left, and its opacity from 0 to 1.
type SweepSlice struct{ At, Opacity string }

// SweepTone is a step of the legend.
type SweepTone struct{ Opacity, Value string }

// SweepMember is one run.
type SweepMember struct{ ID, Seed, State, Return string }
