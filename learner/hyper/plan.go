package hyper

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// PlannedChange is a change that is planned for a step: a run makes it before the first update that begins at Step or
// later.
type PlannedChange struct {
	Step   uint64
	Change Change
}

// ParsePlannedChange reads STEP:KEY=VALUE, like 80000:lag=64. The value may be in double quotes, as strconv.Quote
// writes it.
func ParsePlannedChange(text string) (PlannedChange, error) {
	at, setting, cut := strings.Cut(text, ":")
	key, value, named := strings.Cut(setting, "=")
	if !cut || !named {
		return PlannedChange{}, fmt.Errorf("turn %.64q: must be STEP:KEY=VALUE, like 80000:lag=64", text)
	}
	step, err := strconv.ParseUint(at, 10, 63)
	if err != nil {
		return PlannedChange{}, fmt.Errorf("turn %.64q: %.32q is not a step number; must be a whole number, like 80000",
			text, at)
	}
	if plain, err := strconv.Unquote(value); err == nil && strings.HasPrefix(value, quote) {
		value = plain
	}
	change, err := ParseChange(key, value)
	if err != nil {
		return PlannedChange{}, fmt.Errorf("turn %.64q: %w", text, err)
	}
	return PlannedChange{step, change}, nil
}

// ParsePlan reads planned changes joined by commas, like 80000:lag=64,115000:correction=vtrace. A value may hold
// commas. A comma followed by a number and a colon begins the next change, unless the value is in double quotes.
func ParsePlan(text string) (plan []PlannedChange, err error) {
	for text != "" {
		one, rest := text, ""
		if at := nextPlanned(text); at >= 0 {
			one, rest = text[:at], text[at+1:]
		}
		change, err := ParsePlannedChange(one)
		if err != nil {
			return nil, err
		}
		if plan = append(plan, change); len(plan) > MaxPlanned {
			return nil, fmt.Errorf("more than %d turns", MaxPlanned)
		}
		text = rest
	}
	return plan, nil
}

// MaxPlanned bounds the planned changes of a link.
const MaxPlanned = 1000

const quote = `"`

// nextPlanned returns the index of the first comma that a number and a colon follow, or −1. It does not look inside a
// quoted value. Regular expressions would be 80 kB more for every visitor to download.
func nextPlanned(text string) int {
	from := 0
	if at := strings.Index(text, "="+quote); at >= 0 && at == strings.IndexByte(text, '=') {
		quoted, _ := strconv.QuotedPrefix(text[at+1:]) // "" if the quotes do not end
		from = at + 1 + len(quoted)
	}
	for i := from; i < len(text); i++ {
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

// FormatPlan returns the text that ParsePlan reads.
func FormatPlan(plan []PlannedChange) string {
	return strings.Join(names(plan, PlannedChange.String), ",")
}

// String returns the planned change as links and flags spell it. It quotes a value that ParsePlan would cut.
func (t PlannedChange) String() string {
	value := t.Change.Value()
	if strings.HasPrefix(value, quote) || nextPlanned(value) >= 0 {
		value = strconv.Quote(value)
	}
	return fmt.Sprintf("%d:%s=%s", t.Step, t.Change.Key(), value)
}

// CheckPlan sorts planned changes by step, keeping the order within a step. It refuses a change that a run of c,
// continued from step begun, could not make: a cold setting, a combination that Validate refuses, a step outside it.
func (c *Config) CheckPlan(plan []PlannedChange, begun uint64) error {
	slices.SortStableFunc(plan, func(a, b PlannedChange) int { return cmp.Compare(a.Step, b.Step) })
	now := *c
	for _, t := range plan {
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
