package hyper

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Group is the heading below which a setting stands: on the page, and in the list that `impalab settings` prints.
type Group string

// Forms is the group of the settings that single forms of the policy gradient's weight have.
const Forms Group = "Weights since 2025"

// Range is the allowed values of a number, both ends included.
type Range struct {
	Min, Max float64
	Open     bool // Min itself is not allowed
}

// Slider is the part of the range that a slider shows, and how its way maps to values.
type Slider struct {
	SliderMin, SliderMax float64
	Scale                Scale
}

// Scale says how a slider's way maps to values.
type Scale uint8

const (
	Linear  Scale = iota
	Log           // equal ratios; SliderMin > 0
	LogZero       // equal ratios of 1 + value, so that 0 is on it
)

// Row is one setting.
type Row struct {
	Key      string `json:"key"`              // in links, flags and the interface; never changes meaning
	Symbol   string `json:"symbol,omitempty"` // as the paper writes it
	Words    string `json:"words"`            // as people say it
	Unit     string `json:"unit,omitempty"`
	Group    Group  `json:"group"`
	Hot      bool   `json:"hot" doc:"Whether it may change while a run continues."`
	Formula  string `json:"formula,omitempty"`
	Sentence string `json:"sentence"`
	Paper    string `json:"paper,omitempty"` // section
	Tone     string `json:"-"`               // role of the palette whose quantity it decides; "": none

	// Used reports whether it has an effect beside the other settings; nil: always. InForce asks the algorithm too.
	Used condition `json:"-"`

	Range   `json:"-"`
	Slider  `json:"-"`
	Same    string   `json:"-"` // key whose value "same" stands for; "" if none
	Choices []string `json:"-"` // allowed texts of a choice; nil for a number
	Lines   int      `json:"-"` // greatest number of bytes of a text that has spaces and lines; 0: a value is one word
	Example string   `json:"-"` // of a text with lines: one that is not the base
	takes   string   // allowed texts in words, if there are not just a few choices
	check   func(string) error
	words   map[string]string // what people call choices that are not words themselves
	of      condition         // of the algorithms that have it; nil: all
	rules   []rule            // combinations that it refuses
	base    string            // in presets that do not name another value

	field int          // index of the field of Config whose tag has the key
	kind  reflect.Kind // of the field: Float64, Int, Uint64, String, or Uint8 for an index into Choices
}

// in returns the row's field of c.
func (r *Row) in(c *Config) reflect.Value { return reflect.ValueOf(c).Elem().Field(r.field) }

// Inline returns the symbol for a line of plain text, or "" where the symbol has a subscript or there is none.
func (r *Row) Inline() string {
	if strings.Contains(r.Symbol, "_") {
		return ""
	}
	return r.Symbol
}

// Lookup finds a row by its key. The error names the nearest.
func Lookup(key string) (*Row, error) {
	for i := range Table {
		if Table[i].Key == key {
			return &Table[i], nil
		}
	}
	return nil, Unknown("setting", key, Keys(), "impalab settings lists all")
}

// Keys lists every key in the order of the table.
func Keys() []string {
	return names(Table, func(r Row) string { return r.Key })
}

func names[T any](table []T, name func(T) string) []string {
	out := make([]string, len(table))
	for i := range table {
		out[i] = name(table[i])
	}
	return out
}

// KeysOf lists the keys of a group.
func KeysOf(group Group) (keys []string) {
	for i := range Table {
		if Table[i].Group == group {
			keys = append(keys, Table[i].Key)
		}
	}
	return keys
}

// Numeric reports whether the row is a number (and has a slider) rather than a choice or text.
func (r *Row) Numeric() bool { return r.kind != reflect.String && r.kind != reflect.Uint8 }

// maxWord is the greatest number of bytes of a value that is one word, in an address.
const maxWord = 256

// Longest returns the greatest number of bytes of a value in an address. r may be nil: a key that has no row.
func (r *Row) Longest() int {
	if r.lines() {
		return r.Lines
	}
	return maxWord
}

// lines reports whether a value is a text with lines. r may be nil.
func (r *Row) lines() bool { return r != nil && r.Lines > 0 }

// Whole reports whether only whole numbers are allowed.
func (r *Row) Whole() bool { return r.Numeric() && r.kind != reflect.Float64 }

// Name is what people call one of the row's choices: a title, a name, or the text itself.
func (r *Row) Name(value string) string {
	if words := r.words[value]; words != "" {
		return words
	}
	return value
}

