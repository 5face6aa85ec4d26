package model

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"impalab/envs"
)

// Which keys play a world follows from the names of its actions, so that a new world can be played without being told
// of.

// Binding is an action and the keys that are held for it, by KeyboardEvent.key.
type Binding struct {
	Action int
	Words  string
	Keys   []string
}

var actionKeys = map[string][]string{
	"left": {"ArrowLeft"}, "right": {"ArrowRight"}, "up": {"ArrowUp"}, "down": {"ArrowDown"}, "fire": {" "},
	"forward": {"ArrowUp"}, "backward": {"ArrowDown"}, "look left": {"ArrowLeft"}, "look right": {"ArrowRight"},
	"strafe left": {"a"}, "strafe right": {"d"},
	"forward look left": {"ArrowUp", "ArrowLeft"}, "forward look right": {"ArrowUp", "ArrowRight"},
	"shoulder left": {"ArrowLeft"}, "shoulder right": {"ArrowRight"}, "wrist left": {"a"}, "wrist right": {"d"},
}

// stillActions do nothing: they are what happens while no key is held.
var stillActions = []string{"rest", "stay", "noop"}

// bind gives every action its keys: those of its name, or the digit of its place. Still is the action of no key; −1
// where there is none, and then the world waits for a key.
func bind(spec *envs.Spec) (bindings []Binding, still int) {
	still = -1
	for i, name := range spec.Actions {
		if slices.Contains(stillActions, name) {
			still = i
			continue
		}
		words := strings.ReplaceAll(name, "_", " ")
		keys := actionKeys[words]
		if keys == nil {
			keys = []string{strconv.Itoa(i + 1)}
		}
		bindings = append(bindings, Binding{i, words, keys})
	}
	return bindings, still
}

var keyLabels = map[string]string{"ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓", " ": "Space"}

// Label is the keys as they stand on a keyboard.
func (b *Binding) Label() string {
	labels := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		if labels[i] = keyLabels[k]; labels[i] == "" {
			labels[i] = strings.ToUpper(k)
		}
	}
	return strings.Join(labels, " ")
}

// sameKey takes letters as one key in both cases.
func sameKey(key string) string {
	if utf8.RuneCountInString(key) == 1 {
		return strings.ToLower(key)
	}
	return key
}
