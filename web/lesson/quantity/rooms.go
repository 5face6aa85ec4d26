package quantity

import (
	"math"
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
	v, err := r.values(policy)
	return r.p.Mean(v), err
}

// values returns the value of a policy in each state.
func (r *house) values(policy []float64) ([]float64, error) {
	v := make([]float64, r.p.States)
	return v, r.p.Value(v, policy)
}

// destination returns the values of the implied policy, to which the values converge.
func (r *house) destination(g args) ([]float64, error) {
	implied := make([]float64, len(r.pi))
	r.p.Implied(implied, r.pi, r.mu, cutting(g))
	return r.values(implied)
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

// mostUpdates limits the updates of value-after.
const mostUpdates = 160

// courses has the values of each state after 0 to mostUpdates updates, by ρ̄, c̄ and α.
var courses sync.Map

// after returns the values after expected updates from V = 0. Between whole updates they are on a straight line.
func (r *house) after(g args) ([]float64, error) {
	key := [...]float64{g["rho"], g["c"], g["alpha"]}
	course, known := courses.Load(key)
	if !known {
		all := [][]float64{make([]float64, r.p.States)}
		for i := range mostUpdates {
			next := make([]float64, r.p.States)
			if err := r.p.Operator(next, all[i], r.pi, r.mu, updating(g)); err != nil {
				return nil, err
			}
			all = append(all, next)
		}
		course, _ = courses.LoadOrStore(key, all)
	}
	all, n := course.([][]float64), max(0, min(g["updates"], mostUpdates))
	from := all[int(n)]
	to, v := all[min(int(n)+1, mostUpdates)], make([]float64, r.p.States)
	for s := range v {
		v[s] = from[s] + (n-math.Floor(n))*(to[s]-from[s])
	}
	return v, nil
}

// fields are the quantities that have a value in each state of the four rooms.
var fields = map[string]func(*house, args) ([]float64, error){
	"destination": (*house).destination,
	"value-after": (*house).after,
	"value-of-mu": func(r *house, _ args) ([]float64, error) { return r.values(r.mu) },
	"value-of-pi": func(r *house, _ args) ([]float64, error) { return r.values(r.pi) },
}

// InRooms returns the values of a quantity in each state of the world four-rooms; Of is their mean over the start
// states. ok is false if the quantity has no such values.
func (q *Quantity) InRooms(given map[string]float64) (v []float64, ok bool) {
	field, ok := fields[q.Name]
	r, err := rooms()
	if !ok || err != nil {
		return nil, false
	}
	v, err = field(r, given)
	return v, err == nil
}

// meanInRooms is the mean over the start states of a field.
func meanInRooms(name string) func(args) (float64, error) {
	return inRooms(func(r *house, g args) (float64, error) {
		v, err := fields[name](r, g)
		if err != nil {
			return 0, err
		}
		return r.p.Mean(v), nil
	})
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
