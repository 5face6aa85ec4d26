package net

import (
	"fmt"
	"strings"

	"impalab/learner/kernel"
)

// Text describes the network, a line for each layer. Two networks have the same text exactly if the same programs run
// them. The distribution of the first parameters and the meaning of the policy's numbers are not part of a program, so
// the text leaves them out.
func (s *Spec) Text() string {
	var text strings.Builder
	fmt.Fprintf(&text, "observation %d, feedback %d, state %d, %d logits, %d values\n", s.Obs, s.Feedback, s.States(),
		s.Actions, s.values())
	for i, l := range s.Layers() {
		fmt.Fprintf(&text, "%d %s: %s of %v, %d→%d", i, l.Name, l.Kind, l.From, l.In, l.Out)
		switch l.Kind {
		case Conv:
			fmt.Fprintf(&text, ", %+v", l.Filter)
		case Pool:
			fmt.Fprintf(&text, ", %+v", l.Window)
		case LSTM:
			fmt.Fprintf(&text, ", its state at %d", l.State)
		case Attend:
			fmt.Fprintf(&text, ", %d heads, %d steps, its state at %d", l.Heads, l.Memory, l.State)
		}
		if l.Act != kernel.Identity {
			fmt.Fprintf(&text, ", %s", l.Act)
		}
		if l.rows > 0 {
			fmt.Fprintf(&text, ", W at %d, b at %d", l.W, l.B)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func (k Kind) String() string {
	return [...]string{"dense", "conv", "pool", "activate", "add", "join", "lstm", "norm", "multiply", "mix", "attend"}[k]
}
