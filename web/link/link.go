// Package link reads and writes the addresses of experiments: the Lab's with its columns, the first page's, and short
// links to both. Start with Link.
package link

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// A link is the part of the address after '#': "v=1&p=cartpole&lag=8&rho=4". It names a preset and the settings that
// differ from it, so it is readable and restores the experiment. The page always loads links of version 1: it keeps and
// reports unknown keys.

// Link is a parsed fragment.
type Link struct {
	Version  string
	Settings []wire.Setting // in the order of the link: the preset as "preset", then settings and unknown keys
	View     []wire.Setting // view keys, unchanged
	From     wire.Origin    // the run to fork, and its update
}

// AtKey is the key of a link that opens with the cursor at an update: at=120.
const AtKey = "at"

// viewKeys change the page and never the run.
var viewKeys = []string{AtKey, columnKey, "embed", "hide", "lesson", "lock", "theme"}

// Parse reads a fragment with or without its '#'. It never fails: it keeps every unreadable part.
func Parse(fragment string) Link {
	l := Link{Version: "1"}
	for pair := range strings.SplitSeq(strings.TrimPrefix(fragment, "#"), "&") {
		key, value, assigned := strings.Cut(pair, "=")
		key, value = unescape(key), unescape(value)
		switch {
		case key == "" || !assigned: // "#controls" is a place on the page
		case key == "v":
			l.Version = value
		case key == "fork": // ID@UPDATE, from the page of another run
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

// Config returns the configuration that the link asks for, its preset, and its problems in sentences.
func (l *Link) Config() (hyper.Config, string, []string) {
	_, config, preset, problems := l.valid()
	if l.Version != "1" {
		problems = append(problems, "This link is of version "+l.Version+"; this page reads version 1 and did what it could.")
	}
	return config, preset, problems
}

// Valid returns the settings that a Hello can ask for, including unknown keys, which the server reports.
func (l *Link) Valid() []wire.Setting {
	valid, _, _, _ := l.valid()
	return valid
}

// valid returns Valid and its configuration. It drops the settings that the table refuses, one at a time from the end,
// and says why.
func (l *Link) valid() (open []wire.Setting, config hyper.Config, preset string, problems []string) {
	leaveOut := func(err error) { problems = append(problems, "Left out of the link: "+err.Error()) }
	for _, s := range l.Settings {
		next := append(slices.Clone(open), s)
		var err error
		if s.Key == "preset" {
			_, err = hyper.FromPreset(s.Value)
		} else if _, unknown := hyper.Lookup(s.Key); unknown == nil {
			err = new(hyper.Config).Set(s.Key, s.Value)
		}
		if err == nil {
			err = fits(s, len(next))
		}
		if err == nil {
			_, err = wire.Append(nil, &wire.Hello{Settings: next})
		}
		if err != nil {
			leaveOut(err)
			continue
		}
		open = next
	}
	for {
		var err error
		if config, preset, _, err = hyper.FromSettings(settings(open)); err == nil {
			return open, config, preset, problems
		}
		leaveOut(err)
		open = open[:len(open)-1] // no settings at all are the default preset
	}
}

// fits refuses a setting that no message to the server has room for.
func fits(s wire.Setting, number int) error {
	row, _ := hyper.Lookup(s.Key)
	most := row.Longest()
	if s.Key == hyper.PlanKey {
		most = wire.MaxValue
	}
	switch {
	case len(s.Key) > wire.MaxName:
		return fmt.Errorf("%.40q: the name of a setting has at most %d bytes", s.Key, wire.MaxName)
	case len(s.Value) > most && s.Key == hyper.PlanKey:
		return fmt.Errorf("t has %d bytes, and one t= at most %d: write some changes in another t=", len(s.Value), most)
	case len(s.Value) > most:
		return fmt.Errorf("the value of %s has %d bytes: at most %d are allowed", s.Key, len(s.Value), most)
	case number > wire.MaxSettings:
		return fmt.Errorf("%s=%.40s: a link has at most %d settings", s.Key, s.Value, wire.MaxSettings)
	}
	return nil
}

func settings(from []wire.Setting) []hyper.Setting {
	to := make([]hyper.Setting, len(from))
	for i, s := range from {
		to[i] = hyper.Setting(s)
	}
	return to
}

// Unknown returns the settings whose keys this page does not know.
func (l *Link) Unknown() (unknown []wire.Setting) {
	for _, s := range l.Settings {
		if _, err := hyper.Lookup(s.Key); err != nil &&
			!slices.Contains([]string{"preset", hyper.PlanKey, hyper.UpToKey, hyper.PausedKey}, s.Key) {
			unknown = append(unknown, s)
		}
	}
	return unknown
}

// String returns the link as a fragment with its '#': version and preset, then all else sorted by key.
func (l *Link) String() string {
	bare := l.bare()
	if bare != "" {
		bare = "&" + bare
	}
	return "#v=" + escape(l.Version) + bare
}

// bare returns the link without its version.
func (l *Link) bare() string {
	var pairs []string
	add := func(key, value string) {
		pairs = append(pairs, escape(key)+"="+strings.ReplaceAll(escape(value), "%3D", "="))
	}
	var rest []wire.Setting
	for _, s := range l.Settings {
		if s.Key == "preset" {
			add("p", s.Value)
		} else {
			rest = append(rest, s)
		}
	}
	rest = append(rest, l.View...)
	slices.SortStableFunc(rest, func(a, b wire.Setting) int { return strings.Compare(a.Key, b.Key) })
	for _, s := range rest {
		add(s.Key, s.Value)
	}
	return strings.Join(pairs, "&")
}

// readable are escapes that a link spells out, so that people can read it.
var readable = strings.NewReplacer("+", "%20", "%2C", ",", "%2F", "/", "%3A", ":")

func escape(s string) string { return readable.Replace(url.QueryEscape(s)) }

// unescape returns s itself if a percent sign in it begins no escape.
func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// Last returns the value of a key, of which the last one counts; "": none.
func Last(settings []wire.Setting, key string) (value string) {
	for _, s := range settings {
		if s.Key == key {
			value = s.Value
		}
	}
	return value
}

// Without returns the settings but for a key.
func Without(settings []wire.Setting, key string) []wire.Setting {
	return slices.DeleteFunc(slices.Clone(settings), func(s wire.Setting) bool { return s.Key == key })
}

// Plan returns planned changes as settings of a link, each as long as a message allows.
func Plan(turns []hyper.PlannedChange) (all []wire.Setting) {
	for _, turn := range turns {
		text := turn.String()
		if last := len(all) - 1; last >= 0 && len(all[last].Value)+len(text) < wire.MaxValue {
			all[last].Value += "," + text
		} else {
			all = append(all, wire.Setting{Key: hyper.PlanKey, Value: text})
		}
	}
	return all
}

// Planned returns the planned changes; none if they cannot be read, which the server reports.
func (l *Link) Planned() (turns []hyper.PlannedChange) {
	for _, s := range l.Settings {
		if s.Key == hyper.PlanKey {
			more, _ := hyper.ParsePlan(s.Value)
			turns = append(turns, more...)
		}
	}
	return turns
}

// UpTo returns the step that the run had reached elsewhere; 0: it was nowhere else.
func (l *Link) UpTo() uint64 {
	step, _ := strconv.ParseUint(Last(l.Settings, hyper.UpToKey), 10, 64) // the server refuses any other value
	return step
}

// Theme returns "light" or "dark" if the link decides, else "".
func (l *Link) Theme() string {
	if t := Last(l.View, "theme"); t == "light" || t == "dark" {
		return t
	}
	return ""
}

// ForgetTheme leaves the theme to the viewer.
func (l *Link) ForgetTheme() { l.View = Without(l.View, "theme") }

// Embed reports whether the page shows only the world, one chart and the controls.
func (l *Link) Embed() bool { return Last(l.View, "embed") == "1" }

// Hidden and Locked report whether the link hides or locks a control.
func (l *Link) Hidden(key string) bool { return listed(Last(l.View, "hide"), key) }
func (l *Link) Locked(key string) bool { return listed(Last(l.View, "lock"), key) }

func listed(list, key string) bool { return slices.Contains(strings.Split(list, ","), key) }
