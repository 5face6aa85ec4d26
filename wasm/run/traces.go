package run

import (
	"impalab/learner/telemetry"
	"impalab/web/number"
)

// What the algorithm keeps beside θ is held to bounds, which stand below its figures.

func boundTexts() (texts []Text) {
	for i := range telemetry.Quantities {
		q := &telemetry.Quantities[i]
		texts = append(texts, Text{"bound-trace-" + q.Name, func(m *Run) string {
			if t := m.Trace(q); t != nil && !t.Last().Bound.Empty() {
				return "of " + number.Short(float64(t.Last().Bound.Last))
			}
			return ""
		}})
	}
	return texts
}
