package site

// /api/table is the tables as JSON, for scripts and notebooks that ask a running server what can be set.

import (
	"encoding/json"

	"impalab/envs"
	"impalab/learner/hyper"
)

type (
	tableSetting struct {
		Key      string `json:"key"`
		Group    string `json:"group"`
		Symbol   string `json:"symbol,omitempty"`
		Words    string `json:"words"`
		Unit     string `json:"unit,omitempty"`
		Hot      bool   `json:"hot"` // may change while a run goes on
		Allowed  string `json:"allowed"`
		Formula  string `json:"formula,omitempty"`
		Sentence string `json:"sentence"`
		Paper    string `json:"paper,omitempty"`
	}
	tablePreset struct {
		Name     string            `json:"name"`
		Title    string            `json:"title"`
		Sentence string            `json:"sentence"`
		Settings map[string]string `json:"settings"` // all of them
	}
	tableWorld struct {
		Name    string   `json:"name"`
		Title   string   `json:"title"`
		Summary string   `json:"summary"`
		Source  string   `json:"source"`
		Actions []string `json:"actions"`
		Limit   int      `json:"limit"` // steps after which an episode is cut; 0: never
		Random  float32  `json:"random"`
		Solved  float32  `json:"solved"`
	}
	tables struct {
		Settings []tableSetting `json:"settings"`
		Presets  []tablePreset  `json:"presets"`
		Worlds   []tableWorld   `json:"worlds"`
	}
)

func tableJSON() ([]byte, error) {
	var t tables
	for i := range hyper.Table {
		r := &hyper.Table[i]
		t.Settings = append(t.Settings, tableSetting{r.Key, r.Group.Title(), r.Symbol, r.Words, r.Unit, r.Hot, r.Allowed(),
			r.Formula, r.Sentence, r.Paper})
	}
	for i := range hyper.Presets {
		p := &hyper.Presets[i]
		cfg := p.Config()
		settings := map[string]string{}
		for _, s := range cfg.Settings() {
			settings[s.Key] = s.Value
		}
		t.Presets = append(t.Presets, tablePreset{p.Name, p.Title, p.Sentence, settings})
	}
	for _, e := range envs.Table {
		s := e.Spec
		t.Worlds = append(t.Worlds, tableWorld{s.Name, s.Title, s.Summary, s.Source, s.Actions, s.Limit, s.Random, s.Solved})
	}
	return json.Marshal(t)
}
