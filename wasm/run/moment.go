package run

import (
	"slices"

	"impalab/learner/hyper"
	"impalab/web/play"
	"impalab/web/wire"
)

// moment is everything that the page shows at a held cursor: as it was live, from one x-ray to the next, or as the
// server made it again. The page stores the live moments, and thins them out.
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

// Moments are the moments that the page can show again.
type Moments struct {
	live  moments // that the page showed live
	again moments // that the server made again around the cursor

	// standIn is the step of the live moment that stands in for a missing one until the cursor moves. A newer moment may
	// be nearer, but a held moment does not change.
	standIn, revision uint64
}

// at returns the moment that the cursor holds: as it was shown live, else as it was made again, else the nearest live
// one when the page first asked. It returns nil if nothing is held, and before the first.
func (s *Moments) at(c *Cursor) *moment {
	if !c.Held {
		return nil
	}
	if live := s.live.of(c.Step); live != nil {
		return live
	}
	if made := s.madeAgain(c); made != nil {
		return made
	}
	if near := s.live.of(s.standIn); near != nil && s.revision == uint64(c.Revision) {
		return near
	}
	near := s.live.near(c.Step)
	if near != nil {
		s.standIn, s.revision = near.step, uint64(c.Revision)
	}
	return near
}

// madeAgain returns the moment made again at the cursor, or nil.
func (s *Moments) madeAgain(c *Cursor) *moment {
	if !c.Held {
		return nil
	}
	return s.again.of(c.Step)
}

// complete adds a newer part to the newest moment, which must be of the newest x-ray. A held moment does not change: it
// takes only its missing parts.
func (m *Run) complete(one part, add func(*moment)) {
	live := m.moments.live
	if len(live) == 0 || live[len(live)-1].xray != m.XRay {
		return
	}
	last := &live[len(live)-1]
	if last.came&one != 0 && m.moments.at(m.Cursor) == last {
		return
	}
	last.came |= one
	add(last)
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
	live, made := m.moments.live.of(m.Cursor.Step) != nil, m.moments.again.of(m.Cursor.Step) != nil
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
	var again moments
	for _, message := range made {
		if x, ok := message.(*wire.XRay); ok {
			x.Figures = m.metrics(x.Figures)
			again = append(again, moment{step: x.Step, xray: x})
			continue
		}
		if len(again) == 0 {
			continue
		}
		switch last := &again[len(again)-1]; v := message.(type) {
		case *wire.Gauge:
			last.gauge = v
		case *wire.Weights:
			last.lent = v
		case *wire.Frame:
			last.frame = v
		}
	}
	m.moments.again = again
	m.Cursor.Revision++ // the held moment shows more
	asked := m.Cursor.asked
	if i := again.index(asked); m.Cursor.Held && i >= 0 {
		m.Cursor.Pin(again[i].step)
		m.Cursor.asked = asked // the link keeps it
	}
}
