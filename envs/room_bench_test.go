package envs

import (
	"strings"
	"testing"
)

// BenchmarkFrame is one step of one copy and the observation after it, with actions chosen at random: what an actor
// of the rooms waits for.
func BenchmarkFrame(b *testing.B) {
	for i := range Table {
		e := &Table[i]
		if !strings.HasPrefix(e.Spec.Name, "rooms-") {
			continue
		}
		b.Run(e.Spec.Name, func(b *testing.B) {
			const n = 16
			v := newVector(e.Spec, func(int) World { return e.New() }, n, 1)
			r := NewRand(2, 0)
			obs, out, actions := make([]float32, n*e.Spec.Size()), make([]Outcome, n), make([]int32, n)
			b.ReportAllocs()
			for t := 0; t < b.N; t += n {
				for j := range actions {
					actions[j] = int32(r.IntN(len(roomActions)))
				}
				v.Step(actions, out)
				v.Observe(obs)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}
