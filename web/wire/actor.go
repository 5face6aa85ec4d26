package wire

// An actor in another process says Join; the server answers with a Place, and then an Order for each Block that it
// wants. Leave is the last message of the server.

// Stand is where an actor has come to, beside the episodes that are going on: what decides what it plays next.
type Stand struct {
	Worlds []byte
	Chance [2]uint64
	Core   []float32 // recurrent states
	Last   []float32 // what the network is shown next
}

// From an actor in another process.
type (
	// Join asks for a place in a run. Key proves that it may; Name is for people. Build is that of its
	// program.
	Join struct{ Run, Key, Name, Build string }
	// Block is what it played for an order: unrolls, one after the other. Where each list ends follows from the settings.
	Block struct {
		Number uint64
		Obs    []float32
		Mu     []float32
		Real   []float32 // of actions that are numbers…
		Reward []float32
		Action []byte    // …and of those that have names
		End    []byte    // in order of unrolls and steps; the truncated ones have an observation each in…
		Cut    []float32 // …this
		Stand            // where it stands now
	}
)

// To an actor in another process.
type (
	// Place is where it is to begin: an actor of a run that has these settings, as it stands.
	Place struct {
		Settings   []Setting
		Arithmetic string // that it plays in; "": any
		Copies     uint32
		Stream     uint64 // of the run's seed
		Played     uint64 // unrolls of each copy
		Returns    []float32
		Lengths    []uint32
		Stand
	}
	// Order asks for its next block.
	Order struct {
		Number, Version uint64
		Theta           []float32 // of Version; empty: those of the last order
	}
	// Leave ends the connection. Again: it may come back in a moment.
	Leave struct {
		Reason string
		Again  bool
	}
)
