package program

const (
	Chunk     = chunk
	MaxShards = maxShards
)

func (s *Sharded) Helpers() int { return s.workers.Helpers() }
