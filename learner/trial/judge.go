package trial

// Judgement says of a whole learning curve whether the run lost its skill. It uses nothing of package collapse, so that
// a study can compare the two.
type Judgement struct {
	Rose bool `json:"rose"` // the best mean was above a third of the world's range
	Fell bool `json:"fell"` // it rose, and was down for a tenth of the budget without a break, or at the end
	Kept bool `json:"kept"` // its last mean is within a tenth of its best
}

// smoothing is how many points of a curve are averaged: a fortieth of the budget.
const smoothing = CurvePoints / 40

// judge judges a curve on a world with a mean return of random for a uniform policy, and of solved for a solution. A
// point is down when it is nearer to random than to the best point before it.
func judge(c *Curve, random, solved float64) (j Judgement) {
	smooth := c.smoothed()
	if len(smooth) == 0 {
		return j
	}
	best, down, longest := smooth[0], 0, 0
	for _, mean := range smooth {
		best = max(best, mean)
		if best-random <= (solved-random)/3 || mean-random >= best-mean {
			down = 0
			continue
		}
		down++
		longest = max(longest, down)
	}
	last := c.At[len(c.At)-1]
	j.Rose = best-random > (solved-random)/3
	j.Fell = j.Rose && (longest >= CurvePoints/10 || last-random < best-last)
	j.Kept = best-last <= max(best-random, 0)/10
	return j
}

// smoothed returns the curve's running average, from the first known mean.
func (c *Curve) smoothed() (smooth []float64) {
	var sum float64
	var from []float64
	for _, mean := range c.At {
		if mean != mean { // NaN: no episode has ended
			continue
		}
		from = append(from, mean)
		sum += mean
		if n := len(from); n > smoothing {
			sum -= from[n-1-smoothing]
		}
		if len(from) >= smoothing {
			smooth = append(smooth, sum/smoothing)
		}
	}
	return smooth
}
