package tape

import (
	"impalab/learner"
	"impalab/learner/graph"
)

// The engine of the tests in this package.
var here = learner.Engine{Lower: graph.Lower}
