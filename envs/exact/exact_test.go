package exact

import (
	"math"
	"testing"

	"impalab/envs"
)

func finite(t testing.TB, name string, gamma float64) *Problem {
	w, err := envs.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return Of(w.(envs.Finite).MDP(), gamma)
}

func uniform(p *Problem) []float64 {
	out := make([]float64, p.States*p.Actions)
	for i := range out {
		out[i] = 1 / float64(p.Actions)
	}
	return out
}

// The destination of the values on four rooms, γ .97, π = softmax(Q*/.05), μ uniform: figures from an independent
// program.
func TestDestinationsOfFourRooms(t *testing.T) {
	p := finite(t, "four-rooms", .97)
	q, target, behaviour := make([]float64, p.States*p.Actions), make([]float64, p.States*p.Actions), uniform(p)
	if err := p.Optimal(q); err != nil {
		t.Fatal(err)
	}
	p.Soft(target, q, .05)
	implied, v := make([]float64, len(q)), make([]float64, p.States)
	for _, c := range []struct {
		k    Correction
		want float64
	}{
		{Correction{.3, .3, 1, 1, 1}, .127},
		{Correction{1, 0, 1, 1, 1}, .277},
		{Correction{1, 1, 1, 1, 1}, .277},
		{Correction{2, 1, 1, 1, 1}, .483},
		{Correction{4, 1, 1, 1, 1}, .485},
		{Correction{1, 1, .5, .5, 1}, .399},
		{Correction{1, 1, 0, 0, 1}, .485},
	} {
		p.Implied(implied, target, behaviour, c.k)
		if err := p.Value(v, implied); err != nil {
			t.Fatal(err)
		}
		if got := p.Mean(v); math.Abs(got-c.want) > .0005 {
			t.Errorf("%+v leads to %.4f, want %.3f", c.k, got, c.want)
		}
	}
}

// The value of π_ρ̄,α stays where it is under the operator, with ends too, whatever c̄, α_c, λ and n are.
func TestImpliedValueIsFixedPoint(t *testing.T) {
	for _, name := range []string{"cliff", "four-rooms", "garnet"} {
		p := finite(t, name, .95)
		r := envs.NewRand(1, 0)
		target, behaviour := random(p, &r), random(p, &r)
		implied, v, out := make([]float64, len(target)), make([]float64, p.States), make([]float64, p.States)
		for _, k := range []Correction{{1, 1, 1, 1, 1}, {1, .2, 1, 1, .7}, {2, 1, .6, .9, 1},
			{math.Inf(1), math.Inf(1), 1, 1, 1}, {.1, 0, .5, 1, 0}} {
			p.Implied(implied, target, behaviour, k)
			if err := p.Value(v, implied); err != nil {
				t.Fatal(err)
			}
			if err := p.Operator(out, v, target, behaviour, k); err != nil {
				t.Fatal(err)
			}
			if d := distance(out, v); d > 1e-10 {
				t.Errorf("%s, %+v: the operator moves its fixed point by %v", name, k, d)
			}
			p.OperatorN(out, v, 5, target, behaviour, k)
			if d := distance(out, v); d > 1e-10 {
				t.Errorf("%s, %+v: the 5-step operator moves its fixed point by %v", name, k, d)
			}
		}
	}
}

