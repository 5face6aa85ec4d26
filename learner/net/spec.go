// Package net describes a network: one torso shared by a policy and a value. Its parameters are one flat vector θ, so
// that the optimiser, the actors, a snapshot and the browser all mean the same by "the parameters". learner/graph
// builds its graph from the same Spec. This package holds the parts that an actor or a page needs: shapes, a first θ,
// and a plain forward pass that also runs in WebAssembly.
package net

import (
	"fmt"
	"math"

	"impalab/learner/kernel"
	"impalab/learner/traj"
)

// Limits that Validate sets: a number beyond them is a typing error or an attack.
const (
	MaxLayers = 8    // hidden layers
	MaxWidth  = 4096 // units of a hidden layer, and actions
	MaxHeads  = 16
	MaxCore   = 1024     // units of a layer of a core
	MaxDepth  = 8        // layers of a core
	MaxStates = 1 << 18  // numbers of a trajectory's state
	MaxObs    = 1 << 16  // values in one observation
	MaxParams = 64 << 20 // 256 MB of float32
)

// Spec describes a network: observation → torso → core → heads. With no Hidden layer, no Torso, no core and no
// HeadHidden layer the heads are linear in the observation, which is a table when the observation is one-hot.
type Spec struct {
	Obs        int               // values in one observation
	Torso      Torso             // convolutions before the hidden layers
	Image      [3]int            // height, width, channels of the observation, for a Torso that convolves and for cells
	Hidden     []int             // width of each dense hidden layer, from the observation upwards
	Activation kernel.Activation // of the hidden layers and convolutions; the heads have none
	// values of the last action and reward, joined to the torso's output; 0: they are not shown
	Feedback int
	LSTM     int  // units of each layer of an LSTM core; 0: none
	TrXL     int  // units of each layer of a gated Transformer-XL core; 0: none
	Separate bool // policy and value each have a torso and core of their own

	CoreLayers int // of either core; 0 is 1
	CoreHeads  int // of the Transformer-XL's attention
	CoreMemory int // steps that each of its layers remembers

	Policy    Policy  // meaning of the policy's numbers
	Actions   int     // numbers of the policy: logits, or means and spreads
	Values    int     // values, one for each task; 0 is 1
	Heads     int     // policies and values on the torso (STACX), the first of which acts; 0 is 1
	HeadScale float32 // the policy head's first weights are multiplied by it; 0: the first policy is uniform

	CellSide int // pixels on each side of the cells of Image that pixel control predicts; 0: no such head

	HeadHidden []int // widths of the hidden layers that every policy and every value has to itself; empty: each is linear

	Kernels kernel.Set // computes the passes; not part of the network's description

	flatOf *Spec // the network whose heads this Spec joins into one; nil: it is not Flat
}

// Reals is the real numbers of an action; 0 where actions are names.
func (s *Spec) Reals() int {
	if s.Policy == Softmax {
		return 0
	}
	return s.Actions / 2
}

// Inputs returns the number of values in an input row: the observation and the feedback.
func (s *Spec) Inputs() int { return s.Obs + s.Feedback }

// States is the values in a row of recurrent state; 0 without a core.
func (s *Spec) States() int {
	n := 2 * s.LSTM
	if s.TrXL > 0 {
		n = kernel.MemorySize(s.TrXL, s.CoreMemory)
	}
	n *= s.coreLayers()
	if s.Separate {
		n *= 2
	}
	return n
}

// Shape returns the shape of the network's unrolls.
func (s *Spec) Shape() traj.Shape {
	return traj.Shape{Size: s.Inputs(), Actions: s.Actions, States: s.States(), Reals: s.Reals()}
}

// Params is the length of θ.
func (s *Spec) Params() int {
	layers := s.Layers()
	last := &layers[len(layers)-1]
	return last.B + last.bias
}

func (s *Spec) values() int { return max(1, s.Values) }

// Cells is the number of cells that pixel control predicts; 0 without it.
func (s *Spec) Cells() int {
	if s.CellSide == 0 {
		return 0
	}
	return s.Image[0] / s.CellSide * (s.Image[1] / s.CellSide)
}

// Control returns the number of columns of pixel control: for each cell a value, and an advantage of each action.
func (s *Spec) Control() int { return s.Cells() * (1 + s.Actions) }

// width returns the number of columns of all heads. Each head has its logits, then its values. Pixel control lies
// between the two.
func (s *Spec) width() int { return max(1, s.Heads)*(s.Actions+s.values()) + s.Control() }

// isValue reports whether a column of the heads is a value.
func (s *Spec) isValue(column int) bool { return column%(s.Actions+s.values()) >= s.Actions }

// Flat is the same network seen as one wide head: every column but the values of the last head is a logit. With one
// head and no pixel control it is the spec itself. θ means the same to both.
func (s *Spec) Flat() Spec {
	flat := *s
	if s.Heads > 1 || s.CellSide > 0 {
		flat.Actions, flat.Heads, flat.CellSide, flat.flatOf = s.width()-s.values(), 0, 0, s
	}
	return flat
}

