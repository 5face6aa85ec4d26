package world

import "strconv"

// Option is one number of a world that may be chosen.
type Option struct {
	Key, Sentence string
	Min, Max      float64 // both included
	Usual         float64
	Whole         bool
}

// Allowed describes the option's values in words.
func (o *Option) Allowed() string {
	kind := "a number"
	if o.Whole {
		kind = "a whole number"
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return kind + " from " + number(o.Min) + " to " + number(o.Max)
}
