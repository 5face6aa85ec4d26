package wire

// Limits of messages. Append and Decode both refuse more, so no message is sent that the other side refuses. Only
// sentences for people are shortened.
const (
	MaxFromBrowser = 16 << 10  // bytes of a whole frame from the browser
	MaxToBrowser   = 27 << 18  // bytes of a whole frame to the browser: twice MaxParameters, and some more
	MaxJoined      = 256       // messages of one joined frame
	MaxName        = 64        // bytes of a key, a run, a build
	MaxValue       = 4096      // bytes of a setting's value, like a program, or of a world with its options
	MaxReason      = 1024      // bytes of a sentence for people
	MaxSettings    = 128       // settings of a message, or unknown keys
	MaxState       = 256 << 10 // bytes of a world's state
	MaxActions     = 256       // actions of a policy: an action is one byte
	MaxBins        = 256       // buckets of a histogram
	MaxTraces      = 32        // traces of a point
	MaxFigures     = 64        // figures of an x-ray
	MaxTasks       = 64        // tasks of a suite
	MaxBelt        = 65        // steps of a belt: the largest lag of the pages' belt, and the step under its lens
	MaxCells       = 2048      // cells of pixel control: a network has half as many
	MaxParameters  = 3 << 18   // parameters of a network sent to the browser: 3 MB
	MaxFromActor   = 4 << 20   // bytes of a whole frame from a remote actor
	MaxToActor     = 8 << 20   // bytes of a whole frame to a remote actor
	MaxBlock       = 1 << 20   // numbers of one list of a block
	MaxCopies      = 1 << 12   // copies of a world that one actor plays
)

// limits are the limits of texts and lists by the names in the tags of their fields. A text without a tag is a name.
var limits = map[string]int{
	"": MaxName, "Value": MaxValue, "Reason": MaxReason, "Settings": MaxSettings, "State": MaxState, "Actions": MaxActions,
	"Bins": MaxBins, "Traces": MaxTraces, "Figures": MaxFigures, "Tasks": MaxTasks, "Belt": MaxBelt,
	"Cells": MaxCells, "Parameters": MaxParameters,
	"Block": MaxBlock, "Copies": MaxCopies,
}
