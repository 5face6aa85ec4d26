package watch

import (
	"slices"
	"time"

	"impalab/web/hub"
	"impalab/web/wire"
)

// Pages that play the world themselves are sent the parameters, the behaviour's and the target's, but no more often
// than an eye needs and a connection bears.

const (
	weightsEvery = time.Second
	weightsRate  = 256 << 10 // bytes a second to each page; a larger network is sent less often
)

// sentWeights is what the pages were last sent.
type sentWeights struct {
	any    bool
	update uint64
	behind []float32 // the behaviour's parameters may change while the target's rest: the lag was turned
	next   time.Time
}

// due says whether p should be sent now: it is new, and it is time. The result of a step by hand is always sent.
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

// offerWeights offers a copy of p, unless the network is larger than a frame may be: the page knows that limit too, and
// then shows the server's frames.
func offerWeights(p *Policies, topic *hub.Topic) {
	if len(p.Target) > wire.MaxParameters {
		return
	}
	topic.Offer(weightsOf(p))
}

// weightsOf is a copy of p as pages get it.
func weightsOf(p *Policies) *wire.Weights {
	m := &wire.Weights{Update: p.Update, Scale: slices.Clone(p.Scale), Shift: slices.Clone(p.Shift),
		Target: slices.Clone(p.Target)}
	if !slices.Equal(p.Behaviour, p.Target) {
		m.Behaviour = slices.Clone(p.Behaviour)
	}
	return m
}
