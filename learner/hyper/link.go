package hyper

import (
	"fmt"
	"strconv"
)

// Link is the request in a page's link.
type Link struct {
	Config  Config
	Preset  string   // that links count differences from
	Unknown []string // keys that this build does not know
	Turns   []Turn   // planned
	UpTo    uint64   // step to which it is learned as fast as it goes: it has been there, elsewhere
	Paused  string   // why it pauses at UpTo: PausedByHand or PausedFell; "": it continues
}

// ReadLink returns the run that a page's link describes. Unless the link says otherwise, its speed is one that people
// can follow and it has no budget of steps.
func ReadLink(settings []Setting) (l Link, err error) {
	if settings, l.Turns, err = TurnsOf(settings); err != nil {
		return l, err
	}
	if settings, l.UpTo, err = upToOf(settings); err != nil {
		return l, err
	}
	if settings, l.Paused, err = pausedOf(settings); err != nil {
		return l, err
	}
	if l.Config, l.Preset, l.Unknown, err = FromSettings(settings); err != nil {
		return l, err
	}
	named := map[string]bool{}
	for _, s := range settings {
		named[s.Key] = true
	}
	if !named["speed"] {
		l.Config.Speed = walkingPace
	}
	if !named["steps"] && l.Config.Anneal == AnnealConstant { // annealing needs its end
		l.Config.Steps = 0
	}
	return l, nil
}

// TurnsOf takes the turns of a link, t=80000:lag=64,115000:correction=vtrace, out of its settings.
func TurnsOf(settings []Setting) (rest []Setting, turns []Turn, err error) {
	for _, s := range settings {
		if s.Key != TurnsKey {
			rest = append(rest, s)
			continue
		}
		more, err := ParseTurns(s.Value)
		if err != nil {
			return nil, nil, err
		}
		turns = append(turns, more...)
	}
	return rest, turns, nil
}

// Keys of a link that are not settings of the run.
const (
	TurnsKey  = "t"
	UpToKey   = "upto"
	PausedKey = "paused"
)

// Values of PausedKey.
const (
	PausedByHand = "hand"
	PausedFell   = "fell" // the page paused it, because its return collapsed
)

// pausedOf takes the reason of a pause out of a link's settings.
func pausedOf(settings []Setting) (rest []Setting, why string, err error) {
	for _, s := range settings {
		switch {
		case s.Key != PausedKey:
			rest = append(rest, s)
		case s.Value != PausedByHand && s.Value != PausedFell:
			return nil, "", fmt.Errorf("%s=%.32q is no reason of a pause; want %s or %s", PausedKey, s.Value, PausedByHand,
				PausedFell)
		default:
			why = s.Value
		}
	}
	return rest, why, nil
}

// upToOf takes the step of a link, upto=123456, out of its settings.
func upToOf(settings []Setting) (rest []Setting, step uint64, err error) {
	for _, s := range settings {
		if s.Key != UpToKey {
			rest = append(rest, s)
			continue
		}
		if step, err = strconv.ParseUint(s.Value, 10, 63); err != nil {
			return nil, 0, fmt.Errorf("%s=%.32q is not a step number; must be a whole number, like 80000", UpToKey, s.Value)
		}
	}
	return rest, step, nil
}

// walkingPace is the speed, in environment steps a second, of a run whose link names none: slow enough to watch
// CartPole being learned, which takes about 60 000 steps.
const walkingPace = 4000
