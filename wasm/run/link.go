package run

import (
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// A link is the part of the address behind '#': "v=1&p=cartpole&lag=8&rho=4". It names a preset and what differs
// from it, so that it is readable and restores the experiment. A link of version 1 loads for ever: unknown
// keys are kept and reported.

// Link is a fragment taken apart.
type Link struct {
	Version  string
	Settings []wire.Setting // in the order of the link: the preset as "preset", then rows and unknown keys
	View     []wire.Setting // view keys, kept as they are
	From     wire.Origin    // the run to fork and where, if the link says so
}

// viewKeys change what the page shows, never the run.
var viewKeys = []string{atKey, columnKey, "embed", "hide", "lesson", "lock", "theme"}

// ParseLink reads a fragment with or without its '#'. It never fails: what it cannot read it keeps.
func ParseLink(fragment string) Link {
	l := Link{Version: "1"}
	for pair := range strings.SplitSeq(strings.TrimPrefix(fragment, "#"), "&") {
		key, value, assigned := strings.Cut(pair, "=")
		key, value = unescape(key), unescape(value)
		switch {
		case key == "" || !assigned: // "#controls" is a place on the page
		case key == "v":
			l.Version = value
		case key == "fork": // of another run, as its page has it: ID@UPDATE
			id, update, _ := strings.Cut(value, "@")
			if n, err := strconv.ParseUint(update, 10, 64); err == nil {
				l.From = wire.Origin{Run: id, Update: n}
			}
		case key == "p" || key == "preset":
			l.Settings = append(l.Settings, wire.Setting{Key: "preset", Value: value})
		case slices.Contains(viewKeys, key):
			l.View = append(l.View, wire.Setting{Key: key, Value: value})
		default:
			l.Settings = append(l.Settings, wire.Setting{Key: key, Value: value})
		}
	}
	return l
}

// Open is what a Hello asks for: every setting that can be granted, and the unknown keys, which the server reports.
func (l *Link) Open() []wire.Setting {
	open, _ := l.sound()
	return open
}

// Config is the configuration the link asks for, the preset it starts from, and what is wrong with it, in words.
func (l *Link) Config() (hyper.Config, string, []string) {
	open, problems := l.sound()
	if l.Version != "1" {
		problems = append(problems, "This link is of version "+l.Version+"; this page reads version 1 and did what it could.")
	}
	config, preset, _, err := hyper.FromSettings(settings(open))
	if err != nil { // sound lets nothing through that fails
		config, _ = hyper.FromPreset(hyper.DefaultPreset)
		preset = hyper.DefaultPreset
	}
	return config, preset, problems
}

// sound drops, one at a time and from the end, the settings that the table refuses, and says why.
func (l *Link) sound() (open []wire.Setting, problems []string) {
	for _, s := range l.Settings {
		next := append(slices.Clone(open), s)
		if s.Key != "preset" {
			if _, err := hyper.Lookup(s.Key); err == nil {
				var c hyper.Config
				if err := c.Set(s.Key, s.Value); err != nil {
					problems = append(problems, "Left out of the link: "+err.Error())
					continue
				}
			}
		} else if _, err := hyper.FromPreset(s.Value); err != nil {
			problems = append(problems, "Left out of the link: "+err.Error())
			continue
		}
		if _, err := wire.Append(nil, &wire.Hello{Settings: next}); err != nil {
			problems = append(problems, "Left out of the link: "+err.Error())
			continue
		}
		open = next
	}
	for len(open) > 0 {
		_, _, _, err := hyper.FromSettings(settings(open))
		if err == nil {
			break
		}
		problems = append(problems, "Left out of the link: "+err.Error())
		open = open[:len(open)-1]
	}
	return open, problems
}

func settings(from []wire.Setting) []hyper.Setting {
	to := make([]hyper.Setting, len(from))
	for i, s := range from {
		to[i] = hyper.Setting{Key: s.Key, Value: s.Value}
	}
	return to
}

// Fragment is the link to what is in force, with its '#': the preset, then all else sorted by key. Unknown keys and
// view keys are kept. Others are the runs in the columns beside this one, in their order.
func (m *Run) Fragment(others ...*Run) string {
	at := ""
	if m.Cursor.awaited > 0 { // else the moment is left by every move of the pointer
		at = m.at()
	}
	return m.together((*Run).now, at, others)
}

// now is the link to what is in force or, of a run with turns to come, to what was seen.
func (m *Run) now() Link {
	if len(m.Link.Turns()) > 0 {
		return m.shared()
	}
	return m.link("")
}

// link is the link to the settings in force, with turns unless they are "".
func (m *Run) link(turns string) Link {
	preset := m.Preset
	base, err := hyper.FromPreset(preset)
	if err != nil { // of a newer server: every world has a preset of its own name
		preset = m.force.World
		base, _ = hyper.FromPreset(preset)
	}
	base.Speed = 0 // always said: a link that does not say it runs at a walking pace
	l := Link{Version: "1"}
	for _, s := range m.Link.View {
		if s.Key != atKey { // a moment of this run
			l.View = append(l.View, s)
		}
	}
	l.Settings = append(l.Settings, wire.Setting{Key: "preset", Value: preset})
	for _, s := range m.force.Diff(&base) {
		l.Settings = append(l.Settings, wire.Setting{Key: s.Key, Value: s.Value})
	}
	l.Settings = append(l.Settings, m.Link.unknown()...)
	if turns != "" {
		l.Settings = append(l.Settings, wire.Setting{Key: hyper.TurnsKey, Value: turns})
	}
	return l
}

// unknown are the settings that nobody here knows.
func (l *Link) unknown() (unknown []wire.Setting) {
	for _, s := range l.Settings {
		if _, err := hyper.Lookup(s.Key); err != nil && s.Key != "preset" && s.Key != hyper.TurnsKey &&
			s.Key != hyper.UpToKey && s.Key != hyper.PausedKey {
			unknown = append(unknown, s)
		}
	}
	return unknown
}

// String is the link as a fragment, with its '#': version and preset, then all else sorted by key.
func (l *Link) String() string {
	var b strings.Builder
	b.WriteString("#v=")
	escape(&b, l.Version, "")
	l.write(&b)
	return b.String()
}

// write writes all but the version.
func (l *Link) write(b *strings.Builder) {
	var rest []wire.Setting
	pair := func(key, value string) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		escape(b, key, "")
		b.WriteByte('=')
		escape(b, value, "=")
	}
	for _, s := range l.Settings {
		if s.Key == "preset" {
			pair("p", s.Value)
		} else {
			rest = append(rest, s)
		}
	}
	rest = append(rest, l.View...)
	slices.SortStableFunc(rest, func(a, b wire.Setting) int { return strings.Compare(a.Key, b.Key) })
	for _, s := range rest {
		pair(s.Key, s.Value)
	}
}

// view is a view key's value; "" if the link has none. Of several the last counts.
func (l *Link) view(key string) (value string) {
	for _, s := range l.View {
		if s.Key == key {
			value = s.Value
		}
	}
	return value
}

// Theme is "light" or "dark" where the link decides, else "".
func (l *Link) Theme() string {
	if t := l.view("theme"); t == "light" || t == "dark" {
		return t
	}
	return ""
}

// ForgetTheme leaves the theme to the viewer.
func (l *Link) ForgetTheme() {
	l.View = slices.DeleteFunc(l.View, func(s wire.Setting) bool { return s.Key == "theme" })
}

// Embed reports whether only the world, one chart and the controls are wanted.
func (l *Link) Embed() bool { return l.view("embed") == "1" }

// Hidden and Locked report whether the link hides a control or keeps it from being changed.
func (l *Link) Hidden(key string) bool { return listed(l.view("hide"), key) }

func (l *Link) Locked(key string) bool { return listed(l.view("lock"), key) }

func listed(list, key string) bool { return slices.Contains(strings.Split(list, ","), key) }