// Meaning describes the effect of a value in text form beside the other settings of c, as in "7 of 8 old". It is "" if
// the value needs no description or is invalid.
func (r *Row) Meaning(c *Config, text string) string {
	with := *c
	if r.Key != "mix" || r.set(&with, text) != nil || with.Mix == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d old", with.Replayed(), with.BatchSize)
}

func (r *Row) get(c *Config) string {
	switch v := r.in(c); r.kind {
	case reflect.Float64:
		return r.Format(v.Float())
	case reflect.Int:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Uint8:
		return r.Choices[v.Uint()]
	default:
		return v.String()
	}
}

// Format writes a number the way links do: shortest form that reads back exactly, "inf", "same".
func (r *Row) Format(v float64) string {
	switch {
	case math.IsNaN(v):
		return "same"
	case math.IsInf(v, 1):
		return "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func (r *Row) set(c *Config, text string) error {
	change, err := r.change(text)
	if err != nil {
		return err
	}
	change.Apply(c)
	return nil
}

// Parse reads a number of this row: decimal (whole ones too may be 1e6), a fraction like 7/8, "inf" or "∞", or "same"
// where that is allowed.
func (r *Row) Parse(text string) (float64, error) {
	switch strings.ToLower(text) {
	case "same":
		if r.Same != "" {
			return math.NaN(), nil
		}
		return 0, r.refuse(text)
	case "inf", "+inf", "∞":
		if math.IsInf(r.Max, 1) {
			return math.Inf(1), nil
		}
		return 0, r.refuse(text)
	}
	num, den, fraction := strings.Cut(text, "/")
	v, err := strconv.ParseFloat(num, 64)
	if err == nil && fraction {
		var d float64
		d, err = strconv.ParseFloat(den, 64)
		v /= d
	}
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < r.Min || v > r.Max || (r.Open && v == r.Min) ||
		(r.Whole() && v != math.Trunc(v)) {
		return 0, r.refuse(text)
	}
	if v == 0 {
		v = 0 // −0 and 0 are one setting
	}
	return v, nil
}

func (r *Row) refuse(text string) error {
	return fmt.Errorf("%s=%.64q: must be %s", r.Key, text, r.Allowed())
}

// Allowed says in words which values the row takes.
func (r *Row) Allowed() string {
	switch {
	case r.Lines > 0:
		return fmt.Sprintf("%s of at most %d bytes", r.takes, r.Lines)
	case r.takes != "":
		return r.takes
	case r.Choices != nil:
		return "one of " + strings.Join(r.Choices, ", ")
	}
	kind := "a number"
	if r.Whole() {
		kind = "a whole number"
	}
	low := fmt.Sprintf(" from %s", r.Format(r.Min))
	if r.Open {
		low = fmt.Sprintf(" above %s", r.Format(r.Min))
	}
	high := fmt.Sprintf(" to %s", r.Format(r.Max))
	if r.Whole() {
		high = fmt.Sprintf(" to %.0f", r.Max)
	}
	if r.Same != "" {
		high += ", or same (as " + r.Same + ")"
	}
	return kind + low + high
}

// At is the value at a place on the slider, 0 to 1, rounded to three figures so that links stay readable.
func (r *Row) At(place float64) float64 {
	place = math.Min(1, math.Max(0, place))
	lo, hi := r.SliderMin, r.SliderMax
	var v float64
	switch r.Scale {
	case Log:
		v = lo * math.Pow(hi/lo, place)
	case LogZero:
		v = (1+lo)*math.Pow((1+hi)/(1+lo), place) - 1
	default:
		v = lo + (hi-lo)*place
	}
	if r.Whole() {
		return math.Round(v)
	}
	if v == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-2)
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(math.Round(v/unit)*unit, 'g', 3, 64), 64)
	return math.Min(hi, math.Max(lo, rounded))
}

// Position is where a value stands on the slider, 0 to 1; values beyond it stand at its ends.
func (r *Row) Position(v float64) float64 {
	lo, hi := r.SliderMin, r.SliderMax
	if math.IsNaN(v) || v <= lo {
		return 0
	}
	if v >= hi {
		return 1
	}
	switch r.Scale {
	case Log:
		return math.Log(v/lo) / math.Log(hi/lo)
	case LogZero:
		return math.Log((1+v)/(1+lo)) / math.Log((1+hi)/(1+lo))
	}
	return (v - lo) / (hi - lo)
}
