package kernel

import "testing"

func TestTheLoopSaysHowMuchItDoes(t *testing.T) {
	for _, level := range append(Vectors(), levelGo) {
		restore := Use(level)
		if got, want := Auto.FMALoop(1000), 2*peakSums*float64(lanes)*1000; got != want {
			t.Errorf("%s: %g operations, want %g", level, got, want)
		}
		restore()
	}
}

// The kernels are compared with this loop: BenchmarkMatMul should come near it and not beyond.
func BenchmarkFMALoop(b *testing.B) {
	flops := 0.0
	for b.Loop() {
		flops += Auto.FMALoop(20_000)
	}
	b.ReportMetric(flops/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
