package chart

import (
	"math"

	"impalab/learner/collapse"
	"impalab/web/number"
)

// Crosses returns where a run fell: where its drawn curve passes the middle between crest and floor.
func Crosses(c *Curve, falls []collapse.Fall) (crosses []Episode) {
	for _, f := range falls {
		crosses = append(crosses, passes(c, f.Crest, f.Onset, f.Told.Mean))
	}
	return crosses
}

// Dip is a drop of a run that got up by itself, or may yet.
type Dip struct {
	Episode          // the middle of the drop
	Words   []string // beside it
}

// Dips returns where a run dropped and did not fall, and how much later it was up again.
func Dips(c *Curve, dips []collapse.Dip) (marks []Dip) {
	for _, d := range dips {
		later := "still down"
		if d.Up.Episodes > 0 {
			later = "up " + number.Fixed(float64(d.Up.Step-d.Onset.Step)/1000, 0) + number.Thin + "k later"
		}
		marks = append(marks, Dip{passes(c, d.Crest, d.Onset, d.Floor.Mean),
			[]string{"fell: " + Rough(d.Crest.Mean) + " → " + Rough(d.Floor.Mean), later}})
	}
	return marks
}

// Rough writes a return without decimals, unless they matter.
func Rough(v float64) string {
	if math.Abs(v) < 5 {
		return number.Score(v)
	}
	return number.Fixed(v, 0)
}

// passes returns where a drawn curve first passes the middle between its crest and a floor.
func passes(c *Curve, crest, onset collapse.Point, floor float64) Episode {
	middle := (crest.Mean + floor) / 2
	for i := c.Index(crest.Step); i >= 0 && i < len(c.Columns); i++ {
		if at := &c.Columns[i]; at.Step > crest.Step && float64(at.Value.Last) <= middle {
			return Episode{at.Step, middle}
		}
	}
	return Episode{onset.Step, middle}
}
