package envs

import "testing"

// BenchmarkStep is one step of one copy within a vector, with actions chosen at random: ns/op is per environment step.
func BenchmarkStep(b *testing.B) {
	for i := range Table {
		b.Run(Table[i].Spec.Name, func(b *testing.B) { benchSteps(b, &Table[i], false) })
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
			v := newVector(spec, func(int) World { return Table[i].New() }, n, 1)
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

// BenchmarkStepAndObserve also writes the observation of each copy, as training does.
func BenchmarkStepAndObserve(b *testing.B) {
	for i := range Table {
		b.Run(Table[i].Spec.Name, func(b *testing.B) { benchSteps(b, &Table[i], true) })
	}
}

func benchSteps(b *testing.B, e *Entry, observe bool) {
	const n = 64
	v := newVector(e.Spec, func(int) World { return e.New() }, n, 1)
	r := NewRand(2, 0)
	var plan [64][n]int32 // drawn before, so that only stepping is timed
	for t := range plan {
		for j := range n {
			plan[t][j] = int32(r.IntN(len(e.Spec.Actions)))
		}
	}
	out, obs := make([]Outcome, n), make([]float32, n*e.Spec.Size())
	b.ReportAllocs()
	b.ResetTimer()
	for t := 0; t < b.N; t += n {
		v.Step(plan[t/n%len(plan)][:], out)
		if observe {
			v.Observe(obs)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Msteps/s")
}
