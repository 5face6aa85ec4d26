package trial

// People write seeds as 7, or 11-18, or 1,2,11-18.

import (
	"fmt"
	"strconv"
	"strings"

	"impalab/learner/hyper"
)

// maxSeeds bounds one call: a mistyped range would otherwise train for years.
const maxSeeds = 10_000

// ParseSeeds returns the seeds in the order written. It refuses a repeated seed, which would narrow the interval
// without adding information.
func ParseSeeds(text string) ([]uint64, error) {
	refuse := func(why string) ([]uint64, error) {
		return nil, fmt.Errorf("seeds %q: %s; must be seeds and ranges joined by commas, like 11-18 or 1,2,5", text, why)
	}
	var seeds []uint64
	seen := map[uint64]bool{}
	for _, part := range strings.Split(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, err := strconv.ParseUint(low, 10, 53)
		if err != nil {
			return refuse(fmt.Sprintf("%q is not a seed from 0 to %d", low, uint64(hyper.MaxSeed)))
		}
		last := first
		if isRange {
			if last, err = strconv.ParseUint(high, 10, 53); err != nil {
				return refuse(fmt.Sprintf("%q is not a seed from 0 to %d", high, uint64(hyper.MaxSeed)))
			}
		}
		if last < first {
			return refuse(fmt.Sprintf("%s ends before it begins", part))
		}
		if last-first >= maxSeeds || len(seeds)+int(last-first) >= maxSeeds {
			return refuse(fmt.Sprintf("more than %d seeds", maxSeeds))
		}
		for s := first; s <= last; s++ {
			if seen[s] {
				return refuse(fmt.Sprintf("seed %d is named twice", s))
			}
			seen[s] = true
			seeds = append(seeds, s)
		}
	}
	return seeds, nil
}
