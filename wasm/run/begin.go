package run

import (
	"strconv"

	"impalab/learner/hyper"
	"impalab/web/number"
	"impalab/web/wire"
)

// Another run takes this one's place on the page whenever this one cannot go on with what is asked: with another seed,
// world or network. The server keeps the old one, and Undo brings it back. Each of these returns the Hello that a new
// session is to be opened with.

// Again begins the same run from its start: the settings in force, the same seed.
func (m *Run) Again() wire.Message { return m.begin(m.plain()) }

// Reseed begins the same with another seed.
func (m *Run) Reseed(seed uint32) wire.Message {
	return m.begin(m.linkWith("seed", strconv.FormatUint(uint64(seed), 10)))
}

// Rewind begins a run that is this one up to an update, and goes on from there with the settings of that moment.
func (m *Run) Rewind(update uint64) wire.Message { return m.fork(update, nil) }

// Fork does the same and changes there what is in force now and was not then: the past, chosen otherwise.
func (m *Run) Fork(update uint64) wire.Message {
	var changes []wire.Setting
	named := map[string]bool{}
	for i := range m.Marks { // the first change of a key behind the moment says what it was then
		if mark := &m.Marks[i]; mark.Update >= update && !named[mark.Key] {
			named[mark.Key] = true
			if now := m.force.Get(mark.Key); now != mark.From {
				changes = append(changes, wire.Setting{Key: mark.Key, Value: now})
			}
		}
	}
	return m.fork(update, changes)
}

func (m *Run) fork(update uint64, changes []wire.Setting) wire.Message {
	from := wire.Origin{Run: m.ID, Update: update}
	if m.ID == "" {
		return nil
	}
	m.begin(m.plain())
	m.From, m.forks, m.grafts = from, true, changes
	if m.ghost != nil {
		m.ghost.before = "before the fork"
	}
	return m.Hello()
}

// Resume comes back to a run that this link belonged to when it was last seen here; "": there was none. A browser's is
// gone with its page, and is learned again from kept, what Carried was when the page was left; "": nothing was kept.
func (m *Run) Resume(id, kept string) {
	if !OfBrowser(id) {
		m.ID = id
		return
	}
	if kept == "" {
		m.Notice("The run that trained in this browser has gone with its page: it begins anew.")
		return
	}
	view, then := m.Link.View, "continues from"
	m.open(kept)
	if m.Link.setting(hyper.PausedKey) != "" {
		then = "pauses"
	}
	m.Link.View, m.InBrowser = view, true
	m.Notice("This run trained in this browser until its page was left. It is learned again up to step " +
		number.Count(m.Link.upTo()) + ", to the same bytes, and " + then + " there.")
}

// Visit comes to another run of the same owner; this one is what undo comes back to.
func (m *Run) Visit(id, preset string, seed string) wire.Message {
	m.begin("#v=1&p=" + preset + "&seed=" + seed)
	m.ID, m.InBrowser = id, false
	return m.Hello()
}

// CanUndo reports whether a run had this column before, Depth how many.
func (m *Run) CanUndo() bool { return len(m.past) > 0 }
func (m *Run) Depth() int    { return len(m.past) }

// Undo comes back to the run that had this column before; nil if there was none.
func (m *Run) Undo() wire.Message {
	if !m.CanUndo() {
		return nil
	}
	last := m.past[len(m.past)-1]
	m.past = m.past[:len(m.past)-1]
	m.reopen(last.fragment)
	m.ID, m.InBrowser = last.id, last.inBrowser
	return m.Hello()
}

// begin opens a link in this run's place.
func (m *Run) begin(fragment string) wire.Message {
	if m.ID != "" {
		m.past = append(m.past, past{m.ID, m.Fragment(), m.InBrowser})
	}
	m.reopen(fragment)
	return m.Hello()
}

// reopen opens a link and keeps what this run was as the ghost behind the next one.
func (m *Run) reopen(fragment string) {
	was, preset := m.force, m.Preset
	if len(m.Return.Columns) > 0 {
		m.ghost = m.leave(was.World)
	}
	m.Cursor.LetGo()
	m.open(fragment)
	if m.ghost != nil {
		m.ghost.before = m.since(&was, preset)
	}
}

// plain is the link of what is in force, without turns.
func (m *Run) plain() string {
	l := m.link("")
	return l.String()
}

// linkWith is the link of what is in force with another value.
func (m *Run) linkWith(key, value string) string {
	was := m.force
	defer func() { m.force = was }()
	m.force.Set(key, value) // it has been checked
	return m.plain()
}

// linkTo is the link of another preset or world, with this run's seed and speed.
func (m *Run) linkTo(key, value string) string {
	other := Run{Link: Link{View: m.Link.View}}
	config, preset, _, err := hyper.FromSettings([]hyper.Setting{{Key: key, Value: value}})
	if err != nil {
		return m.plain() // it has been checked
	}
	config.Seed, config.Speed = m.force.Seed, m.force.Speed
	if config.Anneal == hyper.AnnealConstant {
		config.Steps = 0 // a viewer decides when it is enough
	}
	other.Preset, other.force = preset, config
	return other.plain()
}
