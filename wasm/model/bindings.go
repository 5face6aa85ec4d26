package model

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"impalab/envs"
)

// The keys of a world follow from the names of its actions, so a new world needs no entry here.

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
	"right leg forward": {"q"}, "left leg forward": {"w"}, "bend right leg": {"o"}, "bend left leg": {"p"},
	"stretch both legs": {"ArrowUp"}, "lean forward": {"ArrowRight"}, "lean back": {"ArrowLeft"},
	"bow": {"ArrowRight"}, "straighten": {"ArrowLeft"},
	"bend": {"ArrowDown"}, "stretch": {"ArrowUp"}, "leg forward": {"ArrowRight"}, "leg back": {"ArrowLeft"},
	"toe down": {"a"}, "toe up": {"d"}, "draw in": {"ArrowDown"}, "push off": {" "},
	"back leg back": {"q"}, "back leg forward": {"w"}, "front leg back": {"o"}, "front leg forward": {"p"},
}

// stillActions happen while no key is held.
var stillActions = []string{"rest", "stay", "noop"}

// bind returns the keys of every action: the keys of its name, or the digit of its place in the list. Still is the
// action without a key, or −1: then the world waits for a key.
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

// Label returns the keys as a keyboard shows them.
func (b *Binding) Label() string {
	labels := make([]string, len(b.Keys))
	for i, k := range b.Keys {
		if labels[i] = keyLabels[k]; labels[i] == "" {
			labels[i] = strings.ToUpper(k)
		}
	}
	return strings.Join(labels, " ")
}

// lower returns a letter's key in lower case; other keys have names, which stay.
func lower(key string) string {
	if utf8.RuneCountInString(key) == 1 {
		return strings.ToLower(key)
	}
	return key
}
