package envs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A world's options follow its name, "t-maze:length=20,cue=2", so every carrier of the name (a link, a snapshot, a
// message to the browser) carries them too. Spec.Name is that text in one canonical form: the options in their own
// order, without options that have their usual value.

// MaxName bounds a canonical name, in bytes: a state's header and the browser's messages carry it.
const MaxName = 255

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

// every is a world's own options, then the wrappers' that it does not have itself, and how many are its own.
func (e *Entry) every() (options []Option, own int) {
	options = append(options, e.Options...)
	own = len(options)
	for i := range wrappers {
		if indexOf(options[:own], wrappers[i].Key) < 0 {
			options = append(options, wrappers[i].Option)
		}
	}
	return options, own
}

// EveryOption returns all options that may follow a world's name: its own first, then the options of every world.
func (e *Entry) EveryOption() []Option {
	options, _ := e.every()
	return options
}

func indexOf(options []Option, key string) int {
	return slices.IndexFunc(options, func(o Option) bool { return o.Key == key })
}

// Chosen returns the world's own options in its name, and the value of each.
func Chosen(name string) (options []Option, values []float64, err error) {
	chosen, err := Lookup(name)
	if err != nil {
		return nil, nil, err
	}
	plain, text, _ := strings.Cut(chosen.Spec.Name, ":")
	e, err := Lookup(plain)
	if err != nil {
		return nil, nil, err
	}
	values = usualValues(e.Options)
	for pair := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(pair, "=")
		if i := indexOf(e.Options, key); i >= 0 {
			values[i], err = strconv.ParseFloat(value, 64)
		}
	}
	return e.Options, values, err
}

// With returns the canonical name of the same world with one option changed. Errors name the option and its values.
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
	options, own := e.every()
	given := make(map[int]float64)
	for pair := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(pair, "=")
		i := indexOf(options, key)
		if i < 0 {
			return nil, fmt.Errorf("world %q has no option %.32q: %s", e.Spec.Name, key, e.optionsInWords())
		}
		if _, twice := given[i]; twice {
			return nil, fmt.Errorf("world %q has its option %q twice: keep one", e.Spec.Name, key)
		}
		v, err := strconv.ParseFloat(value, 64)
		if o := options[i]; err != nil || !(v >= o.Min && v <= o.Max) || (o.Whole && v != math.Trunc(v)) {
			return nil, fmt.Errorf("%s:%s=%.32q: must be %s", e.Spec.Name, key, value, o.Allowed())
		}
		given[i] = v + 0 // −0 and 0 are one value
	}

	// A missing option has its usual value, or the challenge's; a given option with that value is left out of the name.
	usually := usualValues(options)
	if i := indexOf(options, "challenge"); i >= own {
		e.challenged(options, usually, int(given[i]))
	}
	values := slices.Clone(usually)
	for i, v := range given {
		values[i] = v
	}
	words := inWords(options, values, usually)
	name := e.Spec.Name
	if len(words) > 0 {
		name += ":" + strings.Join(words, ",")
	}
	if len(name) > MaxName {
		return nil, fmt.Errorf("%q is %d bytes long, at most %d can travel: leave some options out", name, len(name),
			MaxName)
	}

	sized := e
	if size := inWords(options[:own], values[:own], usually); len(size) > 0 {
		made := e.Sized(values[:own])
		made.Options, made.Sized = e.Options, e.Sized
		made.Spec.Name = e.Spec.Name + ":" + strings.Join(size, ",")
		sized = &made
	}
	wraps := inWords(options[own:], values[own:], usually[own:])
	if len(wraps) == 0 {
		return sized, nil
	}
	return sized.wrap(name, strings.Join(wraps, ", "), func(key string) float64 {
		if i := indexOf(options[own:], key); i >= 0 {
			return values[own+i]
		}
		i := slices.IndexFunc(wrappers, func(w wrapper) bool { return w.Key == key })
		return wrappers[i].Usual // the world has an option of its own by that name
	})
}

// inWords lists "key=value" of all values that are not as usual.
func inWords(options []Option, values, usually []float64) []string {
	var words []string
	for i, o := range options {
		if values[i] != usually[i] {
			words = append(words, o.Key+"="+strconv.FormatFloat(values[i], 'g', -1, 64))
		}
	}
	return words
}

func (e *Entry) optionsInWords() string {
	words := "every world has"
	for i := range wrappers {
		words += " " + wrappers[i].Key
	}
	if len(e.Options) == 0 {
		return "it has none of its own; " + words
	}
	own := make([]string, len(e.Options))
	for i, o := range e.Options {
		own[i] = fmt.Sprintf("%s (%s)", o.Key, o.Allowed())
	}
	return "it has " + strings.Join(own, ", ") + "; " + words
}
