package net

import "impalab/learner/kernel"

// Kind is the operation of a layer.
type Kind uint8

const (
	Dense    Kind = iota // y = act(x·W + b)
	Conv                 // y = act(x ∗ W + b), x an image
	Pool                 // y = the largest of each window of x
	Activate             // y = act(x)
	Add                  // y = x + x′
	Join                 // y = (x, x′, …), side by side
	LSTM                 // y = h, the cell's next state, from the gates' input x = z: algorithm in kernel.LSTM

	Norm     // y = (x − mean)/√(variance + 1e-5)
	Multiply // y = x ⊙ x′
	Mix      // y = x′ + x ⊙ (x″ − x′): a gate x between x′ and x″
	Attend   // y from n and q, and the earlier n in the state: algorithm in kernel.Attention
)

// Where a layer reads that does not read another layer.
const (
	Observation = -1
	Feedback    = -2
)

// Layer is one step of a network: its input, its output, and the place of its parameters in θ. W is [In, Out] row-major
// for Dense, [Conv.Weights(), channels] for Conv, and the recurrent [H, 4H] for LSTM, and kernel.AttentionWeights for
// Attend; b is [Out], or [channels]. Other kinds have no parameters.
type Layer struct {
	Name    string
	Kind    Kind
	From    []int // earlier layers by index, or Observation, or Feedback
	In, Out int   // values in a row
	Act     kernel.Activation

	Filter kernel.Conv // of Conv
	Window kernel.Pool // of Pool
	State  int         // of LSTM and Attend: where its part of a row of states begins

	Heads, Memory int // of Attend

	Aside bool // of pixel control: neither policy nor values need it

	W, B         int // offsets in θ
	rows, cols   int // of W
	bias         int // length of b
	fan          int // inputs of a unit; 0: rows
	gain         float64
	gateBias     float32            // first value of b, of a gate
	valueColumns func(out int) bool // of the heads: which columns are values
}

// Weights is the layer's W as a window of θ (or of a gradient, which has the same layout); nil without one.
func (l *Layer) Weights(theta []float32) []float32 { return theta[l.W : l.W+l.rows*l.cols] }

// Bias is the layer's b as a window of θ.
func (l *Layer) Bias(theta []float32) []float32 { return theta[l.B : l.B+l.bias] }

// Shape is W's, and the length of b; zeros where there is none.
func (l *Layer) Shape() (rows, cols, bias int) { return l.rows, l.cols, l.bias }

// FLOPs counts the multiplications and additions of one row forwards, without a convolution's padding and elementwise
// operations.
func (l *Layer) FLOPs() float64 {
	if l.Kind == Conv {
		return 2 * float64(l.Filter.Products())
	}
	products := float64(l.rows * l.cols)
	if l.Kind == Attend { // scores by content and by distance, and contexts
		products += 3 * float64(l.Heads*l.Out*(l.Memory+1))
	}
	return 2 * products
}

// Layers lists the layers in the order of computation, which is the order of θ. The last one gives the heads' columns:
// 0 to Actions−1 are the logits, the next Values columns the values; with several heads, each its logits and its value.
// The columns of pixel control lie between the logits and the values.
// Linear heads are one product: Actions+1 columns cost about as much as one, because the kernels work on several at
// once.
func (s *Spec) Layers() []Layer {
	if s.flatOf != nil {
		return s.flatOf.Layers()
	}
	b := builder{spec: s}
	if !s.Separate && len(s.HeadHidden) == 0 && s.CellSide == 0 {
		x := b.trunk("")
		b.dense("heads", x, s.width(), kernel.Identity, headGain*float64(s.HeadScale)).valueColumns = s.isValue
		return b.layers
	}
	below := ""
	if s.Separate {
		below = "policy."
	}
	x, all := b.trunk(below), Layer{Name: "heads", Kind: Join, Out: s.width()}
	for h := range max(1, s.Heads) {
		of := ""
		if h > 0 {
			of = digits(h)
		}
		all.From = append(all.From, b.head("policy"+of, x, s.Actions, headGain*float64(s.HeadScale)))
		if s.CellSide > 0 { // on the policy's torso, which it shapes
			first := len(b.layers)
			all.From = append(all.From, b.head("control", x, s.Control(), valueGain))
			for i := first; i < len(b.layers); i++ {
				b.layers[i].Aside = true
			}
		}
		if s.Separate { // there is one head
			x = b.trunk("value.")
		}
		all.From = append(all.From, b.head("value"+of, x, s.values(), valueGain))
	}
	b.add(all)
	return b.layers
}

