package envs

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A world's options stand behind its name, "t-maze:length=20,cue=2", so that whatever carries the name (a link, a
// snapshot, a message to the browser) carries them too. Spec.Name is that text in one canonical form: the
// options in their own order, those that have their usual value left out.

// MaxName bounds a canonical name, in bytes: what the browser's messages carry.
const MaxName = 64

// Option is one number of a world that may be chosen.
type Option struct {
	Key, Sentence string
	Min, Max      float64 // both included
	Usual         float64
	Whole         bool
}

// usual is the entry of a world with options at their usual values.
func usual(sized func(values []float64) Entry, options []Option) Entry {
	e := sized(usualValues(options))
	e.Options, e.Sized = options, sized
	return e
}

func usualValues(options []Option) []float64 {
	values := make([]float64, len(options))
	for i, o := range options {
		values[i] = o.Usual
	}
	return values
}

// Chosen is a name's options and the value of each.
func Chosen(name string) (options []Option, values []float64, err error) {
	e, err := Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	values = usualValues(e.Options)
	_, text, _ := strings.Cut(e.Spec.Name, ":")
	for pair := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(pair, "=")
		if i := e.option(key); i >= 0 {
			values[i], err = strconv.ParseFloat(value, 64)
		}
	}
	return e.Options, values, err
}

// With is the canonical name of the same world with one option changed. Errors name the option and what it takes.
func With(name, key, value string) (string, error) {
	plain, text, _ := strings.Cut(name, ":")
	pairs := []string{key + "=" + value}
	for pair := range strings.SplitSeq(text, ",") {
		if have, _, _ := strings.Cut(pair, "="); have != "" && have != key {
			pairs = append(pairs, pair)
		}
	}
	e, err := Lookup(plain + ":" + strings.Join(pairs, ","))
	if err != nil {
		return "", err
	}
	return e.Spec.Name, nil
}

// with reads "key=value,key=value" and makes the entry with those values.
func (e *Entry) with(text string) (*Entry, error) {
	values, given := usualValues(e.Options), make([]bool, len(e.Options))
	for pair := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(pair, "=")
		i := e.option(key)
		if i < 0 {
			return nil, fmt.Errorf("envs: world %q has no option %.32q: %s", e.Spec.Name, key, e.optionsInWords())
		}
		if given[i] {
			return nil, fmt.Errorf("envs: world %q has its option %q twice: keep one", e.Spec.Name, key)
		}
		given[i] = true
		v, err := strconv.ParseFloat(value, 64)
		if o := e.Options[i]; err != nil || !(v >= o.Min && v <= o.Max) || (o.Whole && v != math.Trunc(v)) {
			return nil, fmt.Errorf("envs: %s:%s=%.32q: want %s", e.Spec.Name, key, value, o.Allowed())
		}
		values[i] = v + 0 // −0 and 0 are one value
	}
	name := e.Spec.Name + e.suffix(values)
	if len(name) > MaxName {
		return nil, fmt.Errorf("envs: %q is %d bytes long, at most %d can travel: leave some options out", name, len(name), MaxName)
	}
	sized := e.Sized(values)
	sized.Options, sized.Sized = e.Options, e.Sized
	sized.Spec.Name = name
	return &sized, nil
}

func (e *Entry) option(key string) int {
	for i := range e.Options {
		if e.Options[i].Key == key {
			return i
		}
	}
	return -1
}

// suffix is the canonical text of values: ":key=value,…" or nothing.
func (e *Entry) suffix(values []float64) string {
	var parts []string
	for i, o := range e.Options {
		if values[i] != o.Usual {
			parts = append(parts, o.Key+"="+strconv.FormatFloat(values[i], 'g', -1, 64))
		}
	}
	if parts == nil {
		return ""
	}
	return ":" + strings.Join(parts, ",")
}

func (e *Entry) optionsInWords() string {
	if len(e.Options) == 0 {
		return "it has none"
	}
	words := make([]string, len(e.Options))
	for i, o := range e.Options {
		words[i] = fmt.Sprintf("%s (%s)", o.Key, o.Allowed())
	}
	return "it has " + strings.Join(words, ", ")
}

// Allowed says in words which values the option takes.
func (o *Option) Allowed() string {
	kind := "a number"
	if o.Whole {
		kind = "a whole number"
	}
	return fmt.Sprintf("%s from %g to %g", kind, o.Min, o.Max)
}
