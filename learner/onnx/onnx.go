// Package onnx writes a policy as an ONNX model, which other programs can run. Look at Model first.
package onnx

import (
	"errors"
	"fmt"
	"strings"

	"impalab/learner/correct"
	"impalab/learner/kernel"
	"impalab/learner/net"
)

// Versions that a model names. Opset 17 has every operation below, and all runtimes since 2022 read it.
const (
	Opset     = 17
	irVersion = 8
)

// Policy is a policy to write.
type Policy struct {
	Spec         net.Spec
	Theta        []float32   // parameters, [Spec.Params()]
	Scale, Shift []float32   // of the values, [Spec.Values]; empty: 1 and 0
	Doc          string      // describes the model
	About        [][2]string // more facts, as keys and values
}

// Model returns the ONNX file of a policy. Its inputs are observation [N, Obs], feedback [N, Feedback] if the network
// reads its last action and reward, and state [N, States] if it has an LSTM. Its outputs are:
//
//   - softmax policies: logits and probabilities, [N, Actions]
//   - Gaussian policies: mean and deviation, [N, Reals]; tanh policies draw from them, then take tanh of the draw
//   - value [N, Values], in units of the return
//   - next_state [N, States] with an LSTM; a caller passes it back as state, and zeros where an episode begins
func Model(p *Policy) ([]byte, error) {
	if err := p.Spec.Validate(); err != nil {
		return nil, err
	}
	if len(p.Theta) != p.Spec.Params() {
		return nil, fmt.Errorf("onnx: %d parameters for a network of %d", len(p.Theta), p.Spec.Params())
	}
	if err := Refuse(&p.Spec); err != nil {
		return nil, err
	}
	g := &graph{theta: p.Theta, layers: p.Spec.Layers()}
	g.add("input", tensor("observation", p.Spec.Obs, "One observation in each row."))
	if n := p.Spec.Feedback; n > 0 {
		g.add("input", tensor("feedback", n, "The last action (one-hot, or each control divided by its range), then the "+
			"last reward clipped to [-1, 1]. Zeros where an episode begins."))
	}
	if n := p.Spec.States(); n > 0 {
		g.add("input", tensor("state", n, "next_state of the step before. Zeros where an episode begins."))
	}
	heads := g.network()
	g.policy(&p.Spec, heads)
	g.value(p, heads)
	if n := p.Spec.States(); n > 0 {
		g.node("Concat", g.states, "next_state", attribute{"axis", 1})
		g.add("output", tensor("next_state", n, "State for the next step."))
	}
	return g.model(p), nil
}

// Refuse returns an error if the network cannot be written.
func Refuse(s *net.Spec) error {
	if s.TrXL == 0 {
		return nil
	}
	return errors.New("a Transformer-XL is not written as ONNX: only networks with an LSTM, or without a core, are")
}

// Shapes describes the inputs and outputs of a network's model, like
// "observation [N, 4] → logits [N, 2], value [N, 1]".
func Shapes(s *net.Spec) string {
	of := func(name string, width int) string { return fmt.Sprintf("%s [N, %d]", name, width) }
	in, out := []string{of("observation", s.Obs)}, []string{of("logits", s.Actions)}
	if n := s.Reals(); n > 0 {
		out = []string{of("mean", n), of("deviation", n)}
	}
	out = append(out, of("value", max(1, s.Values)))
	if s.Feedback > 0 {
		in = append(in, of("feedback", s.Feedback))
	}
	if n := s.States(); n > 0 {
		in, out = append(in, of("state", n)), append(out, of("next_state", n))
	}
	return strings.Join(in, ", ") + " → " + strings.Join(out, ", ")
}

// graph collects the parts of a model. Values are named by their layer's index.
type graph struct {
	theta  []float32
	layers []net.Layer
	states []string // next state of each LSTM, in the order of a row of states

	nodes, constants, inputs, outputs []message
	made                              int // names that fresh returned
}

func (g *graph) add(kind string, m message) {
	if kind == "input" {
		g.inputs = append(g.inputs, m)
	} else {
		g.outputs = append(g.outputs, m)
	}
}

// node adds an operation with one output and returns the output's name. out may be "": a new name.
func (g *graph) node(op string, inputs []string, out string, attributes ...attribute) string {
	if out == "" {
		out = g.fresh()
	}
	g.nodes = append(g.nodes, node(op, inputs, []string{out}, attributes...))
	return out
}

