package graph

import (
	"testing"

	"impalab/learner/kernel"
	"impalab/learner/net"
)

// A program's products cost forwards as much as its layers say. Backwards each costs that once for its weights, and
// once for its input if anything uses that derivative.
func TestAProgramHasTheProductsOfItsLayers(t *testing.T) {
	for name, s := range map[string]net.Spec{
		"dense": {Obs: 5, Hidden: []int{7, 6}, Activation: kernel.Tanh, Actions: 3},
		"image": {Obs: 100 * 4, Hidden: []int{9}, Activation: kernel.ReLU, Actions: 3, Torso: net.Shallow,
			Image: [3]int{10, 10, 4}},
		"padded image": {Obs: 10 * 10 * 4, Hidden: []int{9}, Activation: kernel.ReLU, Actions: 3, Torso: net.Deep,
			Image: [3]int{10, 10, 4}},
		"core": {Obs: 5, Hidden: []int{7}, Activation: kernel.Tanh, LSTM: 4, Actions: 3},
	} {
		const steps, batch = 3, 2
		p, err := Lower(s, steps, batch, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		forward, first, all := 0.0, 0.0, 0.0
		for _, l := range s.Layers() {
			forward += steps * batch * l.FLOPs()
			if len(l.From) == 1 && l.From[0] == net.Observation {
				first += steps * batch * l.FLOPs()
			}
		}
		for i := range p.Forward {
			all += p.Forward[i].FLOPs()
		}
		if all != forward {
			t.Errorf("%s forwards: the program's products cost %g, its layers %g", name, all, forward)
		}
		all = 0
		for i := range p.Backward {
			all += p.Backward[i].FLOPs()
		}
		if want := 2*forward - first; all != want {
			t.Errorf("%s backwards: the program's products cost %g, want %g", name, all, want)
		}
	}
}
