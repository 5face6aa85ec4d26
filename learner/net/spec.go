// Package net says what a network is: one torso shared by a policy and a value. Its parameters are one
// flat vector θ, so that the optimiser, the actors, a snapshot and the browser all mean the same thing
// by "the parameters". The graph in learner/graph is built from the same Spec; here is only what an
// actor or a page needs: shapes, a first θ, and a plain forward pass that also runs in wasm.
package net

import (
	"fmt"
	"math"

	"impalab/learner/kernel"
)

// Limits of what Validate lets through: a wish beyond them is a typing error or an attack.
const (
	MaxLayers = 8    // hidden layers
	MaxWidth  = 4096 // units of a hidden layer, and actions
	MaxHeads  = 16
	MaxObs    = 1 << 16  // values in one observation
	MaxParams = 64 << 20 // 256 MB of float32
)

// Spec describes a network: Obs → Hidden… → heads. With no Hidden layer the heads are linear in the
// observation, which is a table when the observation is one-hot.
type Spec struct {
	Obs        int               // values in one observation
	Hidden     []int             // width of each hidden layer, from the observation upwards
	Activation kernel.Activation // of the hidden layers; the heads have none
	Actions    int               // logits of the policy head
	Heads      int               // policies and values on the torso, the first of which acts; 0 is 1
	HeadScale  float32           // the policy head's first weights are multiplied by it; 0: the first policy is uniform
}

// Layer is one dense layer, y = act(x·W + b), and where its parameters lie in θ. W is [In, Out],
// row-major; b is [Out].
type Layer struct {
	Name    string // "torso0", "torso1", …, "heads"
	In, Out int
	Act     kernel.Activation
	W, B    int // offsets in θ
}

// Weights is the layer's W as a window of θ (or of a gradient, which has the same layout).
func (l *Layer) Weights(theta []float32) []float32 { return theta[l.W : l.W+l.In*l.Out] }

// Bias is the layer's b as a window of θ.
func (l *Layer) Bias(theta []float32) []float32 { return theta[l.B : l.B+l.Out] }

// Layers lists the layers in the order of θ. The last one holds all heads: columns 0 to Actions−1 are
// the logits, the next column is the value, and so on for further heads. One product of Actions+1 columns costs about what
// a product of one column would, because the kernels work on several columns at once.
func (s *Spec) Layers() []Layer {
	layers := make([]Layer, 0, len(s.Hidden)+1)
	in, at := s.Obs, 0
	add := func(name string, out int, act kernel.Activation) {
		layers = append(layers, Layer{Name: name, In: in, Out: out, Act: act, W: at, B: at + in*out})
		in, at = out, at+in*out+out
	}
	for i, width := range s.Hidden {
		add(fmt.Sprintf("torso%d", i), width, s.Activation)
	}
	add("heads", s.width(), kernel.Identity)
	return layers
}

// Params is the length of θ.
func (s *Spec) Params() int {
	n, in := 0, s.Obs
	for _, width := range s.Hidden {
		n += (in + 1) * width
		in = width
	}
	return n + (in+1)*s.width()
}

// width is the columns of the last layer: for each head its logits, then its value.
func (s *Spec) width() int { return max(1, s.Heads) * (s.Actions + 1) }

// Flat is the same network seen as one wide head: every column but the last is a logit, the last a value. With
// one head it is the spec itself. θ means the same to both.
func (s *Spec) Flat() Spec {
	flat := *s
	flat.Actions, flat.Heads = s.width()-1, 0
	return flat
}

// Validate refuses what cannot be built, and says which number to change.
func (s *Spec) Validate() error {
	if s.Obs < 1 || s.Obs > MaxObs {
		return fmt.Errorf("network: an observation of %d values: give 1 to %d", s.Obs, MaxObs)
	}
	if s.Actions < 1 || s.Actions > MaxWidth {
		return fmt.Errorf("network: %d actions: give 1 to %d", s.Actions, MaxWidth)
	}
	if s.Heads < 0 || s.Heads > MaxHeads {
		return fmt.Errorf("network: %d heads: give 1 to %d", s.Heads, MaxHeads)
	}
	if len(s.Hidden) > MaxLayers {
		return fmt.Errorf("network: %d hidden layers: give at most %d", len(s.Hidden), MaxLayers)
	}
	for i, width := range s.Hidden {
		if width < 1 || width > MaxWidth {
			return fmt.Errorf("network: hidden layer %d has %d units: give 1 to %d", i, width, MaxWidth)
		}
	}
	switch s.Activation {
	case kernel.ReLU, kernel.Tanh:
	case kernel.Identity:
		if len(s.Hidden) > 0 {
			return fmt.Errorf("network: hidden layers without an activation are one linear layer: choose ReLU or tanh, or no hidden layer")
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