// One application shrinks the largest error by η or more wherever ρ ≥ c, and η is below its bound.
func TestContractionHolds(t *testing.T) {
	for _, name := range []string{"cliff", "four-rooms", "garnet"} {
		p := finite(t, name, .95)
		r := envs.NewRand(2, 0)
		for range 5 {
			target, behaviour, k := random(p, &r), random(p, &r), Correction{1, 1, .8, .8, 1}
			c, err := p.Contraction(target, behaviour, k)
			if err != nil {
				t.Fatal(err)
			}
			implied, truth, v := make([]float64, len(target)), make([]float64, p.States), make([]float64, p.States)
			p.Implied(implied, target, behaviour, k)
			if err := p.Value(truth, implied); err != nil {
				t.Fatal(err)
			}
			for s := range v {
				if !p.Over[s] {
					v[s] = 10 * r.Norm()
				}
			}
			before := distance(v, truth)
			if err := p.Operator(v, v, target, behaviour, k); err != nil {
				t.Fatal(err)
			}
			if after := distance(v, truth); after > c.Max*before+1e-10 {
				t.Errorf("%s: the error went from %v to %v, η is %v", name, before, after, c.Max)
			}
			if c.Max > c.Bound || math.Abs(c.Max-c.Norm) > 1e-10 || c.SpectralRadius() > c.Norm+1e-10 || !c.RhoDominatesC {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

// Behind an end there is nothing to be wrong about: with half the ratio cut away, an episode of one step keeps half
// its error, not half and the discount's share of a value that is known.
func TestEndsAreKnown(t *testing.T) {
	p := Of(&envs.MDP{
		States: 2, Actions: 1,
		Next:  [][]envs.Branch{{{P: 1, To: 1, Reward: 1}}, nil},
		Over:  []bool{false, true},
		Start: []float64{1, 0},
	}, .9)
	c, err := p.Contraction([]float64{1, 1}, []float64{1, 1}, Correction{.5, .5, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(c.Max-.5) > 1e-12 || c.PerState[1] != 0 {
		t.Errorf("η %v, want .5 and 0", c.PerState)
	}
}

// Q* is the value of its own greedy policy, and no policy is better.
func TestOptimalIsGreedyValue(t *testing.T) {
	for _, name := range []string{"cliff", "four-rooms", "garnet"} {
		p := finite(t, name, .97)
		q, greedy, v, best := make([]float64, p.States*p.Actions), make([]float64, p.States*p.Actions),
			make([]float64, p.States), make([]float64, p.States)
		if err := p.Optimal(q); err != nil {
			t.Fatal(err)
		}
		p.Best(best, q)
		p.Soft(greedy, q, 1e-6)
		if err := p.Value(v, greedy); err != nil {
			t.Fatal(err)
		}
		if d := distance(v, best); d > 1e-8 {
			t.Errorf("%s: the greedy policy's value is %v away from V*", name, d)
		}
		r := envs.NewRand(3, 0)
		if err := p.Value(v, random(p, &r)); err != nil {
			t.Fatal(err)
		}
		for s := range v {
			if v[s] > best[s]+1e-9 {
				t.Errorf("%s: state %d is worth %v under a random policy, %v at best", name, s, v[s], best[s])
			}
		}
	}
}

// Exact values equal the average returns of episodes.
func TestValueIsMeanReturn(t *testing.T) {
	const gamma, episodes = .9, 100_000
	p := finite(t, "cliff", gamma)
	v := make([]float64, p.States)
	if err := p.Value(v, uniform(p)); err != nil {
		t.Fatal(err)
	}
	w, _ := envs.New("cliff")
	r := envs.NewRand(4, 0)
	sum, squares := 0.0, 0.0
	for range episodes {
		w.Reset(&r)
		total, weight := 0.0, 1.0
		for end := envs.Running; end == envs.Running; weight *= gamma {
			out := w.Step(&r, r.IntN(p.Actions))
			total += weight * float64(out.Reward)
			end = out.End
		}
		sum += total
		squares += total * total
	}
	mean := sum / episodes
	spread := math.Sqrt((squares/episodes - mean*mean) / episodes)
	if math.Abs(mean-p.Mean(v)) > 5*spread {
		t.Errorf("episodes return %v ± %v, exact is %v", mean, spread, p.Mean(v))
	}
}

func TestDisjointPoliciesGiveNumbers(t *testing.T) {
	p := &Problem{States: 1, Actions: 2, P: []float64{1, 1}, R: []float64{0, 1}, Gamma: .5}
	target, behaviour, implied := []float64{1, 0}, []float64{0, 1}, make([]float64, 2)
	for _, k := range []Correction{{1, 1, 1, 1, 1}, {math.Inf(1), math.Inf(1), .5, .5, 1}, {}} {
		p.Implied(implied, target, behaviour, k)
		if implied[0] != 0 || implied[1] != 1 {
			t.Errorf("%+v implies %v, want μ", k, implied)
		}
	}
}

func TestUndiscountedWithoutEndIsRefused(t *testing.T) {
	p := finite(t, "garnet", 1)
	if err := p.Value(make([]float64, p.States), uniform(p)); err == nil {
		t.Error("values that grow for ever were given as finite")
	}
	p = finite(t, "four-rooms", 1)
	v := make([]float64, p.States)
	if err := p.Value(v, uniform(p)); err != nil || math.Abs(p.Mean(v)-1) > 1e-9 {
		t.Errorf("with γ 1 everybody arrives: value %v, %v; want 1", p.Mean(v), err)
	}
}

func random(p *Problem, r *envs.Rand) []float64 {
	out := make([]float64, p.States*p.Actions)
	for i := range out {
		out[i] = r.Norm()
	}
	p.Soft(out, append([]float64(nil), out...), 1)
	return out
}

func distance(a, b []float64) float64 {
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}

// BenchmarkDestination measures the cost of a gauge: three values and η, on the largest finite world.
func BenchmarkDestination(b *testing.B) {
	p := finite(b, "four-rooms", .97)
	mu, v := uniform(p), make([]float64, p.States)
	for b.Loop() {
		for range 3 {
			if err := p.Value(v, mu); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := p.Contraction(mu, mu, Correction{1, 1, 1, 1, 1}); err != nil {
			b.Fatal(err)
		}
	}
}
