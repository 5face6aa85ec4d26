package traj

// Batch is B unrolls side by side, time-major: index t·B + b.
type Batch struct {
	T, B int
	Shape

	Obs    []float32 // [T, B, Size]
	Tail   []float32 // [B + cuts, Size]: the observations after the last step, then those after the cuts
	Action []int32   // [T, B]
	Real   []float32 // [T, B, Reals]
	Reward []float32 // [T, B] raw
	End    []uint8   // [T, B] envs.End
	Mu     []float32 // [T, B, Actions]

	State []float32 // [B, States] initial state of a recurrent network
	// [B, States] initial state of the acting network: State, except for V-MPO's target network on rebuilt states.
	TargetState []float32
	Keep        []float32 // [T, B] 0 where an episode began at this step, and the state before is forgotten; 1 elsewhere

	Cuts    []int    // t·B + b of every truncation, in the order of Tail's rows from B on
	Version []uint64 // [B]
	Task    []int32  // [B] of a suite of worlds
	Online  []bool   // [B] fresh from the actors, not from the replay

	Weight   []float32 // [T, B] the weight of each step; 1 unless prioritised replay drew it
	Surprise []float32 // [B] mean |v_t − V_t|, written by an algorithm that replays by priority
	Errors   []float32 // [T, B] |v_t − V_t|, written by an algorithm that replays by priority
}

// NewBatch makes room for B unrolls of T steps.
func NewBatch(t, b int, s Shape) *Batch {
	n := t * b
	return &Batch{
		T: t, B: b, Shape: s,
		Obs: make([]float32, n*s.Size), Tail: make([]float32, 2*b*s.Size),
		Action: make([]int32, n), Reward: make([]float32, n), End: make([]uint8, n), Mu: make([]float32, n*s.Actions),
		Real:  make([]float32, n*s.Reals),
		State: make([]float32, b*s.States), TargetState: make([]float32, b*s.States), Keep: make([]float32, n),
		Version: make([]uint64, b), Task: make([]int32, b), Online: make([]bool, b),
		Weight: make([]float32, n), Surprise: make([]float32, b), Errors: make([]float32, n),
	}
}

// Rows returns a view of rows from to to−1 of everything that has a row for each step. The rest is the whole batch's.
func (b *Batch) Rows(from, to int) Batch {
	v := *b
	v.Obs, v.Mu = b.Obs[from*b.Size:to*b.Size], b.Mu[from*b.Actions:to*b.Actions]
	v.Real, v.Action = b.Real[from*b.Reals:to*b.Reals], b.Action[from:to]
	v.Reward, v.End, v.Keep = b.Reward[from:to], b.End[from:to], b.Keep[from:to]
	return v
}

// Share makes b the k-th of n shares of whole: its trajectories k, k+n, k+2n and so on. b.B must be whole.B/n.
func (b *Batch) Share(whole *Batch, k, n int) {
	if b.B*n != whole.B || b.T != whole.T || b.Shape != whole.Shape {
		panic("traj: a share of another shape than its batch")
	}
	size, actions := b.Size, b.Actions
	for i := range b.B {
		from := k + i*n
		for t := range b.T {
			to, at := t*b.B+i, t*whole.B+from
			copy(b.Obs[to*size:(to+1)*size], whole.Obs[at*size:])
			copy(b.Mu[to*actions:(to+1)*actions], whole.Mu[at*actions:])
			copy(b.Real[to*b.Reals:(to+1)*b.Reals], whole.Real[at*b.Reals:])
			b.Action[to], b.Reward[to], b.End[to], b.Keep[to] = whole.Action[at], whole.Reward[at], whole.End[at], whole.Keep[at]
			b.Weight[to] = whole.Weight[at]
		}
		b.Version[i], b.Task[i], b.Online[i] = whole.Version[from], whole.Task[from], whole.Online[from]
		copy(b.State[i*b.States:(i+1)*b.States], whole.State[from*b.States:])
		copy(b.TargetState[i*b.States:(i+1)*b.States], whole.TargetState[from*b.States:])
		copy(b.Tail[i*size:(i+1)*size], whole.Tail[from*size:])
	}
	b.Begin()
	for c, at := range whole.Cuts {
		if t, column := at/whole.B, at%whole.B; column%n == k {
			b.cut(t*b.B+column/n, whole.Tail[(whole.B+c)*size:][:size])
		}
	}
}

// Weigh gives all steps of column i a weight.
func (b *Batch) Weigh(i int, weight float32) {
	for t := range b.T {
		b.Weight[t*b.B+i] = weight
	}
}

// cut adds a truncation at row t·B + b with the observation after it.
func (b *Batch) cut(row int, obs []float32) {
	at := (b.B + len(b.Cuts)) * b.Size
	if need := at + b.Size; need > len(b.Tail) {
		b.Tail = append(b.Tail, make([]float32, need)...) // more cuts than ever before: rare, and kept
	}
	copy(b.Tail[at:at+b.Size], obs)
	b.Cuts = append(b.Cuts, row)
}

// Begin empties the batch of its cuts before its B unrolls are put in, in order.
func (b *Batch) Begin() { b.Cuts = b.Cuts[:0] }

// SetColumn makes u column i of the batch.
func (b *Batch) SetColumn(i int, u *Unroll, online bool) {
	if u.T != b.T || u.Shape != b.Shape {
		panic("traj: an unroll of another shape than its batch")
	}
	size, actions := b.Size, b.Actions
	for t := range b.T {
		row := t*b.B + i
		copy(b.Obs[row*size:(row+1)*size], u.Obs[t*size:])
		copy(b.Mu[row*actions:(row+1)*actions], u.Mu[t*actions:])
		copy(b.Real[row*b.Reals:(row+1)*b.Reals], u.Real[t*b.Reals:])
		b.Action[row], b.Reward[row], b.End[row] = u.Action[t], u.Reward[t], u.End[t]
		b.Keep[row], b.Weight[row] = 1, 1
		if t > 0 && u.End[t-1] != 0 {
			b.Keep[row] = 0
		}
	}
	copy(b.State[i*b.States:(i+1)*b.States], u.State)
	copy(b.TargetState[i*b.States:(i+1)*b.States], u.State)
	b.Version[i], b.Task[i], b.Online[i] = u.Version, u.Task, online
	copy(b.Tail[i*size:(i+1)*size], u.Obs[b.T*size:])
	for k := range u.Cuts {
		b.cut(u.Cuts[k].T*b.B+i, u.Cuts[k].Obs)
	}
}
