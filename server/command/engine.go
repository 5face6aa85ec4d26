package command

// What a command learns on, as its flags say.

import (
	"fmt"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/kernel"
)

// engine is what every command learns on.
var engine = learner.Engine{Lower: graph.Lower}

// engineFlags say how to compute. Whatever trains has them.
type engineFlags struct {
	Arithmetic string `default:"auto" enum:"auto,fused,plain" help:"Arithmetic to compute in: fused is the processor's vectors, plain gives the bits of a browser; auto is fused where it can be. ${enum}." placeholder:"NAME"`
}

// auto leaves a choice to the machine.
const auto = "auto"

// compute has the process compute as the flags say, until done is called.
func (f *engineFlags) compute() (done func(), err error) {
	if f.Arithmetic == "" || f.Arithmetic == auto {
		return func() {}, nil
	}
	done, can := kernel.Compute(f.Arithmetic)
	if !can {
		return nil, UsageError{fmt.Errorf("--arithmetic %s: this machine and build have %s; leave --arithmetic out",
			f.Arithmetic, kernel.Arithmetic())}
	}
	return done, nil
}
