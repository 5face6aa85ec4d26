package run

import (
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/web/wire"
)

// A world's options stand behind its name, so a link carries them as part of world=. The page shows each as a field.

// World is the world asked for or in force, options included.
func (m *Run) World() string { return m.Control("world").Shown() }

// PlainWorld is a world's name without its options.
func PlainWorld(name string) string {
	plain, _, _ := strings.Cut(name, ":")
	return plain
}

// Option is the text of one option's value; "" if the world has none of that key.
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

// WorldWords are a world's title and the options that differ from the usual: "T-maze, length 20".
func WorldWords(title, name string) string {
	_, options, any := strings.Cut(name, ":")
	if !any {
		return title
	}
	return title + ", " + strings.ReplaceAll(strings.ReplaceAll(options, "=", " "), ",", ", ")
}
