package class

// Bounds of one answer, of one room, and of all rooms in memory. The rooms' memory is shared between the addresses that
// made them: when it is full, a room of the address with most leaves memory for a room of an address with less.

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"impalab/server/errcode"
	"impalab/server/store"
)

const (
	maxAnswer = 4 << 10  // bytes of one answer in the store
	maxRoom   = 16 << 20 // bytes of one room in memory, and at most roomPart; about a third of that on disk
	roomPart  = 1. / 8   // of the memory for all rooms

	// A member or an answer takes eachBytes beside its texts. A text counts twice: in JSON and decoded.
	eachBytes   = 600
	openVerdict = 2 << 10 // reserved for the verdict of an open answer
	idleRoom    = time.Minute
)

// bytesOf estimates the memory of an answer.
func bytesOf(a *store.Answer) int64 {
	n := eachBytes + 2*(len(a.Answer)+len(a.Verdict))
	if a.Verdict == "" {
		n += openVerdict
	}
	return int64(n)
}

// bytesStored estimates the memory of a stored room.
func bytesStored(tx *store.Tx, code string) (int64, error) {
	answers, members, err := tx.RoomSize(code)
	return (members+answers.Rows)*eachBytes + 2*answers.Texts + answers.Open*openVerdict, err
}

// grow adds to the estimated memory of a room. A room that left memory takes none.
func (r *Room) grow(n int64) {
	r.size.Add(n)
	if !r.away.Load() {
		r.rooms.size.Add(n)
	}
}

// fits returns an error if n more bytes exceed the bound of the room or of all rooms.
func (r *Room) fits(n int64) error {
	if most := r.rooms.mostOfRoom(); r.size.Load()+n > most {
		return errcode.Errorf(errcode.Full, "this room is full: its answers take %.1f MB, and one room may take no more; "+
			"ask the teacher to make another room", float64(most)/(1<<20))
	}
	r.rooms.mu.Lock()
	defer r.rooms.mu.Unlock()
	return r.rooms.fit(r, r.maker, n)
}

// mostOfRoom returns the most bytes of one room.
func (rs *Rooms) mostOfRoom() int64 { return min(maxRoom, int64(roomPart*float64(rs.opts.Memory))) }

// fit returns an error if a room, made by an address, cannot take n more bytes. Other rooms leave memory for it: idle
// ones, then the least recently used one of the address with most, if that address then still has as much as the other.
// The caller holds mu.
func (rs *Rooms) fit(room *Room, maker string, n int64) error {
	if rs.size.Load()+n > rs.opts.Memory {
		rs.unloadUnused(idleRoom)
	}
	for rs.size.Load()+n > rs.opts.Memory {
		r := rs.yields(room, maker, n)
		if r == nil {
			return errNoMemory
		}
		rs.unload(r)
	}
	return nil
}

// yields returns the room that leaves memory next, with its changing locked; nil: none. The caller holds mu.
func (rs *Rooms) yields(room *Room, maker string, n int64) *Room {
	part := map[string]int64{}
	for _, r := range rs.held {
		part[r.maker] += r.size.Load()
	}
	byUse := slices.SortedFunc(maps.Values(rs.held), func(a, b *Room) int {
		return cmp.Or(cmp.Compare(part[b.set.Maker], part[a.set.Maker]), a.lastUse().Compare(b.lastUse()))
	})
	for _, r := range byUse {
		if r.maker == maker || part[r.maker]-r.size.Load() < part[maker]+n {
			continue
		}
		if r != room && r.changing.TryLock() {
			return r
		}
	}
	return nil
}

// unload drops a room from memory whose changing the caller has locked. Its pages read it again from the store.
func (rs *Rooms) unload(r *Room) {
	r.away.Store(true)
	r.changing.Unlock()
	r.mu.Lock()
	r.endFleet(errFleetWait)
	r.notify()
	r.mu.Unlock()
	delete(rs.held, r.code)
	rs.size.Add(-r.size.Load())
}

// Away reports whether the room has left memory. Its pages then ask for it again.
func (r *Room) Away() bool { return r.away.Load() }

// tidy drops the rooms from memory that were unused for so long.
func (rs *Rooms) tidy(since time.Duration) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.unloadUnused(since)
}

func (rs *Rooms) unloadUnused(since time.Duration) {
	for _, r := range slices.Collect(maps.Values(rs.held)) {
		if r.unused(since) && r.changing.TryLock() {
			rs.unload(r)
		}
	}
}
