package tape

import (
	"impalab/learner"
	"impalab/learner/graph"
)

// What the tests of this package learn on.
var here = learner.Engine{Lower: graph.Lower}