func (g *graph) fresh() string {
	g.made++
	return fmt.Sprintf("x%d", g.made)
}

func (g *graph) constant(m message, name string) string {
	g.constants = append(g.constants, m)
	return name
}

func (g *graph) floats(name string, values []float32, dims ...int) string {
	return g.constant(floats(name, values, dims...), name)
}

func (g *graph) ints(values ...int) string {
	name := g.fresh()
	return g.constant(ints(name, values...), name)
}

// columns returns columns from to to−1 of a matrix.
func (g *graph) columns(of string, from, to int, out string) string {
	return g.node("Slice", []string{of, g.ints(from), g.ints(to), g.ints(1)}, out)
}

// network adds all layers and returns the name of the last layer's output.
func (g *graph) network() string {
	outs := make([]string, len(g.layers))
	read := func(from int) string {
		switch from {
		case net.Observation:
			return "observation"
		case net.Feedback:
			return "feedback"
		}
		return outs[from]
	}
	for i := range g.layers {
		l := &g.layers[i]
		if l.Aside {
			continue
		}
		x := read(l.From[0])
		switch l.Kind {
		case net.Dense:
			w := g.floats(l.Name+".w", l.Weights(g.theta), l.In, l.Out)
			b := g.floats(l.Name+".b", l.Bias(g.theta), l.Out)
			outs[i] = g.activate(g.node("Gemm", []string{x, w, b}, ""), l.Act)
		case net.Conv:
			outs[i] = g.convolve(l, x)
		case net.Pool:
			outs[i] = g.pool(&l.Window, x)
		case net.Activate:
			outs[i] = g.activate(x, l.Act)
		case net.Add:
			outs[i] = g.node("Add", []string{x, read(l.From[1])}, "")
		case net.Join:
			var all []string
			for _, from := range l.From {
				if from < 0 || !g.layers[from].Aside {
					all = append(all, read(from))
				}
			}
			outs[i] = g.node("Concat", all, "", attribute{"axis", 1})
		case net.LSTM:
			outs[i] = g.cell(l, x)
		}
	}
	return outs[len(outs)-1]
}

func (g *graph) activate(x string, act kernel.Activation) string {
	switch act {
	case kernel.ReLU:
		return g.node("Relu", []string{x}, "")
	case kernel.Tanh:
		return g.node("Tanh", []string{x}, "")
	}
	return x
}

// image reshapes rows of pixels, which have the channels last, to ONNX's order [N, channels, height, width].
func (g *graph) image(x string, h, w, c int) string {
	x = g.node("Reshape", []string{x, g.ints(-1, h, w, c)}, "")
	return g.node("Transpose", []string{x}, "", attribute{"perm", []int{0, 3, 1, 2}})
}

// rows is the reverse of image.
func (g *graph) rows(x string, size int) string {
	x = g.node("Transpose", []string{x}, "", attribute{"perm", []int{0, 2, 3, 1}})
	return g.node("Reshape", []string{x, g.ints(-1, size)}, "")
}

// convolve adds a convolution. It reorders the weights [row, column, in, out] to [out, in, row, column].
func (g *graph) convolve(l *net.Layer, x string) string {
	f := &l.Filter
	from, to := l.Weights(g.theta), make([]float32, f.Weights())
	for tap := range f.Size * f.Size {
		for in := range f.In {
			for out := range f.Out {
				to[(out*f.In+in)*f.Size*f.Size+tap] = from[(tap*f.In+in)*f.Out+out]
			}
		}
	}
	w := g.floats(l.Name+".w", to, f.Out, f.In, f.Size, f.Size)
	b := g.floats(l.Name+".b", l.Bias(g.theta), f.Out)
	y := g.node("Conv", []string{g.image(x, f.H, f.W, f.In), w, b}, "", square(f.Size, f.Stride, f.Pad)...)
	return g.rows(g.activate(y, l.Act), f.OutSize())
}

func (g *graph) pool(p *kernel.Pool, x string) string {
	y := g.node("MaxPool", []string{g.image(x, p.H, p.W, p.C)}, "", square(p.Size, p.Stride, p.Pad)...)
	return g.rows(y, p.OutSize())
}

// square returns the attributes of a square window.
func square(size, stride, pad int) []attribute {
	return []attribute{{"kernel_shape", []int{size, size}}, {"strides", []int{stride, stride}},
		{"pads", []int{pad, pad, pad, pad}}}
}

