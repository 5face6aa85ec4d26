package api

// The tables of settings, presets and worlds as JSON, for scripts and notebooks.

import (
	"impalab/envs"
	"impalab/learner/hyper"
)

type (
	// Setting is a row of the table of settings.
	Setting struct {
		*hyper.Row
		Allowed string `json:"allowed"`
	}
	// Preset is a ready-made experiment.
	Preset struct {
		Name     string            `json:"name"`
		Title    string            `json:"title"`
		Sentence string            `json:"sentence"`
		Settings map[string]string `json:"settings" doc:"All of them."`
		Departs  []hyper.Departure `json:"departs" doc:"Settings whose values differ from the paper of the algorithm."`
	}
	// World is an environment.
	World envs.Spec
)

// tables returns the tables of settings, presets and worlds.
func tables() (settings []Setting, presets []Preset, worlds []World) {
	for i := range hyper.Table {
		r := &hyper.Table[i]
		settings = append(settings, Setting{r, r.Allowed()})
	}
	for i := range hyper.Presets {
		p := &hyper.Presets[i]
		cfg := p.Config()
		departs := append([]hyper.Departure{}, cfg.Departures()...)
		presets = append(presets, Preset{p.Name, p.Title, p.Sentence, hyper.ByKey(cfg.Settings()), departs})
	}
	for _, e := range envs.Table {
		worlds = append(worlds, World(*e.Spec))
	}
	return settings, presets, worlds
}
