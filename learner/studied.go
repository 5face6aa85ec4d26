package learner

// Studied is one step of the newest batch: the last that the first trajectory's actor took. The slices are views, good
// until the next update.
type Studied struct {
	Obs     []float32 // input of the network
	Action  int32
	Real    []float32 // action of a Gaussian policy
	Mu      []float32 // log μ of every action, or the Gaussian
	Version uint64    // update that made μ
}

// Studied returns a step of the newest batch; false before the first update. Call it in the Between hook.
func (l *Learner) Studied() (s Studied, ok bool) {
	if !l.filled {
		return s, false
	}
	b := l.batch
	row := (b.T - 1) * b.B
	return Studied{
		Obs: b.Obs[row*b.Size:][:b.Size], Action: b.Action[row], Real: b.Real[row*b.Reals:][:b.Reals],
		Mu: b.Mu[row*b.Actions:][:b.Actions], Version: b.Version[0],
	}, true
}
