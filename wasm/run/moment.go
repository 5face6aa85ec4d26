package run

import (
	"slices"

	"impalab/learner/hyper"
	"impalab/web/play"
	"impalab/web/wire"
)

// At a held cursor all panels show one moment: as the page showed it live, from one x-ray to the next, or as the server
// made it again. The page stores the live moments, and thins them out.

type moment struct {
	step  uint64
	xray  *wire.XRay
	gauge *wire.Gauge   // or nil
	frame *wire.Frame   // of the watched world, or nil
	plan  *play.Map     // of the watched world, or nil…
	lent  *wire.Weights // …and then drawn from these when the page shows it
	came  part          // the parts that arrived after the x-ray; the others are older
}

// part is a part of a moment beside its x-ray.
type part uint8

const (
	itsGauge part = 1 << iota
	itsFrame
	itsPlan
)

type moments []moment

const maxMoments = 400

// add appends a newer moment. A full list drops every other one first.
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

// near returns the moment nearest to a step, of two equally near the earlier; nil before the first.
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

func (list moments) of(step uint64) *moment {
	if one := list.near(step); one != nil && one.step == step {
		return one
	}
	return nil
}

// index returns the index of an update, or −1.
func (list moments) index(update uint64) int {
	return slices.IndexFunc(list, func(one moment) bool { return one.xray.Update == update })
}

// showing adds a newer part to the newest moment. A moment that the cursor holds does not change: it takes only its
// missing parts.
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

// moment returns the moment that the cursor holds: as it was shown live, else as it was made again, else the nearest
// live one when the page first asked. It returns nil if nothing is held, and before the first.
func (m *Run) moment() *moment {
	if !m.Cursor.Held {
		return nil
	}
	if live := m.moments.of(m.Cursor.Step); live != nil {
		return live
	}
	if made := m.madeAgain(); made != nil {
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

// nearest is the step of the live moment that stands in for a missing one until the cursor moves. A newer moment may be
// nearer, but a held moment does not change.
type nearest struct {
	revision uint32 // of the cursor
	step     uint64
}

const (
	aroundBefore = 16 // updates before the cursor that are made again…
	aroundAll    = 64 // …of so many in all, which is the server's limit
)

// Unseen returns the range of updates around the cursor that the server should make again. It returns false if the page
// has the moment already; before a pause it always asks.
func (m *Run) Unseen() (from, to uint64, ok bool) {
	update, known := m.Update()
	if !m.Cursor.Held || m.Cursor.Step > m.Steps() || !known || m.ID == "" || m.force.Mode == hyper.Live {
		return 0, 0, false
	}
	live, made := m.moments.of(m.Cursor.Step) != nil, m.again.of(m.Cursor.Step) != nil
	if asked := m.Cursor.asked; asked > 0 && asked != update {
		update, live, made = asked, false, false
	}
	if update == 0 || live && !m.before(int(update)) || made {
		return 0, 0, false
	}
	from = max(update, aroundBefore+1) - aroundBefore
	return from, from + aroundAll - 1, true
}

// MadeAgain takes the moments that the server made again, in place of the last ones. A cursor that is held near a
// requested update goes there.
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
	m.Cursor.Revision++ // the held moment shows more
	if i := m.again.index(m.Cursor.asked); m.Cursor.Held && i >= 0 {
		m.Cursor.Hold(m.again[i].step)
	}
}
