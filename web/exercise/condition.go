package exercise

// The sentence on an answer: the first whose conditions hold.

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
)

// Say is a sentence and its conditions, which must all hold.
type Say struct {
	When []condition `yaml:"when"`
	Say  string      `yaml:"say"`
}

// facts are figures that conditions may name besides settings.
type facts map[string]float64

// say returns the first sentence whose conditions hold.
func (e *Exercise) say(f facts, cfg *hyper.Config) string {
	for _, s := range e.Say {
		if !slices.ContainsFunc(s.When, func(c condition) bool { return !c.holds(f, cfg) }) {
			return s.Say
		}
	}
	return ""
}

// condition is like rho<0.5, correction=epsilon or credit=1.
type condition struct {
	key, op string
	number  float64 // NaN for a text
	text    string
	row     *hyper.Row // of a setting; nil: the key is one of facts
}

// UnmarshalText reads a condition.
func (c *condition) UnmarshalText(text []byte) error {
	for _, op := range []string{"<=", ">=", "!=", "<", ">", "="} {
		key, value, ok := strings.Cut(string(text), op)
		if !ok {
			continue
		}
		*c = condition{key: strings.TrimSpace(key), op: op, text: strings.TrimSpace(value)}
		var err error
		if c.number, err = strconv.ParseFloat(c.text, 64); err != nil {
			if c.number = math.NaN(); op != "=" && op != "!=" {
				return fmt.Errorf("condition %q: %s is not a number", text, c.text)
			}
		}
		if !slices.Contains([]string{"credit", "figure", "fallen"}, c.key) {
			if c.row, err = hyper.Lookup(c.key); err != nil {
				return fmt.Errorf("condition %q: %w", text, err)
			}
		}
		return nil
	}
	return fmt.Errorf("condition %q: must be like rho<0.5", text)
}

func (c *condition) holds(f facts, cfg *hyper.Config) bool {
	x, known := f[c.key]
	text := ""
	if !known {
		if cfg == nil || c.row == nil {
			return false
		}
		text, x = cfg.Get(c.key), math.NaN()
		if c.row.Numeric() {
			x, _ = c.row.Parse(text) // the configuration is valid
		}
	}
	if math.IsNaN(c.number) {
		return (text == c.text) == (c.op == "=")
	}
	y := c.number
	switch c.op {
	case "<":
		return x < y-tiny
	case ">":
		return x > y+tiny
	case "<=":
		return x <= y+tiny
	case ">=":
		return x >= y-tiny
	}
	return (x == y || math.Abs(x-y) <= 1e-3*math.Abs(y)) == (c.op == "=")
}
