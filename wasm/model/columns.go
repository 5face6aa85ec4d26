package model

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"impalab/wasm/run"
	"impalab/web/link"
	"impalab/web/number"
)

// A page shows one to four runs side by side. The controls show the settings of the selected run, a person plays its
// world, and its stage has a frame. The first run is blue and the others are ink, whichever is selected. Play, pause,
// step and speed go to all runs, so that they stay comparable. All other settings, "same seed" and "new seed" go to the
// selected run or, with All, to every run.

// closed is a closed column, which Reopen may bring back.
type closed struct {
	run   *run.Run
	index int
	depth int // of all columns when it was closed
}

// Selected returns the run that controls and keys steer, and SelectedIndex its index from the left.
func (m *Model) Selected() *run.Run { return m.Runs[m.selected] }
func (m *Model) SelectedIndex() int { return m.selected }

// Select selects another column, and reports whether it exists. It ends a person's game.
func (m *Model) Select(index int) bool {
	if index < 0 || index >= len(m.Runs) || index == m.selected {
		return false
	}
	m.LeaveHand()
	m.selected = index
	m.Announce("Column " + link.Letter(index) + " selected")
	return true
}

// Copy adds a run with the settings and the seed of the selected one at the right end, and selects it. It starts from
// step 0.
func (m *Model) Copy() error {
	from := m.Selected()
	switch {
	case len(m.Runs) == link.MaxColumns:
		return errors.New("a page has room for four columns: close one with X first")
	case !from.Ready:
		return errors.New("column " + link.Letter(m.selected) + " has not begun yet: wait for it, then copy it")
	}
	next := m.add(from.Shared())
	next.InBrowser = from.InBrowser
	next.Choice = from.Choice
	next.Arrows, next.Values = from.Arrows, from.Values
	m.LeaveHand()
	m.selected = len(m.Runs) - 1
	m.Announce("Column " + link.Letter(m.selected) + " is a copy, and selected")
	return nil
}

// Close closes the selected column. The server keeps its run, and Reopen brings it back.
func (m *Model) Close() error {
	if len(m.Runs) == 1 {
		return errors.New("the only column stays: C adds another")
	}
	if m.plays(m.Selected()) {
		m.LeaveHand()
	}
	gone := closed{run: m.Selected(), index: m.selected}
	m.Runs = slices.Delete(m.Runs, m.selected, m.selected+1)
	gone.depth = m.depth()
	m.closed = append(m.closed, gone)
	m.Announce("Column " + link.Letter(m.selected) + " closed; Z brings it back")
	m.selected = min(m.selected, len(m.Runs)-1)
	return nil
}

// Reopen brings back the column that was closed last, and reports whether it did. A run that was restarted since then
// must be undone first.
func (m *Model) Reopen() bool {
	if len(m.closed) == 0 || len(m.Runs) == link.MaxColumns {
		return false
	}
	last := m.closed[len(m.closed)-1]
	if m.depth() > last.depth {
		return false
	}
	m.closed = m.closed[:len(m.closed)-1]
	m.selected = min(last.index, len(m.Runs))
	m.Runs = slices.Insert(m.Runs, m.selected, last.run)
	last.run.Key = m.key
	m.Announce("Column " + link.Letter(m.selected) + " is back")
	return true
}

// depth counts the replaced runs of all columns.
func (m *Model) depth() (n int) {
	for _, r := range m.Runs {
		n += r.Depth()
	}
	return n
}

// add adds the run of a link at the right end.
func (m *Model) add(fragment string) *run.Run {
	r := run.New(fragment, &m.Speech)
	r.Key, r.Page = m.key, func() []*run.Run { return m.Runs }
	if len(m.Runs) > 0 {
		r.Cursor = m.Runs[0].Cursor // all runs share it
	}
	m.Runs = append(m.Runs, r)
	return r
}

// Connectable reports whether a run may connect. In a browser without a key, all runs but the first wait for the key
// that the first Welcome brings, so that one key owns them all.
func (m *Model) Connectable(r *run.Run) bool { return m.key != "" || r == m.Runs[0] }

