package command

// How flags become a configuration: the preset or the world's own defaults, then --algo, --seed and --steps,
// then each --set in turn. What a setting is and what it may be is the table's to say (learner/hyper).

import (
	"fmt"
	"os"
	"strings"

	"impalab/learner"
	"impalab/learner/hyper"
)

// runFlags say what to train. train and bench share them.
type runFlags struct {
	World  string   `help:"World the agent lives in; see worlds." placeholder:"NAME"`
	Algo   string   `help:"Algorithm that learns; see algos." placeholder:"NAME"`
	Preset string   `help:"Ready-made experiment to start from; see presets." placeholder:"NAME"`
	Set    []string `help:"Change one setting, or several with spaces between; see settings. May be repeated, the later wins." placeholder:"KEY=VALUE" sep:"none"`
	Seed   string   `help:"Seed of everything left to chance (1)." placeholder:"N"`

	Arithmetic string `help:"Arithmetic to compute in: fused is the processor's vectors, plain gives the bits of a browser. (auto, which is fused where it can be)" placeholder:"NAME"`
}

// defaultSteps is the budget of a run without one.
const defaultSteps = "250000"

// config builds the configuration. before holds settings that anything the user says overrides.
func (f *runFlags) config(steps string, before ...hyper.Setting) (hyper.Config, error) {
	settings := before
	add := func(key, value string) {
		if value != "" {
			settings = append(settings, hyper.Setting{Key: key, Value: value})
		}
	}
	add("preset", f.Preset)
	add("world", f.World)
	add("algo", f.Algo)
	add("seed", f.Seed)
	add("arithmetic", f.Arithmetic)
	add("steps", steps)
	for _, pair := range pairs(f.Set) {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" || value == "" {
			return hyper.Config{}, UsageError{fmt.Errorf("--set %q: must be KEY=VALUE, like lag=8", pair)}
		}
		if _, err := hyper.Lookup(key); err != nil && key != "preset" {
			return hyper.Config{}, UsageError{err}
		}
		add(key, value)
	}
	cfg, _, _, err := hyper.FromSettings(withBudget(settings))
	if err == nil {
		_, err = cfg.Kernels("")
	}
	if err != nil {
		return cfg, UsageError{err}
	}
	return cfg, nil
}

// pairs takes lists apart at spaces, which no value has; a comma belongs to a world's options. An empty text stays to
// be refused.
func pairs(lists []string) (out []string) {
	for _, list := range lists {
		if words := strings.Fields(list); len(words) > 0 {
			out = append(out, words...)
		} else {
			out = append(out, list)
		}
	}
	return out
}

// withBudget puts the default budget before settings that name none, unless their preset has one.
func withBudget(settings []hyper.Setting) []hyper.Setting {
	var chosen []hyper.Setting // only what decides the preset: the rest is not checked here
	for _, s := range settings {
		switch s.Key {
		case "steps":
			return settings
		case "preset", "p", "world":
			chosen = append(chosen, s)
		}
	}
	if cfg, _, _, err := hyper.FromSettings(chosen); err == nil && cfg.Steps > 0 {
		return settings
	}
	return append([]hyper.Setting{{Key: "steps", Value: defaultSteps}}, settings...)
}

// open makes the learner of a snapshot, whose settings are its own: flags that would say others are refused.
func (f *runFlags) open(e learner.Engine, file, seeds, steps string) (*learner.Learner, error) {
	settings := ""
	if len(f.Set) > 0 {
		settings = f.Set[0]
	}
	for _, flag := range [][2]string{
		{"--preset", f.Preset}, {"--world", f.World}, {"--algo", f.Algo}, {"--set", settings},
		{"--arithmetic", f.Arithmetic}, {"--seed", f.Seed}, {"--seeds", seeds}, {"--steps", steps},
	} {
		if flag[1] != "" {
			return nil, fmt.Errorf("%s %s beside %s: a snapshot has its settings and its seed; leave %s out", flag[0], flag[1],
				file, flag[0])
		}
	}
	blob, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; train --save FILE writes a snapshot", Named(err))
	}
	l, err := e.Resume(blob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; train --save FILE writes a snapshot", file, err)
	}
	return l, nil
}
