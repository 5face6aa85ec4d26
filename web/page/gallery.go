package page

import (
	"slices"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/envs/bodies"
	"impalab/learner/hyper"
)

// galleryPath is the path of the gallery below the base.
const galleryPath = "gallery"

// shelf is a group of presets with a heading.
type shelf struct {
	id, title, says string
	presets         []hyper.Preset
}

// breaks are the presets in which one setting makes the difference, in their order on the page.
var breaks = []string{"break-and-mend", "lag-cliff", "long-unrolls", "reverse-late", "stac-lag", "foreign-data"}

// shelves returns the presets of the gallery in groups. A preset is in the first group that claims it.
func (d *Data) shelves() (all []shelf) {
	in := func(suite string) func(*hyper.Preset) bool {
		return func(p *hyper.Preset) bool {
			of, err := envs.LookupSuite(suite)
			world, _, _ := strings.Cut(p.Config().World, ":")
			return world == suite || err == nil &&
				slices.ContainsFunc(of.Tasks, func(t envs.Task) bool { return t.World == world })
		}
	}
	games, rooms := in("grid-5"), in("rooms-5")
	groups := []struct {
		shelf
		claims func(*hyper.Preset) bool
	}{
		{shelf{"break", "See it break", "One setting makes the difference.", nil},
			func(p *hyper.Preset) bool { return slices.Contains(breaks, p.Name) }},
		{shelf{"bodies", "Bodies", "Legs, moved by torques of real numbers.", nil}, func(p *hyper.Preset) bool {
			world, err := envs.New(p.Config().World)
			return err == nil && bodies.Of(world) != nil
		}},
		{shelf{"replay", "Old data, used again", "Most of each batch is replayed or foreign.", nil},
			func(p *hyper.Preset) bool { return p.Config().Mix > 0 }},
		{shelf{"ends", "Where the values end", "So small that the true values are known.", nil},
			func(p *hyper.Preset) bool { return exactlyKnown(*p) }},
		{shelf{"pixels", "From pixels", "Boards of ten by ten cells, and rooms seen from inside.", nil},
			func(p *hyper.Preset) bool { return games(p) || rooms(p) }},
		{shelf{"motion", "Motion and algorithms", "Poles, cars and arms, and each algorithm on them.", nil},
			func(*hyper.Preset) bool { return true }},
	}
	for _, p := range hyper.Presets {
		for i := range groups {
			if groups[i].claims(&p) {
				if d.trains(&p) {
					groups[i].presets = append(groups[i].presets, p)
				}
				break
			}
		}
	}
	slices.SortFunc(groups[0].presets, func(a, b hyper.Preset) int {
		return slices.Index(breaks, a.Name) - slices.Index(breaks, b.Name)
	})
	for _, g := range groups {
		if len(g.presets) > 0 {
			all = append(all, g.shelf)
		}
	}
	return all
}

// trains reports whether a preset can train here: on a server, or with a stored program of this copy.
func (d *Data) trains(p *hyper.Preset) bool {
	if d.Alone == nil {
		return true
	}
	cfg := p.Config()
	key, err := cfg.NetworkKey()
	return err == nil && cfg.Init != hyper.InitLearned && slices.Contains(strings.Fields(d.Alone.Networks), key)
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

// Size of a picture in the gallery, in units of its SVG. The first picture is higher.
const (
	pictureWide            = 160
	pictureHigh, firstHigh = 94, 126
)
