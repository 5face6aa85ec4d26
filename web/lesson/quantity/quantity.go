// Package quantity computes the quantities of the lessons and the errata that need no training. table.go lists the
// lessons' quantities, and misprint.go the errata's.
package quantity

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Quantity is a function of named numbers.
type Quantity struct {
	Name string
	Args map[string]float64 // with the values that a text leaves out
	Of   func(given map[string]float64) (float64, error)
}

type args = map[string]float64

// All are the quantities, by name.
var All = slices.Concat(taught, misprinted)

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

// bisect returns the zero of f, which rises, between low and high.
func bisect(low, high float64, f func(float64) float64) float64 {
	for range 200 {
		if middle := (low + high) / 2; f(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
