package run

import "impalab/web/wire"

// Belt is the queue of a run as the page shows it: real steps, the newest first. A run makes hundreds of updates a
// second, and people see a few. So a fast run adds one step with each message, and shows a whole new queue with each
// fourth message.
type Belt struct {
	Poses    []wire.Pose
	Moves    int // places that the newest message moved the steps
	Revision int // of the steps

	update   uint64 // of the newest message
	messages int
}

const (
	slowRun  = 4 // updates between two messages that people can follow
	wholeOne = 4 // messages from one whole queue to the next
)

// receive replaces the queue by a newer one. If calm, only whole queues replace it, for people who want no motion.
func (b *Belt) receive(m *wire.Belt, calm bool) {
	passed := m.Update - b.update
	if b.Poses != nil && passed == 0 {
		return
	}
	b.update = m.Update
	b.messages++
	switch {
	case len(b.Poses) < min(len(m.Poses), wire.MaxBelt), b.messages%wholeOne == 0:
		b.Poses, b.Moves = m.Poses, 0
	case calm:
		return
	case passed <= slowRun:
		b.Poses, b.Moves = m.Poses, int(passed)
	default:
		b.Poses, b.Moves = append(m.Poses[:1:1], b.Poses[:len(b.Poses)-1]...), 1
	}
	b.Revision++
}
