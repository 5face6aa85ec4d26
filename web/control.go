package web

import (
	"math"
	"slices"
	"strconv"

	"impalab/envs"
	"impalab/learner/hyper"
)

// control is one row of the table as the page shows it.
type control struct {
	*hyper.Row
	value string // on first paint: the default preset's
}

// all are the rows of the table with the values of the default preset.
func (d *Data) all() []control {
	start, err := hyper.FromPreset(hyper.DefaultPreset)
	if err != nil {
		panic(err) // the default is in the list: hyper's tests say so
	}
	var out []control
	for i := range d.Table {
		out = append(out, control{&d.Table[i], start.Get(d.Table[i].Key)})
	}
	return out
}

// swept are the rows that a sweep may go over.
func (d *Data) swept() (out []control) {
	for _, c := range d.all() {
		if (c.slides() || c.Choices != nil) && !slices.Contains([]string{"world", "seed", "steps", "speed", "mode"}, c.Key) {
			out = append(out, c)
		}
	}
	return out
}

// more is every group that is not in sight.
func (d *Data) more() []hyper.Group { return hyper.Groups()[hyper.GroupMain+1:] }

func (c control) id() string { return "setting-" + c.Key }

func (c control) kind() string {
	switch {
	case c.Choices != nil:
		return "choice"
	case c.Numeric():
		return "number"
	}
	return "text"
}

func (c control) slides() bool { return c.Numeric() && c.SliderMax > c.SliderMin }

// place is where the slider stands, 0 to 1000.
func (c control) place() string {
	v, err := c.Parse(c.value)
	if err != nil {
		return "0"
	}
	return strconv.Itoa(int(math.Round(1000 * c.Place(v))))
}

// spoken is the value as a person says it, with its unit.
func (c control) spoken() string {
	if c.Unit == "" {
		return c.value
	}
	return c.value + " " + c.Unit
}

// option is what people call one allowed value: of a world its preset's title, of all else what the row says.
func (d *Data) option(row *hyper.Row, value string) string {
	if row.Key == "world" {
		return d.worldTitle(value)
	}
	return row.Name(value)
}

func (d *Data) worldTitle(name string) string {
	if title := d.preset(name).Title; title != "" {
		return title
	}
	return name
}

// preset is the one of a name; empty where there is none.
func (d *Data) preset(name string) (found hyper.Preset) {
	if i := slices.IndexFunc(d.Presets, func(p hyper.Preset) bool { return p.Name == name }); i >= 0 {
		found = d.Presets[i]
	}
	return found
}

// kind is worlds that are alike, as people choose among them.
type kind struct {
	title   string
	suite   string // whose worlds they are; the first kind also takes what is in no suite
	presets []hyper.Preset
}

// kinds are the presets of one world each, sorted by what the world is like.
func (d *Data) kinds() []kind {
	kinds := []kind{{title: "Small worlds", suite: "tiny"}, {title: "Motion", suite: "control-7"},
		{title: "Grid games", suite: "grid-5"}, {title: "Rooms", suite: "rooms-5"}}
	for _, p := range d.presets(true) {
		at := 0
		for i := range kinds {
			if suite, err := envs.LookupSuite(kinds[i].suite); err == nil && slices.ContainsFunc(suite.Tasks,
				func(t envs.Task) bool { return t.World == p.Name }) {
				at = i
			}
		}
		kinds[at].presets = append(kinds[at].presets, p)
	}
	return kinds
}

// optional are the worlds that have options.
func (d *Data) optional() (entries []envs.Entry) {
	for _, e := range envs.Table {
		if e.Options != nil {
			entries = append(entries, e)
		}
	}
	return entries
}

// usual is an option's usual value.
func usual(o envs.Option) string { return strconv.FormatFloat(o.Usual, 'g', -1, 64) }

func optionID(e envs.Entry, o envs.Option) string { return "option-" + e.Spec.Name + "-" + o.Key }

// studies are the presets that show what a paper says.
func (d *Data) studies() []hyper.Preset { return d.presets(false) }

func (d *Data) presets(world bool) []hyper.Preset {
	var out []hyper.Preset
	for _, p := range d.Presets {
		if (p.Config().World == p.Name) == world {
			out = append(out, p)
		}
	}
	return out
}

func (c control) hot() string { return strconv.FormatBool(c.Hot) }

// source is the last line of a definition: the paper's section and the allowed range.
func (c control) source() string {
	s := "Takes " + c.Allowed() + "."
	if c.Paper != "" {
		s = c.Paper + ". " + s
	}
	if !c.Hot {
		s += " Changing it begins the run anew."
	}
	return s
}
