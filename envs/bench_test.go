package envs

import "testing"

// BenchmarkStep is one step of one copy within a vector, with actions chosen at random: ns/op is per environment step.
func BenchmarkStep(b *testing.B) {
	for i := range Table {
		spec := Table[i].Spec
		b.Run(spec.Name, func(b *testing.B) {
			const n = 64
			v := newVector(&Table[i], n, 1)
			r := NewRand(2, 0)
			var plan [64][n]int32 // drawn before, so that only stepping is timed
			for t := range plan {
				for j := range n {
					plan[t][j] = int32(r.IntN(len(spec.Actions)))
				}
			}
			out := make([]Outcome, n)
			b.ReportAllocs()
			b.ResetTimer()
			for t := 0; t < b.N; t += n {
				v.Step(plan[t/n%len(plan)][:], out)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Msteps/s")
		})
	}
}

// BenchmarkFrame is one step of one copy and the observation after it, with actions chosen at random: what an
// actor waits for. Copies are few, as an actor's are.
func BenchmarkFrame(b *testing.B) {
	for i := range Table {
		e := &Table[i]
		b.Run(e.Spec.Name, func(b *testing.B) {
			const n = 16
			v := newVector(e, n, 1)
			r := NewRand(2, 0)
			obs, out, actions := make([]float32, n*e.Spec.Size()), make([]Outcome, n), make([]int32, n)
			b.ReportAllocs()
			for t := 0; t < b.N; t += n {
				for j := range actions {
					actions[j] = int32(r.IntN(len(e.Spec.Actions)))
				}
				v.Step(actions, out)
				v.Observe(obs)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}
