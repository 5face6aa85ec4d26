package collapse

import "math"

// Pole follows the first experiment, which waits for CartPole's pole to fall and not for the rule above: the mean
// return of the last ten episodes is below 30, after the mean of a hundred was above 60. A uniform policy has 22.
type Pole struct {
	rose, down bool
}

// See takes the means of the last hundred and of the last ten episodes. It reports whether the pole is down; while a
// mean is NaN, nothing changes.
func (p *Pole) See(hundred, ten float64) (down bool) {
	if math.IsNaN(hundred) || math.IsNaN(ten) {
		return p.down
	}
	p.rose = p.rose || hundred > 60
	p.down = p.rose && ten < 30
	return p.down
}

// Rose reports whether the pole has stood.
func (p *Pole) Rose() bool { return p.rose }
