package lab

import (
	"sync"

	"impalab/web/hub"
	"impalab/web/wire"
)

// voice tells those who look at a run of its states and changes, in order. What somebody has asked for is told when the
// store has it: whoever is told that a change is in force may rely on it, come what may. What happens after that waits
// behind it, a few milliseconds; the points of the curves, and the run itself, wait for nothing.
type voice struct {
	topic *hub.Topic

	mu     sync.Mutex
	untold []telling // the first of them is asked for
}

// telling is one event on its way.
type telling struct {
	event wire.Message
	owner uint64 // subscriber who is shown it at once; 0: nobody
	asked bool   // it is told when the store has it
}

// tell tells an event, or queues it. It reports whether it waits for the store.
func (v *voice) tell(t telling) (waits bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if t.asked || len(v.untold) > 0 {
		v.untold = append(v.untold, t)
		return true
	}
	v.topic.Publish(t.event, t.owner)
	return false
}

// waiting is how many events wait. What they tell is in the run's record by now.
func (v *voice) waiting() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.untold)
}

// kept tells the first n of those that wait, which the store has, and what happened before the next that it has not.
func (v *voice) kept(n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for len(v.untold) > 0 && (n > 0 || !v.untold[0].asked) {
		v.topic.Publish(v.untold[0].event, v.untold[0].owner)
		v.untold = v.untold[1:]
		n--
	}
}
