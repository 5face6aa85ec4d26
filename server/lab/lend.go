package lab

import (
	"slices"
	"time"

	"impalab/server/hub"
	"impalab/web/wire"
)

// Pages that play the world themselves are lent the parameters: what acts and what learns, again and again, but no more
// often than an eye needs and a line bears.

const (
	lendEvery = time.Second
	lendBytes = 256 << 10 // bytes a second to each page; a larger network is lent less often
)

// lending is what pages were last lent.
type lending struct {
	any    bool
	update uint64
	behind []float32 // the behaviour's parameters may change while the target's rest: the lag was turned
	next   time.Time
}

// due says whether p should be lent now: it is news, and time. What one step by hand made is always lent.
func (t *lending) due(p *policies, once bool) bool {
	now := time.Now()
	if !once && now.Before(t.next) || t.any && t.update == p.update && slices.Equal(t.behind, p.Behaviour) {
		return false
	}
	t.any, t.update, t.behind = true, p.update, append(t.behind[:0], p.Behaviour...)
	size := 4 * (len(p.Behaviour) + len(p.Target))
	t.next = now.Add(max(lendEvery, time.Duration(float64(size)/lendBytes*float64(time.Second))))
	return true
}

// lend offers a copy of p, unless the network is larger than a frame may be: the page knows that too, and shows the
// server's frames.
func lend(p *policies, topic *hub.Topic) {
	if len(p.Target) > wire.MaxParameters {
		return
	}
	m := &wire.Weights{Update: p.update, Scale: slices.Clone(p.Scale), Shift: slices.Clone(p.Shift), Target: slices.Clone(p.Target)}
	if !slices.Equal(p.Behaviour, p.Target) {
		m.Behaviour = slices.Clone(p.Behaviour)
	}
	topic.Offer(m)
}
