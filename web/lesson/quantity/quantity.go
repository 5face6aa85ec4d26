// Package quantity computes quantities of the lessons that need no training. Pages and exercises draw them or judge by
// them. Its tests add the quantities that only support a printed figure, and compare every such figure.
package quantity

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/correct"
	"impalab/learner/loss"
)

// Quantity is a function of named numbers.
type Quantity struct {
	Name string
	Args map[string]float64 // with the values that a text leaves out
	Of   func(given map[string]float64) (float64, error)
}

type args = map[string]float64

// All are the quantities.
var All = slices.Concat(solved, turned, raced, weights, visited, late)

// solved are quantities of the coin, of rooms, buttons, sheets, tokens and seeds.
var solved = []Quantity{
	// The coin's two players: π takes the first of two actions with probability pi, μ with probability mu.
	{"effective-sample", args{"pi": .9, "mu": .5, "steps": 1}, plain(func(g args) float64 {
		g["rho"], g["alpha"] = math.Inf(1), 1
		return math.Pow(square(g), -g["steps"])
	})},
	{"implied", args{"pi": .9, "mu": .5, "rho": 1, "alpha": 1}, plain(func(g args) float64 { return implied(g)[0] })},
	{"square", args{"pi": .9, "mu": .5, "rho": 1, "alpha": 1}, plain(square)},

	// Four rooms, the world of the preset "destination".
	{"destination", args{"rho": 1, "alpha": 1}, meanInRooms("destination")},

	// LASER's state with two buttons that pay 2 and 5.
	{"push", args{"p": .5, "baseline": 0, "rho": 1, "mu": .9}, plain(push)},
	{"mixed-lead", args{"online": .25, "p": .5, "mu": .9}, plain(func(g args) float64 {
		omega, mixed := make([]float64, 2), make([]float64, 2)
		correct.Omega(omega, []float64{g["p"], 1 - g["p"]}, []float64{g["mu"], 1 - g["mu"]}, 1)
		correct.MixedQ(mixed, paid, omega, 1, 1, g["online"])
		return mixed[1] - mixed[0]
	})},

	// V-MPO's weights of four advantages, STAC's metaparameters, and tokens whose log-ratios are normal with mean −κ and
	// variance 2κ.
	{"weights-distance", args{"eta": 1}, plain(func(g args) float64 { return distance(g["eta"]) })},
	{"knob", args{"z": 4.6}, plain(func(g args) float64 { value, _ := loss.Squash(g["z"]); return value })},
	{"sequence-sample", args{"kappa": .001, "tokens": 1000}, plain(func(g args) float64 {
		return math.Exp(-2 * g["kappa"] * g["tokens"])
	})},

	// The chance that no seed shows a fault.
	{"unseen", args{"chance": .125, "seeds": 8}, plain(func(g args) float64 {
		return math.Pow(1-g["chance"], g["seeds"])
	})},
}

// Compute returns a quantity as evidence names it, like "destination rho=1 c=0.25".
func Compute(text string) (float64, error) {
	q, given, err := Find(text)
	if err != nil {
		return 0, err
	}
	return q.Of(given)
}

// Find returns the quantity that a text names, with all its arguments.
func Find(text string) (*Quantity, map[string]float64, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, nil, fmt.Errorf("no quantity is named")
	}
	i := slices.IndexFunc(All, func(q Quantity) bool { return q.Name == words[0] })
	if i < 0 {
		return nil, nil, fmt.Errorf("no quantity is called %q; web/lesson/quantity lists them", words[0])
	}
	q := &All[i]
	given := maps.Clone(q.Args)
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if _, ok := q.Args[key]; !ok {
			return nil, nil, fmt.Errorf("%s has no argument %q", q.Name, key)
		}
		x, err := strconv.ParseFloat(value, 64) // also reads inf
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %s is not a number", q.Name, word)
		}
		given[key] = x
	}
	return q, given, nil
}

// plain is a quantity that always exists.
func plain(of func(args) float64) func(args) (float64, error) {
	return func(g args) (float64, error) { return of(g), nil }
}
