package class

// Due dates of exercises. A hand-in after one is late: it earns its credit, and the teacher sees a mark.

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"impalab/server/errcode"
)

// mostDue is the longest time to a due date: a later one has a mistyped year.
const mostDue = 366 * 24 * time.Hour

// changeDue sets the due dates of exercises, or takes them away. A date in the past is refused: all would be late.
func (r *Room) changeDue(next *Settings, dates map[string]string) error {
	if len(dates) == 0 {
		return nil
	}
	next.Due = maps.Clone(next.Due)
	for _, name := range slices.Sorted(maps.Keys(dates)) {
		if !slices.Contains(r.graded(), name) {
			return errcode.Errorf(errcode.Refused, "%.40s is not an exercise of this room, so it has no due date", name)
		}
		if dates[name] == "" {
			delete(next.Due, name)
			continue
		}
		at, err := time.Parse(time.RFC3339, dates[name])
		if err != nil {
			return errcode.Errorf(errcode.Refused, "the due date %.40q is not a date with its time; write it like %s",
				dates[name], r.now().AddDate(0, 0, 7).UTC().Format(time.RFC3339))
		}
		switch wait := at.Sub(r.now()); {
		case at.UnixMilli() == next.Due[name]: // it has been set before
		case wait <= 0:
			return errcode.Errorf(errcode.Refused, "the due date %s is past: all students would be late; choose a later one",
				at.Format(dueForm))
		case wait > mostDue:
			return errcode.Errorf(errcode.Refused, "the due date %s is more than a year away; look at its year again",
				at.Format(dueForm))
		}
		if next.Due == nil {
			next.Due = map[string]int64{}
		}
		next.Due[name] = at.UnixMilli()
	}
	return nil
}

const dueForm = "2 January 2006, 15:04"

// due returns the due date of an exercise; nil if it has none. The caller holds mu.
func (r *Room) due(name string) *time.Time {
	at, set := r.set.Due[name]
	if !set {
		return nil
	}
	t := time.UnixMilli(at).UTC()
	return &t
}

// late reports whether an answer is a hand-in after its due date. The caller holds mu.
func (r *Room) late(a *answer) bool {
	at, set := r.set.Due[a.Task]
	return set && a.Kind == HandIn && a.Sent > at
}

// best is a member's best credit for an exercise: of hand-ins that were on time, and of all. A nil one was not judged.
type best struct{ onTime, all *float64 }

// late reports whether the best credit came after the due date.
func (b best) late() bool { return b.all != nil && (b.onTime == nil || *b.all > *b.onTime) }

// best returns a member's best credits. The caller holds mu.
func (r *Room) best(m *member, name string) (b best) {
	raise := func(to **float64, credit *float64) {
		if *to == nil || cmp.Less(**to, *credit) {
			*to = credit
		}
	}
	for _, a := range m.answers {
		if a.Kind != HandIn || a.Task != name || a.Credit == nil {
			continue
		}
		raise(&b.all, a.Credit)
		if !r.late(a) {
			raise(&b.onTime, a.Credit)
		}
	}
	return b
}
