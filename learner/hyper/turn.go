package hyper

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Turn is a change that is planned for a step: it is made before the first update that begins at or after Step.
type Turn struct {
	Step   uint64
	Change Change
}

// ParseTurn reads STEP:KEY=VALUE, like 80000:lag=64.
func ParseTurn(text string) (Turn, error) {
	at, setting, cut := strings.Cut(text, ":")
	key, value, named := strings.Cut(setting, "=")
	if !cut || !named {
		return Turn{}, fmt.Errorf("turn %.64q: must be STEP:KEY=VALUE, like 80000:lag=64", text)
	}
	step, err := strconv.ParseUint(at, 10, 63)
	if err != nil {
		return Turn{}, fmt.Errorf("turn %.64q: %.32q is not a step number; must be a whole number, like 80000", text, at)
	}
	change, err := ParseChange(key, value)
	if err != nil {
		return Turn{}, fmt.Errorf("turn %.64q: %w", text, err)
	}
	return Turn{step, change}, nil
}

// ParseTurns reads what links have: turns joined by commas, like 80000:lag=64,115000:correction=vtrace. A value may
// hold commas, but none followed by a number and a colon.
func ParseTurns(text string) (turns []Turn, err error) {
	for text != "" {
		one, rest := text, ""
		if at := nextTurn(text); at >= 0 {
			one, rest = text[:at], text[at+1:]
		}
		turn, err := ParseTurn(one)
		if err != nil {
			return nil, err
		}
		if turns = append(turns, turn); len(turns) > MaxTurns {
			return nil, fmt.Errorf("more than %d turns", MaxTurns)
		}
		text = rest
	}
	return turns, nil
}

// MaxTurns bounds the turns of a link.
const MaxTurns = 1000

// nextTurn is where the first comma of text is that a number and a colon follow; −1: there is none. Regular expressions
// would be 80 kB more for every visitor to download.
func nextTurn(text string) int {
	for i := range text {
		if text[i] != ',' {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], "0123456789")
		if len(rest) < len(text)-i-1 && strings.HasPrefix(rest, ":") {
			return i
		}
	}
	return -1
}

// FormatTurns is what ParseTurns reads.
func FormatTurns(turns []Turn) string {
	texts := make([]string, len(turns))
	for i, t := range turns {
		texts[i] = t.String()
	}
	return strings.Join(texts, ",")
}

// String is the turn as links and flags spell it.
func (t Turn) String() string {
	return fmt.Sprintf("%d:%s=%s", t.Step, t.Change.Key(), t.Change.Value())
}

// CheckTurns sorts turns by step, keeping the order within a step. It refuses turns that a run of c continued from step
// begun could not make: a cold setting, a combination that Validate refuses, a step outside the run.
func (c *Config) CheckTurns(turns []Turn, begun uint64) error {
	slices.SortStableFunc(turns, func(a, b Turn) int { return cmp.Compare(a.Step, b.Step) })
	now := *c
	for _, t := range turns {
		switch {
		case !t.Change.Hot():
			return fmt.Errorf("turn %s: %s cannot change during a run; set it from the start", t, t.Change.Key())
		case t.Step < begun:
			return fmt.Errorf("turn %s: the run has already taken %d steps", t, begun)
		case c.Steps > 0 && t.Step >= c.Steps:
			return fmt.Errorf("turn %s: the run ends at %d steps; set an earlier turn, or more steps", t, c.Steps)
		}
		t.Change.Apply(&now)
		if err := now.Validate(); err != nil {
			return fmt.Errorf("turn %s: %w", t, err)
		}
	}
	return nil
}
