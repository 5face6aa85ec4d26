package run

import (
	"strconv"

	"impalab/learner/hyper"
	"impalab/web/number"
	"impalab/web/wire"

	"impalab/web/link"
)

// Another run replaces this one on the page if this one cannot continue with a request: another seed, world or network.
// The server keeps the old run, and Undo returns to it. Each of these returns the Hello of a new session.

// Again starts the same run from step 0: the settings in force, the same seed.
func (m *Run) Again() wire.Message { return m.begin(m.link(&m.force, nil)) }

// Reseed starts the same run with another seed.
func (m *Run) Reseed(seed uint32) wire.Message {
	return m.begin(m.linkWith("seed", strconv.FormatUint(uint64(seed), 10)))
}

// Rewind starts a run that equals this one up to an update, and continues with the settings of that moment.
func (m *Run) Rewind(update uint64) wire.Message { return m.fork(update, nil) }

// Fork does the same, but continues with the settings in force now.
func (m *Run) Fork(update uint64) wire.Message {
	then := m.changes.undo(m.force, func(c *wire.Changed) bool { return c.Update >= update })
	var changes []wire.Setting
	for _, s := range m.force.Diff(&then) {
		changes = append(changes, wire.Setting(s))
	}
	return m.fork(update, changes)
}

func (m *Run) fork(update uint64, changes []wire.Setting) wire.Message {
	from := wire.Origin{Run: m.ID, Update: update}
	if m.ID == "" {
		return nil
	}
	m.begin(m.link(&m.force, nil))
	m.From, m.forks, m.grafts = from, true, changes
	m.ghost.before = "before the fork"
	return m.Hello()
}

// Resume returns to the run that this link had when this browser last showed it; "": none. A browser's run ended with
// its page, so the browser learns it again from kept, which is the link of Kept; "": none.
func (m *Run) Resume(id, kept string) {
	if !OfBrowser(id) {
		m.ID = id
		return
	}
	if kept == "" {
		m.Notice("The run that trained in this browser has gone with its page: it restarts.")
		return
	}
	view, then := m.Link.View, "continues from"
	m.open(link.Parse(kept))
	if link.Last(m.Link.Settings, hyper.PausedKey) != "" {
		then = "pauses"
	}
	m.Link.View, m.InBrowser = view, true
	m.Notice("This run trained in this browser until its page was left. It is retrained up to step " +
		number.Count(m.Link.UpTo()) + ", to the same bytes, and " + then + " there.")
}

// Depth returns how many runs had this column before.
func (m *Run) Depth() int { return len(m.past) }

// Undo returns to the run that had this column before; it returns nil if there was none.
func (m *Run) Undo() wire.Message {
	if len(m.past) == 0 {
		return nil
	}
	last := m.past[len(m.past)-1]
	m.past = m.past[:len(m.past)-1]
	m.reopen(last.link)
	m.ID, m.InBrowser = last.id, last.inBrowser
	return m.Hello()
}

func (m *Run) begin(to link.Link) wire.Message {
	if m.ID != "" {
		m.past = append(m.past, past{m.ID, m.now(), m.InBrowser})
	}
	m.reopen(to)
	return m.Hello()
}

// reopen opens a link and keeps this run as the ghost of the next one.
func (m *Run) reopen(to link.Link) {
	was, preset := m.force, m.Preset
	if len(m.Return.Columns) > 0 {
		before := m.Curves // m becomes another run
		m.ghost = ghost{Curves: &before, world: was.World}
	}
	m.open(to)
	m.ghost.before = m.since(&was, preset)
}

// linkWith is the link to the settings in force with one other value, which was checked.
func (m *Run) linkWith(key, value string) link.Link {
	config := m.force
	config.Set(key, value)
	return m.link(&config, nil)
}

// linkTo is the link to another preset or world, which was checked, with this run's seed and speed.
func (m *Run) linkTo(key, value string) link.Link {
	config, preset, _, _ := hyper.FromSettings([]hyper.Setting{{Key: key, Value: value}})
	config.Seed, config.Speed = m.force.Seed, m.force.Speed
	if config.Anneal == hyper.AnnealConstant {
		config.Steps = 0 // the viewer ends it
	}
	other := Run{Link: link.Link{View: m.Link.View}, Preset: preset}
	return other.link(&config, nil)
}
