package model

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/wasm/run"
	"impalab/web/number"
	"impalab/web/wire"
)

// A page shows one to four runs side by side. One of them is in hand: its settings are the controls', its world is
// played by a person, its line is drawn in colour. Play, pause, step and speed go to all of them, so that they are
// comparable; all other settings, "same seed" and "new seed" go to the one in hand or, with All, to every one.

// closed is a column that was put away, and may come back.
type closed struct {
	run   *run.Run
	place int
	depth int // runs that gave way to another in all columns, then
}

// InHand is the run that controls and keys steer, and Hand its place from the left.
func (m *Model) InHand() *run.Run { return m.Runs[m.hand] }
func (m *Model) Hand() int        { return m.hand }

// Choose takes another column in hand, and reports whether there was one to be taken. A person's game ends with it.
func (m *Model) Choose(place int) bool {
	if place < 0 || place >= len(m.Runs) || place == m.hand {
		return false
	}
	m.LeaveHand()
	m.hand = place
	m.Announce("Column " + run.Letter(place) + " in hand")
	return true
}

// Copy puts a run with the settings and the seed of the one in hand at the right end, and takes it in hand. It begins
// from its start.
func (m *Model) Copy() error {
	from := m.InHand()
	switch {
	case len(m.Runs) == run.MaxColumns:
		return errors.New("a page has room for four columns: close one with X first")
	case !from.Ready:
		return errors.New("column " + run.Letter(m.hand) + " has not begun yet: wait for it, then copy it")
	}
	next := m.add(from.Shared())
	next.InBrowser = from.InBrowser
	next.Watch(from.Choice())
	next.Arrows, next.Values = from.Arrows, from.Values
	m.LeaveHand()
	m.hand = len(m.Runs) - 1
	m.Announce("Column " + run.Letter(m.hand) + " is a copy, in hand")
	return nil
}

// Close puts the column in hand away. The server keeps its run, and Reopen brings it back.
func (m *Model) Close() error {
	if len(m.Runs) == 1 {
		return errors.New("the only column stays: C adds another")
	}
	if m.plays(m.InHand()) {
		m.LeaveHand()
	}
	away := closed{run: m.InHand(), place: m.hand}
	m.Runs = slices.Delete(m.Runs, m.hand, m.hand+1)
	away.depth = m.depth()
	m.away = append(m.away, away)
	m.Announce("Column " + run.Letter(m.hand) + " closed; Z brings it back")
	m.hand = min(m.hand, len(m.Runs)-1)
	return nil
}

// Reopen brings back the column that was closed last, unless a run began anew since, which is then to be undone first;
// it reports whether it did.
func (m *Model) Reopen() bool {
	if len(m.away) == 0 || len(m.Runs) == run.MaxColumns {
		return false
	}
	last := m.away[len(m.away)-1]
	if m.depth() > last.depth {
		return false
	}
	m.away = m.away[:len(m.away)-1]
	m.hand = min(last.place, len(m.Runs))
	m.Runs = slices.Insert(m.Runs, m.hand, last.run)
	last.run.Key = m.key
	m.Announce("Column " + run.Letter(m.hand) + " is back")
	return true
}

// PauseFell pauses all columns, so that they stay comparable, because a run in one of them fell.
func (m *Model) PauseFell(fell *run.Run) []Request {
	return m.each(true, func(r *run.Run) (wire.Message, error) {
		if r == fell {
			return r.Do(wire.VerbPauseFell), nil
		}
		return r.Do(wire.VerbPause), nil
	})
}

// depth counts the runs that gave way to another in the columns that are there.
func (m *Model) depth() (n int) {
	for _, r := range m.Runs {
		n += r.Depth()
	}
	return n
}

// add puts a run of a link at the right end.
func (m *Model) add(fragment string) *run.Run {
	r := run.New(fragment, &m.Speech)
	r.Key, r.Page = m.key, func() []*run.Run { return m.Runs }
	if len(m.Runs) > 0 {
		r.Cursor = m.Runs[0].Cursor // one for all
	}
	m.Runs = append(m.Runs, r)
	return r
}

