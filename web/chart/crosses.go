package chart

import "impalab/learner/collapse"

// Crosses returns where a run fell: where its drawn curve passes the middle between crest and floor.
func Crosses(c *Curve, falls []collapse.Fall) (crosses []Episode) {
	for _, f := range falls {
		middle := (f.Crest.Mean + f.Told.Mean) / 2
		cross := Episode{Step: f.Onset.Step, Return: middle}
		for i := c.Index(f.Crest.Step); i >= 0 && i < len(c.Columns); i++ {
			if at := &c.Columns[i]; at.Step > f.Crest.Step && float64(at.Value.Last) <= middle {
				cross.Step = at.Step
				break
			}
		}
		crosses = append(crosses, cross)
	}
	return crosses
}
