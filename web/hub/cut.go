package hub

import (
	"time"

	"impalab/web/wire"
)

// position is a place in a topic's messages.
type position struct {
	event uint64        // number of the newest event
	seen  [kinds]uint64 // number of the newest message of each kind
}

// kinds limits the types of latest-wins messages in a topic.
const kinds = 8

// offer is the newest message of one kind, with its number.
type offer struct {
	of      byte // type of the messages
	message wire.Message
	number  uint64
}

// cut is the part of a topic that subscribers may see until the next cut.
type cut struct {
	event   uint64
	latest  [kinds]offer
	batches map[want]*Batch // batches made so far
}

// want decides the content of a batch.
type want struct {
	from            position
	frames, weights bool
}

// show makes a new cut of all messages. The caller holds mu.
func (t *Topic) show() {
	t.cut.event, t.cut.latest = t.newest, t.latest
	clear(t.cut.batches)
}

// announce schedules the next cut, if none is scheduled. The caller holds mu. It never waits.
func (t *Topic) announce() {
	if t.planned || len(t.subscribers) == 0 {
		return
	}
	t.planned = true
	t.timer.Reset(time.Until(t.next)) // at once if that has passed
}

// burst is the number of subscribers that are woken at once. The others follow over half of the time to the next cut,
// because two thousand writes in a row would delay a learner.
const burst = 64

// tick makes the scheduled cut and wakes all subscribers. It runs on the timer's goroutine.
func (t *Topic) tick() {
	every := t.hub.Every()
	start := time.Now()
	t.mu.Lock()
	t.planned, t.next = false, start.Add(every)
	t.show()
	all := make([]*Subscriber, 0, len(t.subscribers))
	for _, s := range t.subscribers {
		all = append(all, s)
	}
	t.mu.Unlock()
	for i, s := range all {
		if i > 0 && i%burst == 0 {
			time.Sleep(time.Until(start.Add(every / 2 * time.Duration(i) / time.Duration(len(all)))))
		}
		s.wake()
	}
}

// batch returns the batch from a position to the newest cut, or to a part of it. The caller holds mu, and the history
// reaches back to the position.
func (t *Topic) batch(w want) *Batch {
	if b := t.cut.batches[w]; b != nil {
		return b
	}
	b := &Batch{to: w.from}
	t.addEvents(b, t.cut.event, 0)
	if b.to.event >= t.cut.event {
		t.addLatest(b, w)
	}
	t.cut.batches[w] = b
	return b
}

// addEvents adds the events up to number last, as their owner sees them.
func (t *Topic) addEvents(b *Batch, last, owner uint64) {
	for b.to.event < last && len(b.messages) < wire.MaxJoined-kinds {
		b.to.event++
		e := &t.events[t.slot(b.to.event)]
		if e.own != nil && e.owner == owner {
			b.add(e.own)
		} else {
			b.add(e.message)
		}
	}
}

// addLatest adds the newest message of each kind. Parameters are large, so they have a batch of their own when nothing
// else is due.
func (t *Topic) addLatest(b *Batch, w want) {
	parameters := -1
	for k, o := range &t.cut.latest {
		_, large := o.message.(*wire.Weights)
		switch due := o.message != nil && o.number != b.to.seen[k] && w.wants(o.message); {
		case due && large:
			parameters = k
		case due:
			b.addNewest(k, o)
		default:
			b.to.seen[k] = o.number
		}
	}
	if parameters >= 0 && len(b.messages) == 0 {
		b.addNewest(parameters, t.cut.latest[parameters])
	}
}

// addNewest adds the newest message of kind k.
func (b *Batch) addNewest(k int, o offer) {
	b.dropped += o.number - b.to.seen[k] - 1
	b.to.seen[k] = o.number
	b.add(o.message)
}

// wants reports whether the subscriber wants a latest-wins message.
func (w *want) wants(m wire.Message) bool {
	switch m.(type) {
	case *wire.Frame:
		return w.frames
	case *wire.Weights:
		return w.weights
	}
	return true
}
