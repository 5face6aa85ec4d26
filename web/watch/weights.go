package watch

import (
	"slices"
	"time"

	"impalab/web/hub"
	"impalab/web/wire"
)

// Pages that play the world themselves get the parameters, but only as often as people and connections need.

const (
	weightsEvery = time.Second
	weightsRate  = 256 << 10 // bytes a second to each page
)

// sentWeights identifies the parameters last sent to the pages.
type sentWeights struct {
	any    bool
	update uint64
	behind []float32 // a change of lag changes the acting parameters alone
	next   time.Time
}

// due reports whether to send p: it is new, and it is time. The result of a single step is always sent.
func (t *sentWeights) due(p *Policies, once bool) bool {
	now := time.Now()
	if !once && now.Before(t.next) || t.any && t.update == p.Update && slices.Equal(t.behind, p.Behaviour) {
		return false
	}
	t.any, t.update, t.behind = true, p.Update, append(t.behind[:0], p.Behaviour...)
	size := 4 * (len(p.Behaviour) + len(p.Target))
	t.next = now.Add(max(weightsEvery, time.Duration(float64(size)/weightsRate*float64(time.Second))))
	return true
}

// offerWeights offers a copy of p. It does nothing if the network is too large for a frame; the page then shows the
// server's frames.
func offerWeights(p *Policies, topic *hub.Topic) {
	if len(p.Target) > wire.MaxParameters {
		return
	}
	topic.Offer(weightsOf(p))
}

// weightsOf returns a copy of p as a message.
func weightsOf(p *Policies) *wire.Weights {
	m := &wire.Weights{Update: p.Update, Scale: slices.Clone(p.Scale), Shift: slices.Clone(p.Shift),
		Target: slices.Clone(p.Target)}
	if !slices.Equal(p.Behaviour, p.Target) {
		m.Behaviour = slices.Clone(p.Behaviour)
	}
	return m
}
