package labrow

import (
	"slices"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// Cut is what cuts weight under a correction: the words of the row CutByRho, and the setting whose knob stands in it.
type Cut struct {
	Small, Chip string
	Key, Short  string // of the setting; its name on a small screen
}

var (
	nothing = Cut{"nothing is cut", "cut off", "rho", "ρ̄"}
	byRho   = Cut{"by ρ̄, of the whole", "cut by ρ̄", "rho", "ρ̄"}
)

// cuts are the words of each correction.
var cuts = [...]Cut{
	correct.MethodNone: nothing, correct.MethodEpsilon: nothing, correct.MethodIS: nothing, correct.MethodCentred: nothing,
	correct.MethodOneStep: byRho, correct.MethodVTrace: byRho, correct.MethodLeaky: byRho,
	correct.MethodTrustRegion: byRho,
	correct.MethodTaper:       {"by the taper, of all", "cut by the taper", "taper", "half"},
	correct.MethodClip:        {"by the clip, of all", "cut by the clip", "clip-high", "clip"},
	correct.MethodBand:        {"by the band, of all", "cut by the band", "ceiling", "band"},
	correct.MethodMoment:      {"by τ, of the whole", "cut by τ", "moment", "τ"},
	correct.MethodShift:       {"by δ, of the whole", "cut by δ", "shift", "δ"},
	correct.MethodOwn:         {"by your function, of all", "cut by yours", "program", "yours"},
}

// CutOf returns what cuts weight under a configuration.
func CutOf(c *hyper.Config) *Cut {
	switch algorithm := c.Algorithm(); {
	case algorithm.OnPolicy:
		return &nothing
	case algorithm.TunesItself: // its inner loss has leaky V-trace
		return &byRho
	}
	return &cuts[c.Correction]
}

// Keys returns the keys of the settings whose knobs can stand in the row. The first stands there before a run is known.
func (r *Row) Keys() (keys []string) {
	if r.Key != "" {
		keys = append(keys, r.Key)
	}
	if r.Metric != telemetry.CutByRho {
		return keys
	}
	for i := range cuts {
		if !slices.Contains(keys, cuts[i].Key) {
			keys = append(keys, cuts[i].Key)
		}
	}
	return keys
}

// Knob returns the key of the setting whose knob stands in the row under a configuration; "": none.
func (r *Row) Knob(c *hyper.Config) string {
	if r.Metric == telemetry.CutByRho {
		return CutOf(c).Key
	}
	return r.Key
}

// Named returns the row's name on the shelf under a configuration.
func (r *Row) Named(c *hyper.Config) string {
	if r.Metric == telemetry.CutByRho {
		return CutOf(c).Chip
	}
	return r.Chip
}

// Stands reports whether the knob of a setting stands in the rows under a configuration. It is true of each setting
// that no row has.
func Stands(key string, c *hyper.Config) bool {
	row := find(key)
	return row == nil || row.Knob(c) == key
}

// find returns the row in which the knob of a setting can stand, or nil.
func find(key string) *Row {
	for i := range All {
		if slices.Contains(All[i].Keys(), key) {
			return &All[i]
		}
	}
	return nil
}
