package site

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// bodies are the part of the description that says which keys the bodies have.
type bodies struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct{ Schema schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Ref        string `json:"$ref"`
	Type       any    // a text or a list of texts
	Examples   []any
	Enum       []any
	OneOf      []schema
	Properties map[string]schema
}

// example returns a value of the right kind, as JSON.
func (s schema) example() string {
	kind := fmt.Sprint(s.Type)
	switch {
	case len(s.Examples) > 0:
		text, _ := json.Marshal(s.Examples[0])
		return string(text)
	case len(s.Enum) > 0:
		text, _ := json.Marshal(s.Enum[0])
		return string(text)
	case strings.Contains(kind, "string"):
		return `"x"`
	case strings.Contains(kind, "integer"), strings.Contains(kind, "number"):
		return "1"
	case strings.Contains(kind, "boolean"):
		return "true"
	case strings.Contains(kind, "array"):
		return "[]"
	case len(s.OneOf) > 0:
		return s.OneOf[0].example()
	}
	return "{}"
}

// Two readers of one body read the same: every key of every body has one spelling, is given once, and is known.
func TestEveryBodyIsReadInOneWay(t *testing.T) {
	p := newProgram(t)
	var d bodies
	p.call("GET", "/openapi.json", 200, "", &d)
	names := strings.NewReplacer("{id}", "0123456789ab", "{code}", "BCDFGH", "{number}", "1", "{track}", "late-pole")
	routes, keys := 0, 0
	for route, methods := range d.Paths {
		for method, of := range methods {
			body := of.RequestBody.Content["application/json"].Schema
			if body.Ref != "" {
				body = d.Components.Schemas[path.Base(body.Ref)]
			}
			if len(body.Properties) == 0 {
				continue
			}
			routes++
			at, method := names.Replace(route), strings.ToUpper(method)
			p := newProgram(t) // whose address has sent nothing yet
			p.key = "0123456789abcdef0123456789abcdef"
			refused := func(text, want string) {
				t.Helper()
				if code, sentence := p.refused(method, at, 422, text); code != "refused" || !strings.Contains(sentence, want) {
					t.Errorf("%s %s %s: %s %q does not say %q", method, route, text, code, sentence, want)
				}
			}
			refused(`{"nothing-like-it": 1}`, `unknown field "nothing-like-it"`)
			for _, key := range slices.Sorted(maps.Keys(body.Properties)) {
				keys++
				value := body.Properties[key].example()
				refused(fmt.Sprintf(`{%q: %s, %[1]q: %s}`, key, value, value), fmt.Sprintf("the key %q is given twice", key))
				for _, other := range []string{strings.ToUpper(key), strings.ToUpper(key[:1]) + key[1:],
					strings.NewReplacer("s", "\u017f", "k", "\u212a").Replace(key)} {
					if other != key {
						refused(fmt.Sprintf(`{%q: %s}`, other, value), fmt.Sprintf("unknown field %q", other))
						refused(fmt.Sprintf(`{%q: %s, %q: %s}`, key, value, other, value), fmt.Sprintf("unknown field %q", other))
					}
				}
			}
		}
	}
	if routes < 10 || keys < 30 {
		t.Errorf("%d routes with %d keys were tried", routes, keys)
	}
}
