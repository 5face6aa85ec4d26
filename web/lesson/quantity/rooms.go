package quantity

import (
	"sync"

	"impalab/envs"
	"impalab/envs/exact"
	"impalab/learner/hyper"
)

// house is the world of four rooms with the discount and the two policies of the preset "destination".
type house struct {
	p      *exact.Problem
	pi, mu []float64 // [S, A]
}

// softness is the temperature of init=soft-optimal.
const softness = .05

func newRooms() (*house, error) {
	c, err := hyper.FromPreset("destination")
	if err != nil {
		return nil, err
	}
	world, err := envs.New(c.World)
	if err != nil {
		return nil, err
	}
	p := exact.Of(world.(envs.Finite).MDP(), c.Gamma)
	r := &house{p: p, pi: make([]float64, p.States*p.Actions), mu: make([]float64, p.States*p.Actions)}
	q := make([]float64, len(r.pi))
	if err := p.Optimal(q); err != nil {
		return nil, err
	}
	p.Soft(r.pi, q, softness)
	for i := range r.mu {
		r.mu[i] = 1 / float64(p.Actions)
	}
	return r, nil
}

// value returns the value of a policy, averaged over the start states.
func (r *house) value(policy []float64) (float64, error) {
	v := make([]float64, r.p.States)
	err := r.p.Value(v, policy)
	return r.p.Mean(v), err
}

// destination returns the value of the implied policy, to which the values converge.
func (r *house) destination(g args) (float64, error) {
	implied := make([]float64, len(r.pi))
	r.p.Implied(implied, r.pi, r.mu, cutting(g))
	return r.value(implied)
}

// cutting returns the correction of the arguments.
func cutting(g args) exact.Correction {
	return exact.Correction{RhoBar: g["rho"], CBar: 1, LeakRho: g["alpha"], LeakC: g["alpha"], Lambda: 1}
}

// updating returns the correction of the arguments, with a truncation and a leak of c.
func updating(g args) exact.Correction {
	k := cutting(g)
	if c, ok := g["c"]; ok {
		k.CBar = c
	}
	if alpha, ok := g["alphac"]; ok {
		k.LeakC = alpha
	}
	return k
}

// mostUpdates limits the updates of valueAfter.
const mostUpdates = 160

// courses has the mean values after 0 to mostUpdates updates, by ρ̄, c̄ and α.
var courses sync.Map

// valueAfter returns the mean value after expected updates from V = 0. Between whole updates it is a straight line.
func (r *house) valueAfter(g args) (float64, error) {
	key := [...]float64{g["rho"], g["c"], g["alpha"]}
	course, known := courses.Load(key)
	if !known {
		v, means := make([]float64, r.p.States), make([]float64, mostUpdates+1)
		for i := range means {
			means[i] = r.p.Mean(v)
			if err := r.p.Operator(v, v, r.pi, r.mu, updating(g)); err != nil {
				return 0, err
			}
		}
		course, _ = courses.LoadOrStore(key, means)
	}
	means, n := course.([]float64), max(0, min(g["updates"], mostUpdates))
	from := int(n)
	return means[from] + (n-float64(from))*(means[min(from+1, mostUpdates)]-means[from]), nil
}

// rooms is the world of the preset "destination" with its two policies, solved once.
var rooms = sync.OnceValues(newRooms)

// inRooms returns a quantity of the four rooms.
func inRooms(of func(*house, args) (float64, error)) func(args) (float64, error) {
	return func(g args) (float64, error) {
		r, err := rooms()
		if err != nil {
			return 0, err
		}
		return of(r, g)
	}
}