// cell adds one step of an LSTM, whose gates are i, f, g, o. Its state is h, then c.
func (g *graph) cell(l *net.Layer, z string) string {
	n := l.Out
	h := g.columns("state", l.State, l.State+n, "")
	c := g.columns("state", l.State+n, l.State+2*n, "")
	u := g.floats(l.Name+".u", l.Weights(g.theta), n, 4*n)
	z = g.node("Add", []string{z, g.node("MatMul", []string{h, u}, "")}, "")
	gate := func(k int, op string) string { return g.node(op, []string{g.columns(z, k*n, (k+1)*n, "")}, "") }
	in, forget, candidate, out := gate(0, "Sigmoid"), gate(1, "Sigmoid"), gate(2, "Tanh"), gate(3, "Sigmoid")
	c = g.node("Add", []string{g.node("Mul", []string{forget, c}, ""), g.node("Mul", []string{in, candidate}, "")}, "")
	h = g.node("Mul", []string{out, g.node("Tanh", []string{c}, "")}, "")
	g.states = append(g.states, h, c)
	return h
}

// policy adds the outputs of the first head's policy.
func (g *graph) policy(s *net.Spec, heads string) {
	if s.Policy == net.Softmax {
		g.columns(heads, 0, s.Actions, "logits")
		g.node("Softmax", []string{"logits"}, "probabilities", attribute{"axis", 1})
		g.add("output", tensor("logits", s.Actions, "Logarithms of the probabilities, up to a constant in each row."))
		g.add("output", tensor("probabilities", s.Actions, "Probability of each action."))
		return
	}
	n := s.Reals()
	mean, spread := g.columns(heads, 0, n, ""), g.columns(heads, n, 2*n, "")
	one := func(name string, v float32) string { return g.floats(name, []float32{v}, 1) }
	if s.Policy.Spread() == correct.SpreadBounded {
		g.node("Tanh", []string{mean}, "mean")
		half := float32(correct.LogSigmaHigh-correct.LogSigmaLow) / 2
		t := g.node("Mul", []string{g.node("Tanh", []string{spread}, ""), one("spread.half", half)}, "")
		t = g.node("Add", []string{t, one("spread.middle", correct.LogSigmaLow+half)}, "")
		g.node("Exp", []string{t}, "deviation")
	} else {
		g.node("Identity", []string{mean}, "mean")
		soft := g.node("Softplus", []string{spread}, "")
		g.node("Add", []string{soft, one("spread.least", correct.LeastSigma)}, "deviation")
	}
	after := "An action is a draw from this Gaussian, in units of each control's range, cut at -1 and 1."
	if s.Policy == net.Tanh {
		after = "An action is tanh of a draw from this Gaussian, in units of each control's range."
	}
	g.add("output", tensor("mean", n, "Mean of each control. "+after))
	g.add("output", tensor("deviation", n, "Standard deviation of each control."))
}

// value adds the value of the first head, in units of the return.
func (g *graph) value(p *Policy, heads string) {
	n := max(1, p.Spec.Values)
	v := g.columns(heads, p.Spec.Actions, p.Spec.Actions+n, "")
	if len(p.Scale) >= n && len(p.Shift) >= n {
		v = g.node("Mul", []string{v, g.floats("value.scale", p.Scale[:n], n)}, "")
		v = g.node("Add", []string{v, g.floats("value.shift", p.Shift[:n], n)}, "")
	}
	g.node("Identity", []string{v}, "value")
	g.add("output", tensor("value", n, "The discounted return that the agent expects, for each task."))
}

// model returns the whole file.
func (g *graph) model(p *Policy) []byte {
	var inside, opset, m message
	for _, n := range g.nodes {
		inside.raw(1, n)
	}
	inside.text(2, "policy")
	for _, c := range g.constants {
		inside.raw(5, c)
	}
	for _, in := range g.inputs {
		inside.raw(11, in)
	}
	for _, out := range g.outputs {
		inside.raw(12, out)
	}
	opset.text(1, "")
	opset.number(2, Opset)
	m.number(1, irVersion)
	m.text(2, "impalab")
	m.text(6, p.Doc)
	m.raw(7, inside)
	m.raw(8, opset)
	for _, one := range p.About {
		m.raw(14, pair(one[0], one[1]))
	}
	return m
}
