package api

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"impalab/learner/hyper"
)

// Turns are changes that a run makes by itself, each before the first update that begins at or after its step. In JSON
// they are what links have, one text joined by commas, or a list of such texts.
type Turns []hyper.Turn

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
		more, err := hyper.ParseTurns(text)
		if err != nil {
			return fmt.Errorf("turns: %w", err)
		}
		if *t = append(*t, more...); len(*t) > hyper.MaxTurns {
			return fmt.Errorf("turns: more than %d turns", hyper.MaxTurns)
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
		Description: "Settings that the run changes by itself, STEP:KEY=VALUE, as t= has them in links: each before the " +
			"first update that begins at or after its step.",
	}
}
