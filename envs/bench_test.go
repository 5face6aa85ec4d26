package envs

import "testing"

// BenchmarkStep is one step of one copy within a vector, with actions chosen at random: ns/op is per environment step.
func BenchmarkStep(b *testing.B) {
	for i := range Table {
		spec := Table[i].Spec
		b.Run(spec.Name, func(b *testing.B) {
			const n = 64
			v := newVector(spec, func(int) World { return Table[i].New() }, n, 1)
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
