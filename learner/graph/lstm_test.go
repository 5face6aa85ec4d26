package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"

	"impalab/learner/kernel"
)

// recurrent is a small network with a core, built as a network of the learner is: observation, tanh layer,
// LSTM, linear heads. Its cotangent covers all heads at once.
type recurrent struct {
	steps, rows, obs, torso, units, heads int // rows: trajectories

	x, state, keep, c *gorgonia.Node
	out, tangent      *gorgonia.Node
	cells             *gorgonia.Node
	theta, u, grads   gorgonia.Nodes

	data map[*gorgonia.Node][]float32
}

func newRecurrent(t *testing.T, seed uint64) *recurrent {
	t.Helper()
	ok := must(t)
	g := gorgonia.NewGraph()
	n := &recurrent{steps: 6, rows: 3, obs: 4, torso: 5, units: 7, heads: 3}
	all := n.steps * n.rows
	param := func(name string, shape ...int) *gorgonia.Node {
		p := tensorNode(g, name, shape)
		n.theta, n.u = append(n.theta, p), append(n.u, tensorNode(g, "u."+name, shape))
		return p
	}
	n.x, n.state, n.keep = matrix(g, "x", all, n.obs), matrix(g, "state", n.rows, 2*n.units), vector(g, "keep", all)
	n.c = matrix(g, "c", all, n.heads)

	y := ok(apply(dense{kernel.Tanh}, n.x, param("torso.W", n.obs, n.torso), param("torso.b", n.torso)))
	z := ok(apply(dense{kernel.Identity}, y, param("core.Wx", n.torso, 4*n.units), param("core.b", 4*n.units)))
	n.cells = ok(apply(lstm{n.steps}, z, param("core.Wh", n.units, 4*n.units), n.state, n.keep))
	h := ok(apply(columns{0, n.units}, n.cells))
	n.out = ok(apply(dense{kernel.Identity}, h, param("heads.W", n.units, n.heads), param("heads.b", n.heads)))

	var err error
	if n.grads, err = reverse(gorgonia.Nodes{n.out}, gorgonia.Nodes{n.c}, n.theta); err != nil {
		t.Fatal(err)
	}
	tangents, err := reverse(n.grads, n.u, gorgonia.Nodes{n.c})
	if err != nil {
		t.Fatal(err)
	}
	n.tangent = tangents[0]

	random := rand.New(rand.NewPCG(seed, 0))
	n.data = map[*gorgonia.Node][]float32{}
	for _, in := range slices.Concat(gorgonia.Nodes{n.x, n.state, n.c}, n.theta, n.u) {
		n.data[in] = fill(random, make([]float32, in.Shape().TotalSize()), 0.7)
	}
	n.data[n.keep] = slices.Repeat([]float32{1}, all)
	// Episodes begin at the unroll's start, inside it, twice in a row, and at its last step.
	for _, at := range [][2]int{{0, 1}, {2, 0}, {3, 0}, {4, 2}, {5, 1}} {
		n.data[n.keep][at[0]*n.rows+at[1]] = 0
	}
	return n
}

