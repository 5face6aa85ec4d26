package wire

// A remote actor sends Join. The server answers with a Place, then with an Order for each Block that it needs. Leave is
// the server's last message.

// Stand is the state of an actor that decides its next steps.
type Stand struct {
	Worlds []byte `limit:"Block"`
	Chance [2]uint64
	Core   []float32 `limit:"Block"` // recurrent states
	Last   []float32 `limit:"Block"` // next input of the network
}

// Messages from a remote actor.
type (
	// Join asks to act for a run. Key proves that the actor may. Name is for people. Build is the actor's build.
	Join struct{ Run, Key, Name, Build string }
	// Block answers an order: unrolls, one after the other. The settings decide the length of each list.
	Block struct {
		Number uint64
		Obs    []float32 `limit:"Block"`
		Mu     []float32 `limit:"Block"`
		Real   []float32 `limit:"Block"` // real-valued actions
		Reward []float32 `limit:"Block"`
		Action []byte    `limit:"Block"` // named actions
		End    []byte    `limit:"Block"` // in order of unrolls and steps
		Cut    []float32 `limit:"Block"` // an observation for each truncated end
		Stand            // state after the block
	}
)

// Messages to a remote actor.
type (
	// Place is the state from which an actor starts, with the run's settings.
	Place struct {
		Settings   []Setting `limit:"Settings"`
		Arithmetic string    // arithmetic of the actor; "": any
		Copies     uint32
		Stream     uint64    // stream of the run's seed
		Played     uint64    // unrolls of each copy so far
		Returns    []float32 `limit:"Copies"`
		Lengths    []uint32  `limit:"Copies"`
		Stand
	}
	// Order asks for the next block.
	Order struct {
		Number, Version uint64
		Theta           []float32 `limit:"Parameters"` // parameters of Version; empty: as in the last order
	}
	// Leave ends the connection. Again: the actor may connect again soon.
	Leave struct {
		Reason string `limit:"Reason"`
		Again  bool
	}
)
