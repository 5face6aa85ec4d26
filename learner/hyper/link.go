package hyper

import (
	"fmt"
	"strconv"
)

// Link is the request in a page's link.
type Link struct {
	Config  Config
	Preset  string          // that links count differences from
	Unknown []string        // keys that this build does not know
	Turns   []PlannedChange // planned
	UpTo    uint64          // step that the run reached elsewhere: it is learned to there at full speed
	Paused  string          // why it pauses at UpTo: PausedByHand or PausedFell; "": it continues
}

// Keys of a link that are not settings of the run.
const (
	PlanKey   = "t" // 80000:lag=64,115000:correction=vtrace
	UpToKey   = "upto"
	PausedKey = "paused"
)

// Values of PausedKey.
const (
	PausedByHand = "hand"
	PausedFell   = "fell" // the page paused the run, because its return collapsed
)

// walkingPace is the speed, in environment steps a second, of a run whose link names none: slow enough to watch
// CartPole being learned, which takes about 60 000 steps.
const walkingPace = 4000

// ReadLink returns the run that a page's link describes. Unless the link says otherwise, its speed is one that people
// can follow and it has no budget of steps.
func ReadLink(settings []Setting) (l Link, err error) {
	var own []Setting
	named := map[string]bool{}
	for _, s := range settings {
		switch s.Key {
		case PlanKey:
			var more []PlannedChange
			more, err = ParsePlan(s.Value)
			l.Turns = append(l.Turns, more...)
		case UpToKey:
			if l.UpTo, err = strconv.ParseUint(s.Value, 10, 63); err != nil {
				err = fmt.Errorf("%s=%.32q is not a step number; must be a whole number, like 80000", s.Key, s.Value)
			}
		case PausedKey:
			if l.Paused = s.Value; l.Paused != PausedByHand && l.Paused != PausedFell {
				err = fmt.Errorf("%s=%.32q is not a reason for a pause; must be %s or %s", s.Key, s.Value, PausedByHand, PausedFell)
			}
		default:
			own = append(own, s)
			named[s.Key] = true
		}
		if err != nil {
			return l, err
		}
	}
	if l.Config, l.Preset, l.Unknown, err = FromSettings(own); err != nil {
		return l, err
	}
	if !named["speed"] {
		l.Config.Speed = walkingPace
	}
	if !named["steps"] && l.Config.Anneal == AnnealConstant { // annealing needs its end
		l.Config.Steps = 0
	}
	return l, nil
}
