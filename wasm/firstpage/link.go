package firstpage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/wasm/run"
	"impalab/web/wire"
)

// The state of the page is a link: "#first&seed=7&a=80128:lag=64&b=80064:lag=64,96384:correction=vtrace". All who open
// it see the same fall: the changes of the left run (a) and of the right run (b) happen at the same steps.

// Open returns the link of the Lab, with two columns, for a link of this page. It keeps unknown keys for the Lab to
// report.
func Open(fragment string) string {
	of := experimentOf(fragment)
	asked := run.ParseLink(strings.TrimPrefix(strings.TrimPrefix(fragment, "#"), of.name))
	link := run.ParseLink(of.plain)
	right := run.Link{Settings: []wire.Setting{{Key: "correction", Value: "none"}}}
	link.Settings = append(link.Settings, wire.Setting{Key: "seed", Value: of.seed},
		wire.Setting{Key: "speed", Value: of.speed})
	for _, set := range slices.Concat(asked.Settings, asked.View) {
		switch set.Key {
		case "a":
			link.Settings = append(link.Settings, wire.Setting{Key: "t", Value: set.Value})
		case "b":
			right.Settings = append(right.Settings, wire.Setting{Key: "t", Value: set.Value})
		case "seed", "speed":
			link.Settings = append(slices.DeleteFunc(link.Settings, func(have wire.Setting) bool {
				return have.Key == set.Key
			}), set)
		case "theme":
			link.View = append(link.View, set)
		}
	}
	link.View = append(link.View, wire.Setting{Key: "b", Value: strings.TrimPrefix(right.String(), "#v=&")})
	return link.String()
}

// Link returns the page's link to everything that happened.
func (s *Story) Link() string {
	runs := s.Runs()
	link := s.start(runs[0].Config().Get("seed"))
	for i, key := range [...]string{"a", "b"} {
		if turns := hyper.FormatPlan(runs[i].Turned()); turns != "" {
			link += "&" + key + "=" + turns
		}
	}
	if theme := runs[0].Link.Theme(); theme != "" {
		link += "&theme=" + theme
	}
	return link
}

// Again returns the link to the same story with the next seed.
func (s *Story) Again() string {
	return s.start(strconv.FormatUint(s.Runs()[0].Config().Seed+1, 10))
}

// start returns the link to both runs before any change, with a seed.
func (s *Story) start(seed string) string {
	link := "#" + s.of.name
	if seed != s.of.seed {
		link += "&seed=" + seed
	}
	if speed := s.Runs()[0].Config().Get("speed"); speed != s.of.speed {
		link += "&speed=" + speed
	}
	return link
}

// ToKeep returns a link of the page as the server may store it, without its '#', or the reason why it may not.
func ToKeep(fragment string) (string, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if err := run.Sendable(fragment); err != nil {
		return "", err
	}
	asked := run.ParseLink(strings.TrimPrefix(fragment, experimentOf(fragment).name))
	for _, set := range slices.Concat(asked.Settings, asked.View) {
		if !slices.Contains([]string{"a", "b", "seed", "speed", "theme"}, set.Key) {
			return "", fmt.Errorf("%.40q: the first page's link has a, b, seed, speed and theme", set.Key)
		}
	}
	_, err := run.ToKeep(Open(fragment))
	return fragment, err
}
