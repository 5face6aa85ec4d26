package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"impalab/learner/hyper"
)

// Value is the value of a setting, a JSON text or number as it was written. The table of settings reads it.
type Value string

// UnmarshalJSON implements json.Unmarshaler.
func (v *Value) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err == nil && raw[0] == '"' {
		*v = Value(text)
		return nil
	}
	var number json.Number
	if err := json.Unmarshal(raw, &number); err != nil || raw[0] == 'n' {
		return fmt.Errorf("%.40s: a value is a text or a number", raw)
	}
	*v = Value(number)
	return nil
}

// Schema implements huma.SchemaProvider.
func (Value) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}}}
}

// Settings are values by key, in the order of the body. decode refuses a key that is given twice.
type Settings []hyper.Setting

// UnmarshalJSON implements json.Unmarshaler.
func (s *Settings) UnmarshalJSON(raw []byte) error {
	*s = nil
	if raw[0] != '{' {
		return errors.New(`settings: must be an object of keys and values, like {"rho": 2}`)
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	in.Token() // the brace
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		var value Value
		if err := in.Decode(&value); err != nil {
			return fmt.Errorf("settings: %s: %w", key, err)
		}
		*s = append(*s, hyper.Setting{Key: key.(string), Value: string(value)})
	}
	return nil
}

// Schema implements huma.SchemaProvider.
func (Settings) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: Value("").Schema(r), Examples: []any{map[string]any{"rho": 2}},
		Description: "Settings by key, as text or number; GET /settings lists them.",
	}
}

// Turns are the scheduled changes of a run. The run makes each one before the first update that starts at or after its
// step. In JSON they are one text joined by commas, as in links, or a list of such texts.
type Turns []hyper.PlannedChange

// UnmarshalJSON implements json.Unmarshaler.
func (t *Turns) UnmarshalJSON(raw []byte) error {
	*t = nil
	var list []string
	var one string
	if err := json.Unmarshal(raw, &one); err == nil && raw[0] == '"' {
		list = []string{one}
	} else if err := json.Unmarshal(raw, &list); err != nil || raw[0] == 'n' {
		return errors.New(`turns: must be a text like "80000:lag=64,115000:correction=vtrace", or a list of such texts`)
	}
	for _, text := range list {
		more, err := hyper.ParsePlan(text)
		if err != nil {
			return fmt.Errorf("turns: %w", err)
		}
		if *t = append(*t, more...); len(*t) > hyper.MaxPlanned {
			return fmt.Errorf("turns: more than %d turns", hyper.MaxPlanned)
		}
	}
	return nil
}

// Schema implements huma.SchemaProvider.
func (Turns) Schema(huma.Registry) *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}
	return &huma.Schema{
		OneOf:    []*huma.Schema{text, {Type: huma.TypeArray, Items: text}},
		Examples: []any{"80000:lag=64,115000:correction=vtrace"},
		Description: "Scheduled changes, STEP:KEY=VALUE, as after t= in links. The run makes each one before the first " +
			"update that starts at or after its step.",
	}
}

// decode reads a body. It refuses a key that is unknown, in another case or given twice, and names it.
func decode(data []byte, into any) error {
	err := jsonv2.Unmarshal(data, into, jsonv2.RejectUnknownMembers(true))
	var syntax *jsontext.SyntacticError
	var meaning *jsonv2.SemanticError
	switch {
	case errors.As(err, &syntax):
		return malformed(data, syntax)
	case !errors.As(err, &meaning), meaning.GoType == nil:
		return err
	}
	at := strings.Join(slices.Collect(meaning.JSONPointer.Tokens()), ".")
	switch {
	case errors.Is(err, jsonv2.ErrUnknownName):
		return unknown(meaning.JSONPointer.LastToken(), fields(meaning.GoType))
	case reflect.PointerTo(meaning.GoType).Implements(reflect.TypeFor[json.Unmarshaler]()):
		return meaning.Err
	case at == "":
		return fmt.Errorf(`the body must be a JSON object like {"preset": "lag-cliff"}, not %s`, wrongKind(meaning))
	}
	return fmt.Errorf("%s: %s is not allowed; must be %s", at, wrongKind(meaning), wanted(meaning.GoType))
}

// malformed returns an error for text that is not JSON, or that other readers may read otherwise.
func malformed(data []byte, e *jsontext.SyntacticError) error {
	switch {
	case errors.Is(e.Err, jsontext.ErrDuplicateName):
		return fmt.Errorf("the key %.40q is given twice; give it once", e.JSONPointer.LastToken())
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		return errors.New("the body is cut short: its JSON object does not end")
	case jsontext.Value(data[:e.ByteOffset]).IsValid():
		return errors.New("the body continues after its JSON object")
	}
	return fmt.Errorf("the body is not valid JSON: at byte %d, %w", e.ByteOffset, e.Err)
}

// unknown returns an error for a key that an object does not have, with the nearest known key.
func unknown(name string, known []string) error {
	if _, err := hyper.Lookup(name); err == nil {
		return fmt.Errorf(`unknown field %.40q: it is a setting; put it into "settings"`, name)
	}
	return fmt.Errorf("unknown field %.40q%s", name,
		hyper.DidYouMean(name, known, "; known are "+strings.Join(known, ", ")))
}

// kinds name the kinds of JSON values.
var kinds = map[jsontext.Kind]string{'"': "a string", '0': "a number", 't': "a bool", 'f': "a bool", 'n': "null",
	'{': "an object", '[': "an array"}

// wrongKind names a value of the wrong kind, like "a string", or a number that does not fit.
func wrongKind(e *jsonv2.SemanticError) string {
	if e.JSONKind == '0' && e.Err != nil {
		return string(e.JSONValue)
	}
	return kinds[e.JSONKind]
}

func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.Uint64, reflect.Int64, reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "a text"
}

// fields returns the names of the fields of a body.
func fields(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
