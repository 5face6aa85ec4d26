// Package onnx writes a policy as an ONNX model, which other programs can run. Look at Model first.
package onnx

import (
	"errors"
	"fmt"
	"strings"

	"impalab/learner/correct"
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
