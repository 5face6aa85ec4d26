package api

// The tables of settings, presets and worlds as JSON, for scripts and notebooks.

import (
	"impalab/envs"
	"impalab/learner/hyper"
)

type (
	// Setting is a row of the table of settings.
	Setting struct {
		Key      string `json:"key"`
		Group    string `json:"group"`
		Symbol   string `json:"symbol,omitempty"`
		Words    string `json:"words"`
		Unit     string `json:"unit,omitempty"`
		Hot      bool   `json:"hot" doc:"Whether it may change while a run continues."`
		Allowed  string `json:"allowed"`
		Formula  string `json:"formula,omitempty"`
		Sentence string `json:"sentence"`
		Paper    string `json:"paper,omitempty"`
	}
	// Preset is a ready-made experiment.
	Preset struct {
		Name     string            `json:"name"`
		Title    string            `json:"title"`
		Sentence string            `json:"sentence"`
		Settings map[string]string `json:"settings" doc:"All of them."`
		Departs  []Departure       `json:"departs" doc:"Settings whose values differ from the paper of the algorithm."`
	}
	// Departure is a setting of a preset whose value differs from the paper.
	Departure struct {
		Key   string `json:"key"`
		Here  string `json:"here"`
		Paper string `json:"paper" doc:"Value in the paper: one value, a range, or several values."`
		Where string `json:"where" doc:"Section or table of the paper."`
	}
	// World is an environment.
	World struct {
		Name    string   `json:"name"`
		Title   string   `json:"title"`
		Summary string   `json:"summary"`
		Source  string   `json:"source"`
		Actions []string `json:"actions"`
		Limit   int      `json:"limit" doc:"Steps after which an episode is cut; 0: never."`
		Random  float32  `json:"random"`
		Solved  float32  `json:"solved"`
	}
)

// tables returns the tables of settings, presets and worlds.
func tables() (settings []Setting, presets []Preset, worlds []World) {
	for i := range hyper.Table {
		r := &hyper.Table[i]
		settings = append(settings, Setting{r.Key, r.Group.Title(), r.Symbol, r.Words, r.Unit, r.Hot, r.Allowed(), r.Formula,
			r.Sentence, r.Paper})
	}
	for i := range hyper.Presets {
		p := &hyper.Presets[i]
		cfg := p.Config()
		values := map[string]string{}
		for _, s := range cfg.Settings() {
			values[s.Key] = s.Value
		}
		departs := []Departure{}
		for _, d := range cfg.Departures() {
			departs = append(departs, Departure{d.Key, d.Here, d.Words(), d.Place})
		}
		presets = append(presets, Preset{p.Name, p.Title, p.Sentence, values, departs})
	}
	for _, e := range envs.Table {
		s := e.Spec
		worlds = append(worlds, World{s.Name, s.Title, s.Summary, s.Source, s.Actions, s.Limit, s.Random, s.Solved})
	}
	return settings, presets, worlds
}
