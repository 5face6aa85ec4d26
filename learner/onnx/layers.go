package onnx

import (
	"impalab/learner/kernel"
	"impalab/learner/net"
)

// The layers of a network as nodes.

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
