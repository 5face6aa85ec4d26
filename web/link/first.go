package link

import (
	"fmt"
	"slices"
	"strings"

	"impalab/web/wire"
)

// A link of the first page begins with the name of a pair of runs: "#first&seed=7&a=80128:lag=64&b=80064:lag=64". All
// who open it see the same fall: the changes of the left run (a) and of the right run (b) happen at the same steps.

// Pair is an experiment of the first page: two runs that differ in the correction of the right one.
type Pair struct {
	Name        string // begins its links
	Plain       string // link of both runs before any change
	Seed, Speed string // by default
}

// Names of the pairs.
const (
	First  = "first"
	Second = "second"
	Third  = "third"
)

// pairs are all pairs; a link without a name opens the first.
//
// The seed of the first: seeds 1 to 8 were tried with the drag at twelve steps from 80 000 on and V-trace right after
// the fall. This seed fell soonest (within 26 000 steps) and recovered every time. Of all 96 runs 96 fell and 93
// recovered. Its speed: eight seconds until the page moves the slider. The study "cheetah-lag" has the settings and the
// first seed of the second. The study "forget-to-write" has the settings of the third. Its first seed
// learned again in four of four tries: lag at 402 000 or 408 000 steps, taper 10 000 or 16 000 steps after the fall.
// Four other seeds did in eight of sixteen tries.
var pairs = []Pair{
	{Name: First, Plain: "#v=1&p=break-and-mend", Seed: "5", Speed: "10000"},
	{Name: Second, Plain: "#v=1&p=learned-cheetah&lr=0.0005&entropy=0.0003&rho=4", Seed: "9920", Speed: "25000"},
	{Name: Third, Plain: "#v=1&p=reverse&correction=taper&steps=1500000", Seed: "9971", Speed: "25000"},
}

// PairOf returns the pair that a link of the first page names.
func PairOf(fragment string) *Pair {
	if i := indexOf(fragment); i >= 0 {
		return &pairs[i]
	}
	return &pairs[0]
}

// IsFirst reports whether a link is one of the first page.
func IsFirst(fragment string) bool { return indexOf(fragment) >= 0 }

func indexOf(fragment string) int {
	name, _, _ := strings.Cut(strings.TrimPrefix(fragment, "#"), "&")
	return slices.IndexFunc(pairs, func(p Pair) bool { return p.Name == name })
}

// firstKeys are the keys that a link of the first page may have.
var firstKeys = []string{"a", "b", "seed", "speed", "theme"}

// asked returns the keys behind the name of a pair.
func (p *Pair) asked(fragment string) []wire.Setting {
	l := Parse(strings.TrimPrefix(strings.TrimPrefix(fragment, "#"), p.Name))
	return slices.Concat(l.Settings, l.View)
}

// InLab returns the link of the Lab, with two columns, for a link of the first page. It keeps unknown keys for the Lab
// to report.
func InLab(fragment string) string {
	of := PairOf(fragment)
	link := Parse(of.Plain)
	right := Link{Settings: []wire.Setting{{Key: "correction", Value: "none"}}}
	link.Settings = append(link.Settings, wire.Setting{Key: "seed", Value: of.Seed},
		wire.Setting{Key: "speed", Value: of.Speed})
	for _, set := range of.asked(fragment) {
		switch set.Key {
		case "a":
			link.Settings = append(link.Settings, wire.Setting{Key: "t", Value: set.Value})
		case "b":
			right.Settings = append(right.Settings, wire.Setting{Key: "t", Value: set.Value})
		case "seed", "speed":
			link.Settings = append(Without(link.Settings, set.Key), set)
		case "theme":
			link.View = append(link.View, set)
		}
	}
	link.View = append(link.View, wire.Setting{Key: columnKey, Value: right.bare()})
	return link.String()
}

// storableFirst is storable for a link of the first page.
func storableFirst(fragment string) (string, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	if err := sendable(fragment); err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(fragment, "&") // behind the name
	if err := plain(rest); err != nil {
		return "", err
	}
	for _, set := range PairOf(fragment).asked(fragment) {
		if !slices.Contains(firstKeys, set.Key) {
			return "", fmt.Errorf("%.40q: the first page's link has a, b, seed, speed and theme", set.Key)
		}
	}
	_, err := storable(InLab(fragment))
	return fragment, err
}
