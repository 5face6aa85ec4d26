package lab

import "time"

// memory decides when what runs gave back is returned to the system: when it is worth a collection, and again when
// nothing is given back any longer, for the store was still writing some of it the time before.
type memory struct {
	freed float64 // bytes given back since the last return
	more  bool
	last  time.Time
}

const (
	returnEvery = 3 * time.Second // and no more often than this
	returnBytes = 64e6
)

// due says whether to return memory now, some bytes having been given back since it was last asked.
func (m *memory) due(now time.Time, freed float64) bool {
	m.freed += freed
	much := m.freed >= returnBytes
	if !much && (!m.more || freed > 0) || now.Sub(m.last) <= returnEvery {
		return false
	}
	*m = memory{more: much, last: now}
	return true
}
