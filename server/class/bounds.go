package class

// What rooms may take: one answer, one room, and all rooms that are held in memory.

import (
	"time"

	"impalab/server/errcode"
)

const (
	maxAnswer = 4 << 10  // bytes that are kept of one answer
	maxRoom   = 16 << 20 // bytes of memory that one room takes; on disk it takes about a third

	// What a member and an answer take beside their texts. A text counts twice: it is held as the store has it, and
	// as what was read from it.
	eachBytes   = 600
	openVerdict = 2 << 10 // of a verdict that is still to come
	idleRoom    = time.Minute
)

// size is what an answer takes in memory.
func (a *answer) size() int64 {
	n := eachBytes + 2*(len(a.Answer.Answer)+len(a.Verdict))
	if a.open {
		n += openVerdict
	}
	return int64(n)
}

// grow counts what a room has taken in.
func (r *Room) grow(n int64) {
	r.size.Add(n)
	r.rooms.size.Add(n)
}

// fits refuses what would exceed the bound of the room, or of all rooms.
func (r *Room) fits(n int64) error {
	if r.size.Load()+n > maxRoom {
		return errcode.Errorf(errcode.Full, "this room is full: its answers take %d MB, and one room may take no "+
			"more; ask the teacher to make another room", maxRoom>>20)
	}
	return r.rooms.fit(n)
}

// fit refuses what would exceed the memory of all rooms, after those that nobody is in have been put away.
func (rs *Rooms) fit(n int64) error {
	if rs.size.Load()+n > rs.opts.Memory {
		rs.tidy(idleRoom)
	}
	if rs.size.Load()+n > rs.opts.Memory {
		return errNoMemory
	}
	return nil
}

var errNoMemory = errcode.Errorf(errcode.Full, "the rooms that are in use take all the memory that this server "+
	"has for rooms; try again in a few minutes, or ask the server's host to raise --max-memory")

// tidy puts away the rooms that nobody has used for so long. The store has them.
func (rs *Rooms) tidy(since time.Duration) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for code, r := range rs.held {
		if r.unused(since) {
			r.rest()
			delete(rs.held, code)
			rs.size.Add(-r.size.Load())
		}
	}
}
