package program_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"impalab/learner/schedule"
)

// An update is Forward, losses and Backward in one job: with the same bits on any number of cores. The losses come one
// at a time, from the last shard to the first, when the outputs of all rows behind are there.
func TestAnUpdateIsForwardLossesAndBackward(t *testing.T) {
	for _, c := range []struct{ rows, shards, cores int }{{7, 1, 2}, {32, 3, 1}, {100, 4, 4}, {640, 8, 2}, {640, 8, 8}} {
		t.Run(fmt.Sprintf("%d rows in %d on %d", c.rows, c.shards, c.cores), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.cores))
			e, s := newExample(wide, c.rows, 1), mustShard(t, wide, c.rows, c.shards)
			want, got := make([]float32, len(e.theta)), make([]float32, len(e.theta))
			l, v := s.Forward(e.theta, e.obs, nil, nil)
			wantLogits, wantValues := slices.Clone(l), slices.Clone(v)
			s.Backward(want, e.dLogits, e.dValues)

			rows := s.Rows()
			for range 50 {
				logits, values := s.Outputs()
				clear(logits)
				clear(values)
				next, inside := c.shards, new(atomic.Int32)
				s.Update(got, e.theta, e.obs, func() { next-- }, func(i int) (dLogits, dValues []float32) {
					if inside.Add(1) != 1 {
						t.Error("the losses of two shards are computed at once")
					}
					defer inside.Add(-1)
					from, to := rows[i][0], rows[i][1]
					if i != next {
						t.Errorf("the losses of shard %d come, want %d", i, next)
					}
					next--
					if !slices.Equal(logits[from*wide.Actions:], wantLogits[from*wide.Actions:]) ||
						!slices.Equal(values[from:], wantValues[from:]) {
						t.Errorf("shard %d sees other outputs than Forward's", i)
					}
					return e.dLogits[from*wide.Actions : to*wide.Actions], e.dValues[from:to]
				})
				if next != -1 || !slices.Equal(got, want) {
					t.Fatalf("%d shards are left; the gradient is Backward's: %v", next+1, slices.Equal(got, want))
				}
			}
		})
	}
}

func TestAPanicInAnUpdateEndsIt(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	e, s := newExample(wide, 640, 1), mustShard(t, wide, 640, 8)
	for bad := -1; bad < 8; bad++ {
		broken := fmt.Errorf("shard %d", bad)
		err := schedule.Catch(func() error {
			s.Update(make([]float32, len(e.theta)), e.theta, e.obs, func() {
				if bad < 0 {
					panic(broken)
				}
			}, func(i int) (dLogits, dValues []float32) {
				if i == bad {
					panic(broken)
				}
				return e.dLogits[:80*wide.Actions], e.dValues[:80]
			})
			return nil
		})
		if fault := (*schedule.Fault)(nil); !errors.As(err, &fault) || fault.Value != any(broken) {
			t.Errorf("%v: %v", broken, err)
		}
	}
}
