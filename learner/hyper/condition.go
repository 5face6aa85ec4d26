package hyper

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// condition reports whether a configuration has a property.
type condition func(*Config) bool

// when compiles a condition of settings.txt; nil: the text is empty. A mistake in the text panics.
func when(text string) condition {
	if text == "" {
		return nil
	}
	var lists []condition
	for _, list := range strings.Split(text, " or ") {
		var terms []condition
		for _, text := range strings.Fields(list) {
			terms = append(terms, term(text))
		}
		lists = append(lists, func(c *Config) bool {
			return !slices.ContainsFunc(terms, func(holds condition) bool { return !holds(c) })
		})
	}
	return func(c *Config) bool {
		return slices.ContainsFunc(lists, func(holds condition) bool { return holds(c) })
	}
}

// comparisons are the operators of terms, on the result of cmp.Compare.
var comparisons = map[string]func(order int) bool{
	"=":  func(order int) bool { return order == 0 },
	"!=": func(order int) bool { return order != 0 },
	">":  func(order int) bool { return order > 0 },
	"<":  func(order int) bool { return order < 0 },
	">=": func(order int) bool { return order >= 0 },
}

// term compiles a fact, like core or !core, or a comparison, like lag>0, mode!=live or replay-size<unroll.
func term(text string) condition {
	const operators = "!=<>"
	at := strings.IndexAny(text, operators)
	switch at {
	case -1:
		if facts[text] == nil {
			panic("hyper: no fact is called " + text)
		}
		return facts[text]
	case 0:
		holds := term(text[1:])
		return func(c *Config) bool { return !holds(c) }
	}
	field, operand := fieldOf(text[:at]), strings.TrimLeft(text[at:], operators)
	holds := comparisons[text[at:len(text)-len(operand)]]
	if field.Type.Kind() == reflect.String {
		return func(c *Config) bool { return holds(strings.Compare(c.field(field).String(), operand)) }
	}
	if v, err := strconv.ParseFloat(operand, 64); err == nil {
		return func(c *Config) bool { return holds(cmp.Compare(c.number(field), v)) }
	}
	other := fieldOf(operand)
	return func(c *Config) bool { return holds(cmp.Compare(c.number(field), c.number(other))) }
}

func (c *Config) field(f reflect.StructField) reflect.Value {
	return reflect.ValueOf(c).Elem().Field(f.Index[0])
}

func (c *Config) number(f reflect.StructField) float64 {
	return c.field(f).Convert(reflect.TypeFor[float64]()).Float()
}