// Fragment returns the link to all columns.
func (m *Model) Fragment() string { return m.Runs[0].Fragment(m.Runs[1:]...) }

// Shared returns the link to everything that happened in all columns.
func (m *Model) Shared() string { return m.Runs[0].Shared(m.Runs[1:]...) }

// FromStart is Shared without the moment at which it opens.
func (m *Model) FromStart() string { return m.Runs[0].FromStart(m.Runs[1:]...) }

// IDs returns the ids of the columns' runs, as Resume takes them.
func (m *Model) IDs() string {
	ids := make([]string, len(m.Runs))
	for i, r := range m.Runs {
		ids[i] = r.ID
	}
	return strings.Join(ids, ",")
}

// Resume returns to the runs that the columns of this link had when this browser last showed it. Kept returns the link
// that continues a run of this browser, or "".
func (m *Model) Resume(ids string, kept func(id string) string) {
	each := strings.Split(ids, ",")
	if len(each) != len(m.Runs) {
		return
	}
	for i, r := range m.Runs {
		link := ""
		if run.OfBrowser(each[i]) {
			link = kept(each[i])
		}
		r.Resume(each[i], link)
	}
}

// Saved returns a line for each run that trains in this browser: its id and the link that continues it after a reload.
func (m *Model) Saved() string {
	var lines []string
	for _, r := range m.Runs {
		if !r.InBrowser || r.ID == "" {
			continue
		}
		if link, err := r.Saved(); err == nil { // else it restarts from step 0
			lines = append(lines, r.ID+" "+link.String())
		}
	}
	return strings.Join(lines, "\n")
}

// Revision differs when the link or the runs behind it may have changed. Compare it with ==.
type Revision struct {
	columns  int
	settings [link.MaxColumns]uint32
	ids      [link.MaxColumns]string
	at       uint64 // the update of the link
}

// Revision returns the current one.
func (m *Model) Revision() (now Revision) {
	now.columns, now.at = len(m.Runs), m.Runs[0].Cursor.Linked()
	for i, r := range m.Runs {
		now.settings[i], now.ids[i] = r.SettingsRevision, r.ID
	}
	return now
}

// Ready reports whether every column has received its Welcome.
func (m *Model) Ready() bool {
	return !slices.ContainsFunc(m.Runs, func(r *run.Run) bool { return !r.Ready })
}

// Badge returns a column's letter and its newest mean return.
func (m *Model) Badge(index int) string {
	if last := m.Runs[index].Return.Last(); last != nil {
		return link.Letter(index) + " " + number.Score(float64(last.Value.Last))
	}
	return link.Letter(index)
}

// Differences names the settings in which the columns differ: "A and B differ in: correction V-trace | none". It also
// says if equal columns differed earlier, because then their curves differ. It is "" for one column.
func (m *Model) Differences() string {
	if len(m.Runs) == 1 {
		return ""
	}
	const most = 6
	letters := make([]string, len(m.Runs))
	for i := range letters {
		letters[i] = link.Letter(i)
	}
	last := len(letters) - 1
	columns := strings.Join(letters[:last], ", ") + " and " + letters[last]
	rows := run.Differs(m.Runs)
	switch {
	case len(rows) == 0 && slices.ContainsFunc(m.Runs, func(r *run.Run) bool { return !r.ChangedLike(m.Runs[0]) }):
		return columns + ": same settings now, not before"
	case len(rows) == 0:
		return columns + " have the same settings and seed"
	}
	var named []string
	for _, row := range rows[:min(most, len(rows))] {
		values := make([]string, len(m.Runs))
		for i, r := range m.Runs {
			values[i] = r.Figure(row, r.Config().Get(row.Key))
		}
		named = append(named, run.ShortName(row)+" "+strings.Join(values, " | "))
	}
	words := columns + " differ in: " + strings.Join(named, "; ")
	if more := len(rows) - most; more > 0 {
		words += "; and " + strconv.Itoa(more) + " more"
	}
	return words
}
