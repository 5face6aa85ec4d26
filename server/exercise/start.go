package exercise

// What an answer trains: a start, and the settings that a student may change of it.

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"impalab/learner/hyper"
)

// Config is the start with some settings changed, without its seed.
func (s *Start) Config(settings map[string]string) (hyper.Config, error) { return s.config(settings) }

// Base is where a student starts from.
func (s *Start) Base() hyper.Config {
	cfg, err := s.config(nil)
	if err != nil {
		panic(err) // a test reads every file
	}
	return cfg
}

func (s *Start) config(settings map[string]string) (cfg hyper.Config, err error) {
	if cfg, err = hyper.FromPreset(s.Preset); err != nil {
		return cfg, err
	}
	for key, value := range s.Set {
		if err := cfg.Set(key, value); err != nil {
			return cfg, err
		}
	}
	cfg.Steps = s.Steps
	keys := make([]string, 0, len(settings))
	for key := range settings {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		i := slices.IndexFunc(s.Keys, func(k Key) bool { return k.Key == key })
		if i < 0 {
			return cfg, fmt.Errorf("%.40s: this exercise lets you change only %s", key, listed(names(s.Keys)))
		}
		if err := s.Keys[i].allows(settings[key]); err != nil {
			return cfg, err
		}
		if err := cfg.Set(key, settings[key]); err != nil {
			return cfg, err
		}
	}
	return cfg, cfg.Validate()
}

func names(keys []Key) (list []string) {
	for _, k := range keys {
		list = append(list, k.Key)
	}
	return list
}

// listed is a list in a sentence.
func listed(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
