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
	When []string `yaml:"when"`
	Say  string   `yaml:"say"`
}

// facts are figures that conditions may name besides settings.
type facts map[string]float64

// say returns the first sentence whose conditions hold.
func (e *Exercise) say(f facts, cfg *hyper.Config) string {
	for _, s := range e.Say {
		if !slices.ContainsFunc(s.When, func(when string) bool {
			c, err := parseCondition(when)
			return err != nil || !c.holds(f, cfg)
		}) {
			return s.Say
		}
	}
	return ""
}

// condition is like rho<0.5, correction=epsilon or credit=1.
type condition struct {
	key, op, value string
}

func parseCondition(text string) (c condition, err error) {
	for _, op := range []string{"<=", ">=", "!=", "<", ">", "="} {
		if key, value, ok := strings.Cut(text, op); ok {
			c = condition{strings.TrimSpace(key), op, strings.TrimSpace(value)}
			if _, err := strconv.ParseFloat(c.value, 64); err != nil && op != "=" && op != "!=" {
				return c, fmt.Errorf("condition %q: %s is not a number", text, c.value)
			}
			if _, err := hyper.Lookup(c.key); err != nil && !slices.Contains([]string{"credit", "figure",
				"fallen"}, c.key) {
				return c, fmt.Errorf("condition %q: %w", text, err)
			}
			return c, nil
		}
	}
	return c, fmt.Errorf("condition %q: must be like rho<0.5", text)
}

func (c *condition) holds(f facts, cfg *hyper.Config) bool {
	x, known := f[c.key]
	text := ""
	if !known {
		if cfg == nil {
			return false
		}
		text = cfg.Get(c.key)
		row, err := hyper.Lookup(c.key)
		if err != nil {
			return false
		}
		x = math.NaN()
		if row.Numeric() {
			if x, err = row.Parse(text); err != nil {
				return false
			}
		}
	}
	y, err := strconv.ParseFloat(c.value, 64)
	if err != nil {
		return (text == c.value) == (c.op == "=")
	}
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