// Connectable reports whether a run may be asked for: all but the first wait for the key that the first Welcome gives
// a browser that has none, so that one key owns them all.
func (m *Model) Connectable(r *run.Run) bool { return m.key != "" || r == m.Runs[0] }

// Fragment is the link to all columns.
func (m *Model) Fragment() string { return m.Runs[0].Fragment(m.Runs[1:]...) }

// Shared is the link to what was seen in all of them.
func (m *Model) Shared() string { return m.Runs[0].Shared(m.Runs[1:]...) }

// IDs are the runs in their columns, as Resume takes them.
func (m *Model) IDs() string {
	ids := make([]string, len(m.Runs))
	for i, r := range m.Runs {
		ids[i] = r.ID
	}
	return strings.Join(ids, ",")
}

// Resume comes back to the runs that this link's columns had when it was last seen here; kept is the link under which
// a run of this browser goes on, "" where there is none.
func (m *Model) Resume(ids string, kept func(id string) string) {
	if each := strings.Split(ids, ","); len(each) == len(m.Runs) {
		for i, r := range m.Runs {
			link := ""
			if run.OfBrowser(each[i]) {
				link = kept(each[i])
			}
			r.Resume(each[i], link)
		}
	}
}

// Kept are the links under which this browser's runs go on when the page is opened again, a line each, behind their
// ids.
func (m *Model) Kept() string {
	var lines []string
	for _, r := range m.Runs {
		if !r.InBrowser || r.ID == "" {
			continue
		}
		if link, err := r.Kept(); err == nil { // else it begins anew
			lines = append(lines, r.ID+" "+link.String())
		}
	}
	return strings.Join(lines, "\n")
}

// Revision differs when the link or the runs behind it may have changed.
type Revision struct {
	columns  int
	settings [run.MaxColumns]uint32
	ids      [run.MaxColumns]string
}

// Revision is the page's; compared with ==.
func (m *Model) Revision() (now Revision) {
	now.columns = len(m.Runs)
	for i, r := range m.Runs {
		now.settings[i], now.ids[i] = r.SettingsRevision, r.ID
	}
	return now
}

// Ready reports whether every column has been welcomed.
func (m *Model) Ready() bool {
	return !slices.ContainsFunc(m.Runs, func(r *run.Run) bool { return !r.Ready })
}

// Badge is a column in a word: its letter and its newest mean return.
func (m *Model) Badge(place int) string {
	if last := m.Runs[place].Return.Last(); last != nil {
		return run.Letter(place) + " " + number.Score(float64(last.Value.Last))
	}
	return run.Letter(place)
}

// Differences names the settings that are not equal in all columns, and no other: "A and B differ in: correction
// V-trace | none"; "" for one column. Of columns that are equal now, and were not all the way, it says that: their
// curves are not equal.
func (m *Model) Differences() string {
	if len(m.Runs) == 1 {
		return ""
	}
	const most = 6
	letters := make([]string, len(m.Runs))
	for i := range letters {
		letters[i] = run.Letter(i)
	}
	last := len(letters) - 1
	who := strings.Join(letters[:last], ", ") + " and " + letters[last]
	rows := run.Differs(m.Runs)
	switch {
	case len(rows) == 0 && slices.ContainsFunc(m.Runs, func(r *run.Run) bool { return !r.TurnedLike(m.Runs[0]) }):
		return who + ": same settings now, not before"
	case len(rows) == 0:
		return who + " have the same settings and seed"
	}
	var named []string
	for _, row := range rows[:min(most, len(rows))] {
		name := row.Symbol
		if name == "" {
			name = strings.ToLower(row.Words[:1]) + row.Words[1:]
		}
		named = append(named, name+" "+m.values(row))
	}
	words := who + " differ in: " + strings.Join(named, "; ")
	if more := len(rows) - most; more > 0 {
		words += "; and " + strconv.Itoa(more) + " more"
	}
	return words
}

// values are a setting's in all columns, from left to right.
func (m *Model) values(row *hyper.Row) string {
	each := make([]string, len(m.Runs))
	for i, r := range m.Runs {
		each[i] = r.Figure(row, r.Config().Get(row.Key))
	}
	return strings.Join(each, " | ")
}
