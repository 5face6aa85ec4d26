package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Quantity is something that can be computed without training anything. Its arguments have the values that a text
// leaves out.
type Quantity struct {
	Name string
	Args map[string]float64
	Of   func(given map[string]float64) (float64, error)
}

// Compute works out a quantity as evidence has it, like "destination rho=1 c=0.25".
func Compute(text string) (float64, error) {
	q, given, err := parseQuantity(text)
	if err != nil {
		return 0, err
	}
	return q.Of(given)
}

func parseQuantity(text string) (*Quantity, map[string]float64, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, nil, fmt.Errorf("no quantity is named")
	}
	i := slices.IndexFunc(Quantities, func(q Quantity) bool { return q.Name == words[0] })
	if i < 0 {
		return nil, nil, fmt.Errorf("no quantity is called %q; Quantities lists them", words[0])
	}
	q := &Quantities[i]
	given := map[string]float64{}
	for key, value := range q.Args {
		given[key] = value
	}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if _, ok := q.Args[key]; !ok {
			return nil, nil, fmt.Errorf("%s has no argument %q", q.Name, key)
		}
		x, err := strconv.ParseFloat(value, 64) // reads inf, too
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %s is no number", q.Name, word)
		}
		given[key] = x
	}
	return q, given, nil
}

// curvePoints is how finely a dial's curve is drawn.
const curvePoints = 81

// trace computes a dial's curve over its axis.
func (d *Dial) trace() error {
	q, given, err := parseQuantity(d.Of)
	if err != nil {
		return err
	}
	if _, ok := q.Args[d.Along]; !ok {
		return fmt.Errorf("%s has no argument %q to turn", q.Name, d.Along)
	}
	for i := range curvePoints {
		x := d.At(float64(i) / (curvePoints - 1))
		given[d.Along] = x
		y, err := q.Of(given)
		if err != nil {
			return err
		}
		d.Curve = append(d.Curve, Point{x, y})
	}
	return nil
}

// At is the figure at a share of the axis.
func (s *Scale) At(share float64) float64 {
	if s.Log {
		return s.From * math.Pow(s.To/s.From, share)
	}
	return s.From + (s.To-s.From)*share
}

// Place is where a figure stands on the axis, as a share of it; beyond its ends the nearest end.
func (s *Scale) Place(x float64) float64 {
	share := (x - s.From) / (s.To - s.From)
	if s.Log {
		share = math.Log(x/s.From) / math.Log(s.To/s.From)
	}
	return max(0, min(1, share))
}

// rooms is the finite world of the preset "destination", with both of its policies; solved once.
var rooms = sync.OnceValues(newRooms)