// naive is the outputs [steps·rows, heads] in float64, one scalar at a time, with each parameter moved by
// step·direction, and the h and c of the last step.
func (n *recurrent) naive(step float64, direction func(p, i int) float64) (out []float64, last []float64) {
	weight := func(p, i int) float64 { return float64(n.data[n.theta[p]][i]) + step*direction(p, i) }
	layer := func(x []float64, w, b, cols int) []float64 {
		y := make([]float64, cols)
		for j := range y {
			y[j] = weight(b, j)
			for i, v := range x {
				y[j] += v * weight(w, i*cols+j)
			}
		}
		return y
	}
	sigma := func(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
	out = make([]float64, n.steps*n.rows*n.heads)
	for b := range n.rows {
		h, c := make([]float64, n.units), make([]float64, n.units)
		for j := range h {
			h[j], c[j] = float64(n.data[n.state][b*2*n.units+j]), float64(n.data[n.state][b*2*n.units+n.units+j])
		}
		for t := range n.steps {
			r := t*n.rows + b
			if n.data[n.keep][r] == 0 {
				clear(h)
				clear(c)
			}
			x := make([]float64, n.obs)
			for i := range x {
				x[i] = float64(n.data[n.x][r*n.obs+i])
			}
			y := layer(x, 0, 1, n.torso)
			for i := range y {
				y[i] = math.Tanh(y[i])
			}
			z := layer(y, 2, 3, 4*n.units)
			for j := range z {
				for k, v := range h {
					z[j] += v * weight(4, k*4*n.units+j)
				}
			}
			for j := range h {
				i, f, g, o := sigma(z[j]), sigma(z[n.units+j]), math.Tanh(z[2*n.units+j]), sigma(z[3*n.units+j])
				c[j] = f*c[j] + i*g
				h[j] = o * math.Tanh(c[j])
			}
			copy(out[r*n.heads:], layer(h, 5, 6, n.heads))
		}
		last = append(append(last, h...), c...)
	}
	return out, last
}

// slope is the derivative of the naive outputs along a direction of the parameters.
func (n *recurrent) slope(direction func(p, i int) float64) []float64 {
	const eps = 1e-5
	up, _ := n.naive(eps, direction)
	down, _ := n.naive(-eps, direction)
	for i := range up {
		up[i] = (up[i] - down[i]) / (2 * eps)
	}
	return up
}

func agree(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	scale := 0.0
	for _, w := range want {
		scale = max(scale, math.Abs(w))
	}
	for i, w := range want {
		if !(math.Abs(float64(got[i])-w) <= 1e-4*max(math.Abs(w), 0.1*scale)) {
			t.Errorf("%s: element %d is %g, want %g", what, i, got[i], w)
		}
	}
}

func still(int, int) float64 { return 0 }

func TestUnrolledCoreIsTheNaiveRecurrence(t *testing.T) {
	n := newRecurrent(t, 1)
	want, last := n.naive(0, still)
	agree(t, "outputs", value(t, n.data, n.out), want)
	cells := value(t, n.data, n.cells)
	width := kernel.CellParts * n.units
	for b := range n.rows { // the state that the next unroll starts from
		r := (n.steps-1)*n.rows + b
		agree(t, "last state", cells[r*width:r*width+2*n.units], last[b*2*n.units:(b+1)*2*n.units])
	}
}

func TestGradientThroughTheCoreIsTheFiniteDifference(t *testing.T) {
	n := newRecurrent(t, 2)
	for p, grad := range n.grads {
		got := value(t, n.data, grad)
		want := make([]float64, len(got))
		for i := range want {
			slope := n.slope(func(q, j int) float64 {
				if q == p && j == i {
					return 1
				}
				return 0
			})
			for k, s := range slope {
				want[i] += s * float64(n.data[n.c][k])
			}
		}
		agree(t, n.theta[p].Name(), got, want)
	}
}

func TestTangentThroughTheCoreIsTheFiniteDifferenceAlongU(t *testing.T) {
	n := newRecurrent(t, 3)
	want := n.slope(func(p, i int) float64 { return float64(n.data[n.u[p]][i]) })
	agree(t, "J·u", value(t, n.data, n.tangent), want)
}

// Whatever the state before an episode was, and be it broken, the episode knows nothing of it.
func TestNothingPassesTheStartOfAnEpisode(t *testing.T) {
	n := newRecurrent(t, 4)
	keep := n.data[n.keep]
	for b := range n.rows {
		keep[b] = 0
	}
	before := slices.Clone(value(t, n.data, n.out))
	grad := slices.Clone(value(t, n.data, n.grads[4]))
	for i := range n.data[n.state] {
		n.data[n.state][i] = float32(math.NaN())
	}
	if !slices.Equal(value(t, n.data, n.out), before) || !slices.Equal(value(t, n.data, n.grads[4]), grad) {
		t.Error("the state before an episode is seen in it")
	}
}

func TestRunningTheCoreAllocatesNothing(t *testing.T) {
	n := newRecurrent(t, 5)
	m := newMemory(n.data)
	calls := m.bind(m.mustList(t, append(slices.Clone(n.grads), n.out, n.tangent)...))
	if a := testing.AllocsPerRun(20, calls.Run); a != 0 {
		t.Errorf("%v allocations", a)
	}
}
