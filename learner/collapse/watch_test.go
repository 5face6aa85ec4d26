package collapse

import (
	"math"
	"testing"
)

var nan = math.NaN()

// curve is a run on a world that pays 0 to a uniform policy and 100 when solved. Its episodes have a length.
type curve struct {
	Watch
	now    Point
	length uint64 // steps of an episode
}

func newCurve(length uint64) *curve {
	return &curve{Watch: Watch{Random: 0, Solved: 100}, length: length}
}

// stay adds episodes with one mean, a point each, and returns the number of the episode at which the run fell; 0: none.
func (c *curve) stay(mean float64, episodes uint64) (fell uint64) {
	for range episodes {
		c.now.Episodes++
		c.now.Step += c.length
		c.now.Update++
		c.now.Mean = mean
		if c.See(c.now) {
			fell = c.now.Episodes
		}
	}
	return fell
}

func TestARunFallsAfterTwoThousandEpisodesBelowAQuarterOfItsCrest(t *testing.T) {
	c := newCurve(10)
	if n := c.stay(80, 500); n > 0 || c.State != Standing {
		t.Errorf("a run that stands fell at episode %d", n)
	}
	if n := c.stay(19, 1999); n > 0 || c.State != Wavering {
		t.Errorf("below 20 for fewer than 2000 episodes: it fell at %d, state %d", n, c.State)
	}
	if n := c.stay(19, 3000); n != 2501 || len(c.Falls) != 1 || c.State != Fallen {
		t.Errorf("below 20 from episode 501 on: it fell at %d, want 2501 and no second time: %+v", n, c.Falls)
	}
	if f := c.Falls[0]; f.Crest.Mean != 80 || f.Onset.Episodes != 501 || f.Told.Episodes != 2501 || f.Onset.Step != 5010 {
		t.Errorf("%+v", f)
	}
}

func TestLongEpisodesCountInSteps(t *testing.T) {
	c := newCurve(200)
	c.stay(80, 500)
	if n := c.stay(5, 400); n != 751 {
		t.Errorf("50 000 steps after episode 501 are over at 751, it fell at %d", n)
	}
	c = newCurve(1000)
	c.stay(80, 500)
	if n := c.stay(5, 400); n != 601 {
		t.Errorf("50 000 steps are over after 50 episodes, and a mean has a hundred: it fell at %d, want 601", n)
	}
}

func TestAFallenRunFallsAgainOnlyAfterItStoodAgain(t *testing.T) {
	c := newCurve(10)
	c.stay(80, 500)
	c.stay(5, 2500)
	c.stay(39, 100) // above a quarter and below half
	if n := c.stay(5, 2500); n > 0 || c.State != Fallen {
		t.Errorf("it did not stand again, and fell a second time at %d", n)
	}
	if c.stay(41, 1); c.State != Standing {
		t.Error("above half of its crest it stands again")
	}
	if n := c.stay(5, 2500); n == 0 || len(c.Falls) != 2 {
		t.Errorf("a second fall after it stood is not noticed: %+v", c.Falls)
	}
}

func TestAStumbleIsNotAFall(t *testing.T) {
	c := newCurve(10)
	c.stay(80, 500)
	for range 10 {
		if n := c.stay(5, 1900); n > 0 {
			t.Fatalf("it fell at %d", n)
		}
		c.stay(21, 1)
	}
}

func TestARunThatNeverRoseToAThirdDoesNotFallAndMayWaver(t *testing.T) {
	c := newCurve(10)
	c.stay(33, 500)
	if n := c.stay(-5, 9000); n > 0 || c.State != Wavering {
		t.Errorf("it fell at %d, state %d", n, c.State)
	}
	c = newCurve(10)
	c.stay(9, 500)
	if c.stay(-5, 9000); c.State != Standing {
		t.Error("a crest of a tenth of the range is noise, and nothing wavers from there")
	}
}

func TestTheMeanOfAFewEpisodesSaysNothing(t *testing.T) {
	c := newCurve(10)
	c.stay(100, 99)
	if n := c.stay(20, 5000); n > 0 || c.State != Standing {
		t.Errorf("the first 99 episodes are no crest: it fell at %d", n)
	}
	c.See(Point{Episodes: 9000, Step: 1e6, Mean: nan})
	if c.State != Standing || c.crest.Mean != 20 {
		t.Error("a mean that is not known changes something")
	}
}

// Pendulum's returns are all below 0: what counts is the place in the world's range.
func TestReturnsBelowZeroHaveHeightsToo(t *testing.T) {
	c := &curve{Watch: Watch{Random: -1226, Solved: -250}, length: 200}
	c.stay(-1200, 300)
	c.stay(-200, 300)
	if n := c.stay(-400, 1000); n > 0 || c.State != Standing {
		t.Errorf("-400 is above half of the way from -1226 to -200: it fell at %d", n)
	}
	if n := c.stay(-1100, 1000); n != 1851 {
		t.Errorf("it fell at %d, want 1851", n)
	}
}

func TestThePoleIsDownBelowThirtyOnceItStood(t *testing.T) {
	p := Pole{Levels: Upright}
	if p.See(60, 9) || p.Rose() || p.See(nan, nan) {
		t.Error("a pole that never stood is down")
	}
	p.See(374, 300)
	if p.See(370, 30) {
		t.Error("30 is not below 30")
	}
	if !p.See(370, 29.9) || !p.See(nan, nan) {
		t.Error("29.9 is below 30, and the pole stays down while nothing is known")
	}
	if p.See(360, 31) || !p.Rose() {
		t.Error("the pole stands again")
	}
}

// Ten answers are too few for a mean: an agent that writes is down by the mean of a hundred.
func TestAnAgentThatWritesIsDownByItsMeanOfAHundred(t *testing.T) {
	p := Pole{Levels: Written}
	if p.See(.59, .2); p.Rose() {
		t.Error("0.59 is no skill")
	}
	if p.See(.9, .2) || !p.Rose() {
		t.Error("ten poor answers are a fall")
	}
	if !p.See(.29, .5) {
		t.Error("a mean of a hundred of 0.29 is no fall")
	}
}