// builder writes a network down from the observation upwards.
type builder struct {
	spec      *Spec
	layers    []Layer
	at, state int // ends of θ and of the state so far
}

// add appends a layer. The layer's input decides In, and its parameters come next in θ.
func (b *builder) add(l Layer) *Layer {
	for _, from := range l.From {
		l.In += b.width(from)
	}
	l.W = b.at
	l.B = l.W + l.rows*l.cols
	b.at = l.B + l.bias
	b.layers = append(b.layers, l)
	return &b.layers[b.last()]
}

func (b *builder) last() int { return len(b.layers) - 1 }

// width returns the number of values in a row of a layer's output, or of the network's input.
func (b *builder) width(from int) int {
	switch from {
	case Observation:
		return b.spec.Obs
	case Feedback:
		return b.spec.Feedback
	}
	return b.layers[from].Out
}

func (b *builder) dense(name string, from, out int, act kernel.Activation, gain float64) *Layer {
	return b.add(Layer{
		Name: name, Kind: Dense, From: []int{from}, Out: out, Act: act,
		rows: b.width(from), cols: out, bias: out, gain: gain,
	})
}

// head is one policy or one value with its own hidden layers. It returns the index of its output.
func (b *builder) head(name string, x, out int, gain float64) int {
	for i, width := range b.spec.HeadHidden {
		b.dense(name+".hidden"+digits(i), x, width, b.spec.Activation, torsoGain)
		x = b.last()
	}
	b.dense(name, x, out, kernel.Identity, gain)
	return b.last()
}

// trunk adds all layers below the heads: torso, feedback, then the core. It returns the index of its output.
func (b *builder) trunk(name string) int {
	s := b.spec
	x := Observation
	switch s.Torso {
	case Shallow:
		x = b.shallow(name)
	case Deep:
		x = b.deep(name)
	}
	for i, width := range s.Hidden {
		b.dense(name+"torso"+digits(i), x, width, s.Activation, torsoGain)
		x = b.last()
	}
	if s.Feedback > 0 {
		b.add(Layer{Name: name + "feedback", Kind: Join, From: []int{x, Feedback}, Out: b.width(x) + s.Feedback})
		x = b.last()
	}
	if s.TrXL > 0 {
		return b.transformer(name, x)
	}
	for i := range s.coreLayers() {
		x = b.lstm(name, ofLayer(i), x)
	}
	return x
}

// coreLayers is the number of layers of a core, 0 without one.
func (s *Spec) coreLayers() int {
	if s.LSTM == 0 && s.TrXL == 0 {
		return 0
	}
	return max(1, s.CoreLayers)
}

// ofLayer tells the names of a core's layers apart.
func ofLayer(i int) string {
	if i == 0 {
		return ""
	}
	return digits(i)
}

// lstm adds one layer of LSTM, and returns the index of its output.
func (b *builder) lstm(name, of string, x int) int {
	h := b.spec.LSTM
	b.dense(name+"gates"+of, x, 4*h, kernel.Identity, coreGain)
	b.add(Layer{
		Name: name + "core" + of, Kind: LSTM, From: []int{b.last()}, Out: h, State: b.state,
		rows: h, cols: 4 * h, gain: coreGain,
	})
	b.state += 2 * h
	return b.last()
}
