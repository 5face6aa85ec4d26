package link

import (
	"cmp"
	"strings"

	"impalab/learner/hyper"
)

// The words of a world and of a preset, as links name them. A world's options follow its name, so a link carries them
// as part of world=.

// PlainWorld returns a world's name without its options.
func PlainWorld(name string) string {
	plain, _, _ := strings.Cut(name, ":")
	return plain
}

// WorldTitle returns a world's title and its unusual options: "T-maze, length 20".
func WorldTitle(world string) string {
	name, options, any := strings.Cut(world, ":")
	title := cmp.Or(PresetOf(name).Title, name)
	if !any {
		return title
	}
	return title + ", " + strings.NewReplacer("=", " ", ",", ", ").Replace(options)
}

// PresetOf returns the preset of a name, which may be the name of a world, or an empty preset.
func PresetOf(name string) hyper.Preset {
	for _, p := range hyper.Presets {
		if p.Name == name {
			return p
		}
	}
	return hyper.Preset{}
}
