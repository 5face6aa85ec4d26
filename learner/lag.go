package learner

// lagWindow keeps the parameters of the last updates, newest first, so that actors can act with the parameters of
// exactly Lag updates ago. It holds Lag + 1 of them: after the lag is raised, the window fills with new updates.
type lagWindow struct {
	ring    []version
	newest  int
	present int // how many are held
}

type version struct {
	theta  []float32
	update uint64
}

func newLagWindow() *lagWindow { return &lagWindow{} }

// push adds the parameters of an update, or replaces them if the update is already the newest, and keeps at most lag +
// 1.
func (p *lagWindow) push(theta []float32, update uint64, lag int) {
	if p.present > 0 && p.ring[p.newest].update == update {
		p.resize(lag + 1)
		return
	}
	p.resize(lag + 1)
	p.newest = (p.newest + 1) % len(p.ring)
	v := &p.ring[p.newest]
	if v.theta == nil {
		v.theta = make([]float32, len(theta))
	}
	copy(v.theta, theta)
	v.update = update
	p.present = min(p.present+1, len(p.ring))
}

// resize makes room for n, and keeps the newest.
func (p *lagWindow) resize(n int) {
	if n == len(p.ring) {
		return
	}
	ring := make([]version, n)
	keep := min(p.present, n)
	for i := range keep {
		ring[keep-1-i] = p.ring[(p.newest-i+len(p.ring))%len(p.ring)]
	}
	p.ring, p.present, p.newest = ring, keep, max(0, keep-1)
	if keep == 0 {
		p.newest = n - 1
	}
}

// at returns the parameters of lag updates ago, or the oldest held.
func (p *lagWindow) at(lag int) (theta []float32, update uint64) {
	i := min(lag, p.present-1)
	v := &p.ring[(p.newest-i+len(p.ring))%len(p.ring)]
	return v.theta, v.update
}

// list returns all parameters held, oldest first, for a snapshot.
func (p *lagWindow) list() []pastEntry {
	out := make([]pastEntry, p.present)
	for i := range out {
		theta, update := p.at(p.present - 1 - i)
		out[i] = pastEntry{theta, update}
	}
	return out
}
