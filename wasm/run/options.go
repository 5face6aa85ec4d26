package run

import (
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/web/wire"
)

// A world's options follow its name, so a link carries them as part of world=. The page shows each as a field.

// World returns the world in force or requested, with its options.
func (m *Run) World() string { return m.Control("world").Shown() }

// Option returns the value of an option, or "" if the world has none of that key.
func (m *Run) Option(key string) string {
	options, values, err := envs.Chosen(m.World())
	if err != nil { // of a newer server
		return ""
	}
	for i, o := range options {
		if o.Key == key {
			return strconv.FormatFloat(values[i], 'g', -1, 64)
		}
	}
	return ""
}

// SetOption asks for the same world with one option changed. An error names the option.
func (m *Run) SetOption(key, text string) (wire.Message, error) {
	name, err := envs.With(m.World(), key, strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	return m.Set("world", name)
}