// Validate refuses a network that cannot be built, and names the number to change.
func (s *Spec) Validate() error {
	if s.flatOf != nil {
		return s.flatOf.Validate()
	}
	if s.Obs < 1 || s.Obs > MaxObs {
		return fmt.Errorf("network: an observation of %d values: give 1 to %d", s.Obs, MaxObs)
	}
	if s.Actions < 1 || s.Actions > MaxWidth {
		return fmt.Errorf("network: %d actions: give 1 to %d", s.Actions, MaxWidth)
	}
	if s.Policy > Tanh {
		return fmt.Errorf("network: policy %d is unknown", s.Policy)
	}
	if s.Policy != Softmax && s.Actions%2 != 0 {
		return fmt.Errorf("network: %d numbers of a %s policy: give a mean and a spread for each control", s.Actions,
			s.Policy)
	}
	if s.Heads < 0 || s.Heads > MaxHeads {
		return fmt.Errorf("network: %d heads: give 1 to %d", s.Heads, MaxHeads)
	}
	if s.Values < 0 || s.Values > MaxHeads {
		return fmt.Errorf("network: %d values: give 1 to %d", s.Values, MaxHeads)
	}
	if s.Heads > 1 && (s.Values > 1 || s.Separate) {
		return fmt.Errorf("network: %d heads share one torso and have a value each: they go neither with separate torsos "+
			"nor with a value for each task", s.Heads)
	}
	if err := s.validateCore(); err != nil {
		return err
	}
	if s.Feedback < 0 || s.Feedback > MaxWidth+1 {
		return fmt.Errorf("network: %d values of feedback: give 0 to %d", s.Feedback, MaxWidth+1)
	}
	if err := s.validateTorso(); err != nil {
		return err
	}
	if err := s.validateControl(); err != nil {
		return err
	}
	if n := len(s.Hidden) + len(s.HeadHidden); n > MaxLayers {
		return fmt.Errorf("network: %d hidden layers, the heads' among them: give at most %d", n, MaxLayers)
	}
	for i, width := range append(append([]int(nil), s.Hidden...), s.HeadHidden...) {
		if width < 1 || width > MaxWidth {
			return fmt.Errorf("network: hidden layer %d has %d units: give 1 to %d", i, width, MaxWidth)
		}
	}
	switch s.Activation {
	case kernel.ReLU, kernel.Tanh:
	case kernel.Identity:
		if len(s.Hidden)+len(s.HeadHidden) > 0 || s.Torso != Flat {
			return fmt.Errorf("network: hidden layers without an activation are one linear layer: choose ReLU or tanh, or no " +
				"hidden layer")
		}
	default:
		return fmt.Errorf("network: activation %d is unknown: choose ReLU or tanh", s.Activation)
	}
	if scale := float64(s.HeadScale); !(scale >= 0) || math.IsInf(scale, 1) {
		return fmt.Errorf("network: the policy head's scale is %v: give a number from 0 up", s.HeadScale)
	}
	if n := s.Params(); n > MaxParams {
		return fmt.Errorf("network: %d parameters: at most %d fit, make a layer narrower", n, MaxParams)
	}
	return nil
}

// validateCore asks whether there is one core at most, and of possible sizes.
func (s *Spec) validateCore() error {
	for _, units := range []int{s.LSTM, s.TrXL} {
		if units < 0 || units > MaxCore {
			return fmt.Errorf("network: a core of %d units: give 0 to %d", units, MaxCore)
		}
	}
	if s.CoreLayers < 0 || s.CoreLayers > MaxDepth {
		return fmt.Errorf("network: a core of %d layers: give 1 to %d", s.CoreLayers, MaxDepth)
	}
	if s.TrXL == 0 {
		return nil
	}
	switch {
	case s.LSTM > 0:
		return fmt.Errorf("network: a core of LSTM and a core of Transformer-XL: give one of them 0 units")
	case s.CoreHeads < 1 || s.TrXL%s.CoreHeads != 0:
		return fmt.Errorf("network: %d heads share %d units: give a number of heads that divides the units", s.CoreHeads,
			s.TrXL)
	case s.CoreMemory < 1 || s.CoreMemory > MaxStates || s.States() > MaxStates:
		return fmt.Errorf("network: a memory of %d steps of %d units in each of %d layers: at least 1 step, and at most %d "+
			"numbers in all", s.CoreMemory, s.TrXL, s.coreLayers(), MaxStates)
	}
	return nil
}

// validateControl asks whether pixel control has cells and named actions.
func (s *Spec) validateControl() error {
	if s.CellSide == 0 {
		return nil
	}
	h, w, c := s.Image[0], s.Image[1], s.Image[2]
	switch {
	case c < 1 || h*w*c != s.Obs:
		return fmt.Errorf("network: pixel control needs an image, and an observation of shape %v is none", s.Image)
	case s.CellSide < 0 || s.CellSide > min(h, w):
		return fmt.Errorf("network: cells of %d pixels in an image of %d×%d: give 1 to %d", s.CellSide, h, w, min(h, w))
	case s.Policy != Softmax:
		return fmt.Errorf("network: pixel control with a %s policy: it has a value for each named action", s.Policy)
	case s.Heads > 1:
		return fmt.Errorf("network: pixel control beside %d heads: give 1 head", s.Heads)
	case s.Control() > MaxWidth:
		return fmt.Errorf("network: pixel control of %d cells has %d numbers, and at most %d fit: give larger cells",
			s.Cells(), s.Control(), MaxWidth)
	}
	return nil
}

// validateTorso asks whether there is an image for the convolutions, large enough to be one.
func (s *Spec) validateTorso() error {
	switch s.Torso {
	case Flat:
		return nil
	case Shallow, Deep:
	default:
		return fmt.Errorf("network: torso %d is unknown", s.Torso)
	}
	h, w, c := s.Image[0], s.Image[1], s.Image[2]
	if h < 1 || w < 1 || c < 1 || h*w*c != s.Obs {
		return fmt.Errorf("network: a torso that convolves needs an image, and an observation of shape %v is none: use a "+
			"flat torso", s.Image)
	}
	if smallest := min(h, w); s.Torso == Shallow && (smallest < 3 || max(h, w) > board && smallest < 20) {
		return fmt.Errorf("network: an image of %d×%d is too small for the shallow torso: use a flat or a deep one", h, w)
	}
	return nil
}
