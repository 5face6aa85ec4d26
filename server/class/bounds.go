package class

// Bounds of one answer, of one room, and of all rooms in memory.

import (
	"time"

	"impalab/server/errcode"
)

const (
	maxAnswer = 4 << 10  // bytes of one answer in the store
	maxRoom   = 16 << 20 // bytes of one room in memory; about a third of that on disk

	// A member or an answer takes eachBytes beside its texts. A text counts twice: in JSON and decoded.
	eachBytes   = 600
	openVerdict = 2 << 10 // reserved for the verdict of an open answer
	idleRoom    = time.Minute
)

// bytes estimates an answer's memory.
func (a *answer) bytes() int64 {
	n := eachBytes + 2*(len(a.Answer.Answer)+len(a.Verdict))
	if a.open() {
		n += openVerdict
	}
	return int64(n)
}

// grow adds to the estimated memory of a room.
func (r *Room) grow(n int64) {
	r.size.Add(n)
	r.rooms.size.Add(n)
}

// fits returns an error if n more bytes exceed the bound of the room or of all rooms.
func (r *Room) fits(n int64) error {
	if r.size.Load()+n > maxRoom {
		return errcode.Errorf(errcode.Full, "this room is full: its answers take %d MB, and one room may take no more; ask "+
			"the teacher to make another room", maxRoom>>20)
	}
	return r.rooms.fit(n)
}

// fit returns an error if n more bytes exceed the memory for rooms even without the idle ones.
func (rs *Rooms) fit(n int64) error {
	if rs.size.Load()+n > rs.opts.Memory {
		rs.tidy(idleRoom)
	}
	if rs.size.Load()+n > rs.opts.Memory {
		return errNoMemory
	}
	return nil
}

// tidy drops the rooms from memory that were unused for so long.
func (rs *Rooms) tidy(since time.Duration) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for code, r := range rs.held {
		if r.unused(since) {
			r.mu.Lock()
			r.endFleet(errFleetWait)
			r.mu.Unlock()
			delete(rs.held, code)
			rs.size.Add(-r.size.Load())
		}
	}
}
