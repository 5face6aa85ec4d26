package program

const (
	Chunk     = chunk
	MaxShards = maxShards
)

func (s *Sharded) Helpers() int { return s.workers.Helpers() }

// Turned returns the transposed weights, or nil where each product transposes its own.
func (s *Sharded) Turned() []float32 { return s.turned }

func (p *Program) Weights(s *Step, theta []float32) []float32 { return p.weights(s, theta) }
