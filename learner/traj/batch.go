package traj

// Batch is B unrolls side by side, time-major: index t·B + b.
type Batch struct {
	T, B, Size, Actions int

	Obs    []float32 // [T, B, Size]
	Tail   []float32 // [B + cuts, Size]: the observations after the last step, then those after the cuts
	Action []int32   // [T, B]
	Reward []float32 // [T, B] raw
	End    []uint8   // [T, B] envs.End
	LogMu  []float32 // [T, B, Actions]

	Cuts    []int    // t·B + b of every truncation, in the order of Tail's rows from B on
	Version []uint64 // [B]
	Online  []bool   // [B] fresh from the actors, not from the replay

	Weight   []float32 // [B] what each trajectory counts for; 1 unless prioritised replay drew it
	Surprise []float32 // [B] mean |v_t − V_t|, written by an algorithm that replays by priority
}

// NewBatch makes room for B unrolls of T steps.
func NewBatch(t, b, size, actions int) *Batch {
	n := t * b
	return &Batch{
		T: t, B: b, Size: size, Actions: actions,
		Obs: make([]float32, n*size), Tail: make([]float32, 2*b*size),
		Action: make([]int32, n), Reward: make([]float32, n), End: make([]uint8, n), LogMu: make([]float32, n*actions),
		Version: make([]uint64, b), Online: make([]bool, b),
		Weight: make([]float32, b), Surprise: make([]float32, b),
	}
}

// Begin empties the batch of its cuts before its B unrolls are put in, in order.
func (b *Batch) Begin() { b.Cuts = b.Cuts[:0] }

// Put makes u column i of the batch.
func (b *Batch) Put(i int, u *Unroll, online bool) {
	if u.T != b.T || u.Size != b.Size || u.Actions != b.Actions {
		panic("traj: an unroll of another shape than its batch")
	}
	size, actions := b.Size, b.Actions
	for t := range b.T {
		row := t*b.B + i
		copy(b.Obs[row*size:(row+1)*size], u.Obs[t*size:])
		copy(b.LogMu[row*actions:(row+1)*actions], u.LogMu[t*actions:])
		b.Action[row], b.Reward[row], b.End[row] = u.Action[t], u.Reward[t], u.End[t]
	}
	b.Version[i], b.Online[i], b.Weight[i] = u.Version, online, 1
	copy(b.Tail[i*size:(i+1)*size], u.Obs[b.T*size:])
	for k := range u.Cuts {
		at := (b.B + len(b.Cuts)) * size
		if need := at + size; need > len(b.Tail) {
			b.Tail = append(b.Tail, make([]float32, need)...) // more cuts than ever before: rare, and kept
		}
		copy(b.Tail[at:at+size], u.Cuts[k].Obs)
		b.Cuts = append(b.Cuts, u.Cuts[k].T*b.B+i)
	}
}
