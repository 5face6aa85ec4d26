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

// BenchmarkDrive is the same with controls at random.
func BenchmarkDrive(b *testing.B) {
	for i := range Table {
		spec := Table[i].Spec
		d := len(spec.Controls)
		if d == 0 {
			continue
		}
		b.Run(spec.Name, func(b *testing.B) {
			const n = 64
			v := newVector(&Table[i], n, 1)
			r := NewRand(2, 0)
			plan := make([]float32, 64*n*d)
			for j := range plan {
				c := spec.Controls[j%d]
				plan[j] = c.Low + (c.High-c.Low)*r.Float32()
			}
			out := make([]Outcome, n)
			b.ReportAllocs()
			b.ResetTimer()
			for t := 0; t < b.N; t += n {
				at := t / n % 64 * n * d
				v.Drive(plan[at:at+n*d], out)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Msteps/s")
		})
	}
}
