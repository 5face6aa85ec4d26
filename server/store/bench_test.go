package store

import (
	"errors"
	"fmt"
	"testing"
)

// A server with ten busy runs stores this each second: ten points of forty curves, a line of tape, the progress.
func BenchmarkASecondOfTenRuns(b *testing.B) {
	s, err := Open(b.Context(), Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	var ids []string
	for range 10 {
		id := NewID()
		ids = append(ids, id)
		if err := s.Do(b.Context(), func(tx *Tx) error { return tx.AddRun(sample(id)) }); err != nil {
			b.Fatal(err)
		}
	}
	var series []string
	for i := range 40 {
		series = append(series, fmt.Sprint("series ", i))
	}
	for n := int64(1); b.Loop(); n++ {
		curves := map[string][]Point{}
		for i, name := range series {
			for p := range int64(10) {
				curves[name] = append(curves[name], Point{n*640 + p*64, float64(n) * 0.37 / float64(i+1)})
			}
		}
		for _, id := range ids {
			err := s.Do(b.Context(), func(tx *Tx) error {
				return errors.Join(tx.AppendCurves(id, curves), tx.AppendTape(id, n, "a line of the tape"),
					tx.SetProgress(id, Progress{State: Running, Updates: n}))
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	if left, _, err := s.Retain(b.Context(), Retention{}); err == nil {
		b.ReportMetric(float64(left.Bytes)/float64(b.N), "B/kept")
	}
}
