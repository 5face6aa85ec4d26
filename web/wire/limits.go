package wire

// What a peer may send. A length above its limit is an error in Append as in Decode, so that a message which
// cannot be understood is never sent; only sentences for people are clipped instead.
const (
	MaxFromBrowser = 16 << 10  // bytes of a whole frame from the browser
	MaxToBrowser   = 27 << 18  // bytes of a whole frame to the browser: twice MaxParameters, and room
	MaxJoined      = 256       // messages of one joined frame
	MaxName        = 64        // bytes of a key, a run, a build
	MaxValue       = 256       // bytes of a setting's value, of a world with its options
	MaxReason      = 1024      // bytes of a sentence for people
	MaxSettings    = 128       // settings of a message, and unknown keys
	MaxState       = 256 << 10 // bytes of a world's state
	MaxActions     = 256       // entries of a policy: an action is one byte
	MaxBins        = 256       // buckets of a histogram
	MaxTraces      = 32        // of a point
	MaxFigures     = 64        // of an x-ray
	MaxTasks       = 64        // of a suite
	MaxParameters  = 3 << 18   // of a network that is sent to the browser: 3 MB, one that sees rooms
	MaxFromActor   = 4 << 20   // bytes of a whole frame from an actor in another process
	MaxToActor     = 8 << 20   // and to one: where it stands, or parameters
	MaxBlock       = 1 << 20   // numbers of one list of a block
	MaxCopies      = 1 << 12   // of a world, that one actor plays
)
