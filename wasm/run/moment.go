package run

import (
	"slices"

	"impalab/learner/hyper"
	"impalab/web/play"
	"impalab/web/wire"
)

// The panels at a held cursor are those of one moment: as they were shown live, from one x-ray to the next, or as the
// server made them again. What was live is kept in the page, ever sparser.

type moment struct {
	step  uint64
	xray  *wire.XRay
	gauge *wire.Gauge   // nil: there was none
	frame *wire.Frame   // of the watched world; nil: there was none
	plan  *play.Map     // the same of its map…
	lent  *wire.Weights // …which is drawn from these when it is looked at; nil: plan is all there is
	came  part          // which of these came behind its x-ray; the others are older
}

// part is what a moment shows beside its x-ray.
type part uint8

const (
	itsGauge part = 1 << iota
	itsFrame
	itsPlan
)

type moments []moment

const maxMoments = 400

func (list *moments) add(one moment) {
	if n := len(*list); n > 0 && (*list)[n-1].step >= one.step {
		return
	}
	if len(*list) == maxMoments {
		for i := range maxMoments / 2 {
			(*list)[i] = (*list)[2*i+1]
		}
		clear((*list)[maxMoments/2:])
		*list = (*list)[:maxMoments/2]
	}
	*list = append(*list, one)
}

// near is the one nearest to a step, of two that are as near the earlier; nil before the first.
func (list moments) near(step uint64) (found *moment) {
	for i := range list {
		one := &list[i]
		switch {
		case one.step <= step:
			found = one
		case found != nil && one.step-step < step-found.step:
			return one
		default:
			return found
		}
	}
	return found
}

// of is the one of a step; nil where there is none.
func (list moments) of(step uint64) *moment {
	if one := list.near(step); one != nil && one.step == step {
		return one
	}
	return nil
}

// showing notes that the newest moment shows something newer beside its x-ray. While the cursor holds that moment, only
// what had yet to come is added: what is held must not change.
func (m *Run) showing(one part) {
	n := len(m.moments)
	if n == 0 || m.XRay == nil || m.moments[n-1].step != m.XRay.Step {
		return
	}
	last := &m.moments[n-1]
	if last.came&one != 0 && m.moment() == last {
		return
	}
	last.came |= one
	switch one {
	case itsGauge:
		last.gauge = m.Gauge
	case itsFrame:
		last.frame = m.agents
	case itsPlan:
		last.plan = m.plan
	}
}

// moment is the one that the cursor holds: as it was shown live, else as it was made again, else the nearest that was
// kept when it was first asked for. It is nil where nothing is held, and before the first.
func (m *Run) moment() *moment {
	if !m.Cursor.Held {
		return nil
	}
	if live := m.moments.of(m.Cursor.Step); live != nil {
		return live
	}
	if made := m.again.of(m.Cursor.Step); made != nil {
		return made
	}
	if near := m.moments.of(m.nearest.step); near != nil && m.nearest.revision == m.Cursor.Revision {
		return near
	}
	near := m.moments.near(m.Cursor.Step)
	if near != nil {
		m.nearest = nearest{m.Cursor.Revision, near.step}
	}
	return near
}

// nearest is the step of the moment that stands for one that was not kept, since the cursor's last move: one that comes
// later may be nearer, but what is held must not change.
type nearest struct {
	revision uint32 // of the cursor
	step     uint64
}

// index is the place of an update; −1 where it is not among them.
func (list moments) index(update uint64) int {
	return slices.IndexFunc(list, func(one moment) bool { return one.xray.Update == update })
}

const (
	aroundBefore = 16 // updates before the cursor that are made again…
	aroundAll    = 64 // …and of how many in all: the server makes no more at once
)

// Unseen are the updates around the cursor that the server may make again, from one to another: where the page has kept
// none just there, and where it leads back to what came before a pause. It is false where there is nothing to ask for.
func (m *Run) Unseen() (from, to uint64, ok bool) {
	update, known := m.Update()
	if !m.Cursor.Held || m.Cursor.Step > m.steps() || !known || m.ID == "" || m.force.Mode == hyper.Live {
		return 0, 0, false
	}
	live, made := m.moments.of(m.Cursor.Step) != nil, m.again.of(m.Cursor.Step) != nil
	if asked := m.Cursor.asked; asked > 0 && asked != update {
		update, live, made = asked, false, false
	}
	if update == 0 || live && !m.before(update) || made {
		return 0, 0, false
	}
	from = max(update, aroundBefore+1) - aroundBefore
	return from, from + aroundAll - 1, true
}

// Mapped reports whether the page has a use for the parameters of a moment.
func (m *Run) Mapped() bool { return m.mapped() }

// MadeAgain takes what the server made again in the place of what it made before. A cursor that stands beside the
// update which a link or a person asked for goes there.
func (m *Run) MadeAgain(made []wire.Message) {
	m.again = nil
	for _, message := range made {
		if x, ok := message.(*wire.XRay); ok {
			m.again = append(m.again, moment{step: x.Step, xray: x})
			continue
		}
		if len(m.again) == 0 {
			continue
		}
		switch last := &m.again[len(m.again)-1]; v := message.(type) {
		case *wire.Gauge:
			last.gauge = v
		case *wire.Weights:
			last.lent = v
		case *wire.Frame:
			last.frame = v
		}
	}
	m.Cursor.Revision++ // what it holds is more
	if i := m.again.index(m.Cursor.asked); m.Cursor.Held && i >= 0 {
		m.Cursor.Hold(m.again[i].step)
	}
}
