package command

import (
	"impalab/learner"
	"impalab/learner/graph"
)

// engine is what every command learns on.
var engine = learner.Engine{Lower: graph.Lower}
