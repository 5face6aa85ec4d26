package collapse

import "math"

// Pole follows an experiment of the first page, which waits for its agent to be down and not for the rule above. Down
// is a low mean return after a high one.
type Pole struct {
	Levels
	rose, down bool
}

// Levels are the mean returns by which an experiment tells its agents' states.
type Levels struct {
	Skill  float64 // a mean of a hundred episodes above it is a skill to lose
	Down   float64 // an agent with such a skill is down below it…
	Long   bool    // …by the mean of a hundred episodes, else by the mean of ten
	Fallen float64 // a mean of a hundred below it is a fall in a study
	Risen  float64 // a mean of a hundred above it after a fall: the agent has its skill again

	FallWithin, RiseWithin uint64 // steps in which a study counts a fall and a recovery
}

// Mean returns the mean by which an agent is down, of the means of the last hundred and of the last ten episodes.
func (l *Levels) Mean(hundred, ten float64) float64 {
	if l.Long {
		return hundred
	}
	return ten
}

// Upright are the levels of CartPole, where a uniform policy has a return of 22.
var Upright = Levels{Skill: 60, Down: 30, Fallen: 100, Risen: 300, FallWithin: 60_000, RiseWithin: 145_000}

// Written are the levels of a world whose agent writes, as shares of an answer that are right. Chance is 0.25, and ten
// answers have 80 symbols: their mean is too rough.
var Written = Levels{Skill: .6, Down: .3, Long: true, Fallen: .35, Risen: .75, FallWithin: 300_000, RiseWithin: 500_000}

// See takes the means of the last hundred and of the last ten episodes. It reports whether the agent is down; while a
// mean is NaN, nothing changes.
func (p *Pole) See(hundred, ten float64) (down bool) {
	if math.IsNaN(hundred) || math.IsNaN(ten) {
		return p.down
	}
	p.rose = p.rose || hundred > p.Skill
	p.down = p.rose && p.Mean(hundred, ten) < p.Down
	return p.down
}

// Rose reports whether the agent has had the skill.
func (p *Pole) Rose() bool { return p.rose }
