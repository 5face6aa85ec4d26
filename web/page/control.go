package page

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/web/link"
)

// firstPreset is the preset that the Lab opens without a link (web/link/lab.go).
const firstPreset = "lag-cliff"

// control is a row of the table of settings on the page.
type control struct {
	*hyper.Row
	value string // value in the default preset

	also   []metric // of the lines in its row, whose definitions stand in its own
	hidden bool     // until the client shows it
}

// all returns all rows with the values of the default preset.
func (d *Data) all() []control {
	start, err := hyper.FromPreset(hyper.DefaultPreset)
	if err != nil {
		panic(err) // hyper's tests check that the default exists
	}
	var out []control
	for i := range hyper.Table {
		row := &hyper.Table[i]
		out = append(out, control{Row: row, value: start.Get(row.Key)})
	}
	return out
}

// swept returns the rows that a sweep can vary.
func (d *Data) swept() (out []control) {
	for _, c := range d.all() {
		if (c.slides() || c.Choices != nil) && !slices.Contains([]string{"world", "seed", "steps", "speed", "mode"}, c.Key) {
			out = append(out, c)
		}
	}
	return out
}

// more returns the groups behind the button.
func (d *Data) more() []hyper.Group { return hyper.Groups[1:] }

func (c control) id() string { return "setting-" + c.Key }

func (c control) kind() string {
	switch {
	case c.Choices != nil:
		return "choice"
	case c.Numeric():
		return "number"
	case c.Lines > 0:
		return "lines"
	}
	return "text"
}

func (c control) slides() bool { return c.Numeric() && c.SliderMax > c.SliderMin }

// long reports whether a choice has a name that needs two lines of its menu.
func (c control) long(d *Data) bool {
	const line = 14 // letters that the narrowest menu has room for
	return slices.ContainsFunc(c.Choices, func(value string) bool {
		return utf8.RuneCountInString(d.option(c.Row, value)) > line
	})
}

// position returns the slider's position, 0 to 1000.
func (c control) position() string {
	v, err := c.Parse(c.value)
	if err != nil {
		return "0"
	}
	return strconv.Itoa(int(math.Round(1000 * c.Position(v))))
}

// spoken returns the value with its unit.
func (c control) spoken() string {
	if c.Unit == "" {
		return c.value
	}
	return c.value + " " + c.Unit
}

// option names an allowed value: a world by the title of its preset, others as the row does.
func (d *Data) option(row *hyper.Row, value string) string {
	if row.Key == "world" {
		return d.worldTitle(value)
	}
	return row.Name(value)
}

func (d *Data) worldTitle(name string) string {
	if title := link.PresetOf(name).Title; title != "" {
		return title
	}
	return name
}

// kind is a group of similar worlds.
type kind struct {
	title   string
	suite   string // suite of the worlds; the first kind also has the worlds without a suite
	presets []hyper.Preset
}

// kinds returns the presets of single worlds, grouped by kind.
func (d *Data) kinds() []kind {
	kinds := []kind{{title: "Small worlds", suite: "tiny"}, {title: "Motion", suite: "control-7"},
		{title: "Grid games", suite: "grid-5"}, {title: "Rooms", suite: "rooms-5"}}
	for _, p := range presets(true) {
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

// optional returns the worlds that have options.
func (d *Data) optional() (entries []envs.Entry) {
	for _, e := range envs.Table {
		if e.Options != nil {
			entries = append(entries, e)
		}
	}
	return entries
}

func optionID(e envs.Entry, o envs.Option) string { return "option-" + e.Spec.Name + "-" + o.Key }

// presets returns the presets of single worlds, or the presets that show a result of a paper.
func presets(world bool) []hyper.Preset {
	return slices.DeleteFunc(slices.Clone(hyper.Presets), func(p hyper.Preset) bool {
		return (p.Config().World == p.Name) != world
	})
}

// source returns the last line of a definition: the section of the paper and the allowed values.
func (c control) source() string {
	s := "Takes " + c.Allowed() + "."
	if c.Paper != "" {
		s = c.Paper + ". " + s
	}
	if !c.Hot {
		s += " Changing it starts a new run."
	}
	return s
}
