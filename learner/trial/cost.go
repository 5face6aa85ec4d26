package trial

import (
	_ "embed"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed costs.yaml
var costsFile []byte

// costs are the processor seconds of the studies, by name, as `go -C tools run ./results costs` measured them.
var costs = sync.OnceValue(func() (seconds map[string]float64) {
	if err := yaml.Unmarshal(costsFile, &seconds); err != nil {
		panic(err) // a test reads the file
	}
	return seconds
})

// Cost returns what a study costs in words: the environment steps of all its runs, and its processor time if that was
// measured.
func (s *Study) Cost() (string, error) {
	seeds, err := ParseSeeds(s.SeedList())
	if err != nil {
		return "", err
	}
	steps := uint64(0)
	for i := range s.Variants {
		c, err := s.Config(&s.Variants[i])
		if err != nil {
			return "", err
		}
		steps += c.Steps * uint64(len(seeds)*s.members())
	}
	words := fmt.Sprintf("%.3g million steps", float64(steps)/1e6)
	switch seconds := costs()[s.Name]; {
	case seconds == 0:
		return words, nil
	case seconds < 90:
		return fmt.Sprintf("%s, about %.0f core-seconds", words, seconds), nil
	case seconds < 90*60:
		return fmt.Sprintf("%s, about %.0f core-minutes", words, seconds/60), nil
	default:
		return fmt.Sprintf("%s, about %.1f core-hours", words, seconds/3600), nil
	}
}

// members returns how many runs each seed has.
func (s *Study) members() int {
	switch {
	case s.Population == "":
		return 1
	case s.Members == 0:
		return PopulationMembers
	}
	return s.Members
}

// PopulationMembers is the size of a population whose study names none.
const PopulationMembers = 8
