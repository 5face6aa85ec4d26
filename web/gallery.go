package web

import (
	"slices"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/learner/hyper"
)

// galleryPath is the path of the gallery below the base.
const galleryPath = "gallery"

// shelf is a group of presets with a heading.
type shelf struct {
	id, title, says string
	presets         []hyper.Preset
}

// shelves returns the presets of the gallery: the papers' studies, then the worlds by kind.
func (d *Data) shelves() (all []shelf) {
	kinds := d.kinds()
	ids := []struct{ id, says string }{
		{"small", "Most are so small that their true values can be computed and shown beside the learned ones."},
		{"motion", "Poles, cars and arms, moved by pushes."},
		{"games", "The five games of MinAtar: boards of ten by ten cells."},
		{"rooms", "Seen from inside, as pixels."},
	}
	all = append(all, shelf{"papers", "What the papers show", "Presets in which one setting or one algorithm makes the " +
		"difference.", nil})
	for _, p := range presets(false) {
		if _, err := envs.LookupSuite(p.Config().World); err != nil {
			all[0].presets = append(all[0].presets, p)
		}
	}
	many := shelf{"many", "Many at once", "One network learns several worlds at the same time.", nil}
	for i, k := range kinds {
		one := shelf{ids[i].id, k.title, ids[i].says, nil}
		for _, p := range k.presets {
			if _, err := envs.LookupSuite(p.Config().World); err == nil {
				many.presets = append(many.presets, p)
			} else {
				one.presets = append(one.presets, p)
			}
		}
		all = append(all, one)
	}
	all = append(all, many)
	for i := range all {
		all[i].presets = slices.DeleteFunc(all[i].presets, func(p hyper.Preset) bool { return !d.trains(&p) })
	}
	return slices.DeleteFunc(all, func(s shelf) bool { return len(s.presets) == 0 })
}

// trains reports whether a preset can train here: on a server, or with a stored program of this copy.
func (d *Data) trains(p *hyper.Preset) bool {
	if d.Alone == nil {
		return true
	}
	cfg := p.Config()
	key, err := cfg.NetworkKey()
	return err == nil && slices.Contains(strings.Fields(d.Alone.Networks), key)
}

func (d *Data) shown() string {
	n := 0
	for _, s := range d.shelves() {
		n += len(s.presets)
	}
	return strconv.Itoa(n)
}

// exactlyKnown reports whether the true values of a preset's world can be computed.
func exactlyKnown(p hyper.Preset) bool {
	w, err := envs.New(p.Config().World)
	if err != nil {
		return false // a suite
	}
	_, finite := w.(envs.Finite)
	return finite
}

// departures returns a preset's values that differ from the paper of its algorithm.
func departures(p hyper.Preset) []hyper.Departure {
	cfg := p.Config()
	return cfg.Departures()
}

// worldOf returns the title of a preset's world, or "" if the preset has the same title.
func (d *Data) worldOf(p hyper.Preset) string {
	world := d.worldTitle(p.Config().World)
	if world == p.Title {
		return ""
	}
	return world
}

// Size of a picture in the gallery, in units of its SVG.
const pictureWide, pictureHigh = 160, 94

// drawn draws the picture of a preset.
func drawn(p hyper.Preset) (string, error) {
	return worldPicture(p.Config().World, p.Name, pictureWide, pictureHigh)
}
