package program_test

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
	"impalab/learner/schedule"
)

// An update is Forward, losses and Backward in one job: with the same bits on any number of cores. The losses come one
// at a time, from the last shard to the first, when the outputs of all rows behind are there.
func TestAnUpdateIsForwardLossesAndBackward(t *testing.T) {
	for _, c := range []struct{ rows, shards, cores int }{{7, 1, 2}, {32, 3, 1}, {100, 4, 4}, {640, 8, 2}, {640, 8, 8}} {
		t.Run(fmt.Sprintf("%d rows in %d on %d", c.rows, c.shards, c.cores), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.cores))
			e, plain := newExample(wide, c.rows, 1), mustShard(t, wide, c.rows, c.shards)
			s := mustShard(t, wide, c.rows, c.shards) // another, which has not transposed any weights
			want, got := make([]float32, len(e.theta)), make([]float32, len(e.theta))
			wantLogits, wantValues := plain.Forward(e.theta, e.obs, nil, nil)
			plain.Backward(want, e.dLogits, e.dValues)

			rows := s.Rows()
			dLogits, dValues := make([]float32, len(e.dLogits)), make([]float32, len(e.dValues))
			for range 50 {
				logits, values := s.Outputs()
				clear(logits)
				clear(values)
				next, inside := c.shards, new(atomic.Int32)
				s.Update(&program.Update{Grad: got, Theta: e.theta, Input: e.obs, DLogits: dLogits, DValues: dValues,
					First: func() { next-- }, Losses: func(i int) {
						if inside.Add(1) != 1 {
							t.Error("the losses of two shards are computed at once")
						}
						defer inside.Add(-1)
						from, to := rows[i][0][0], rows[i][0][1]
						if i != next {
							t.Errorf("the losses of shard %d come, want %d", i, next)
						}
						next--
						if !slices.Equal(logits[from*wide.Actions:], wantLogits[from*wide.Actions:]) ||
							!slices.Equal(values[from:], wantValues[from:]) {
							t.Errorf("shard %d sees other outputs than Forward's", i)
						}
						copy(dLogits[from*wide.Actions:to*wide.Actions], e.dLogits[from*wide.Actions:])
						copy(dValues[from:to], e.dValues[from:])
					}})
				if next != -1 || !slices.Equal(got, want) {
					t.Fatalf("%d shards are left; the gradient is Backward's: %v", next+1, slices.Equal(got, want))
				}
				clear(dLogits)
				clear(dValues)
			}
		})
	}
}

// A recurrent shard is whole trajectories: its losses need no other shard's outputs.
func TestAnUpdateOfARecurrentNetworkIsForwardLossesAndBackward(t *testing.T) {
	spec := net.Spec{Obs: 4, Hidden: []int{9}, Activation: kernel.Tanh, LSTM: 19, Actions: 3, HeadScale: 1}
	const steps = 6
	for _, c := range []struct{ trajectories, shards, cores int }{{5, 1, 2}, {7, 2, 1}, {22, 3, 4}, {32, 2, 2}} {
		t.Run(fmt.Sprintf("%d in %d on %d", c.trajectories, c.shards, c.cores), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.cores))
			e := newExample(spec, steps*c.trajectories, 5)
			state, keep := make([]float32, c.trajectories*spec.States()), make([]float32, steps*c.trajectories)
			for i := range keep {
				keep[i] = float32(min(1, i*7%11))
			}
			made := func() *program.Sharded {
				s, err := program.NewSharded(kernel.Auto, lower(spec), true, steps, c.trajectories, c.shards)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(s.Close)
				return s
			}
			plain, s := made(), made() // the other has not transposed any weights
			want, got := make([]float32, len(e.theta)), make([]float32, len(e.theta))
			wantLogits, wantValues := plain.Forward(e.theta, e.obs, state, keep)
			plain.Backward(want, e.dLogits, e.dValues)

			rows := s.Rows()
			dLogits, dValues := make([]float32, len(e.dLogits)), make([]float32, len(e.dValues))
			for i := range 50 {
				logits, values := s.Outputs()
				clear(logits)
				clear(values)
				for k := range e.theta { // other weights each time
					e.theta[k] *= 1 - float32(i%3)/8
				}
				plain.Forward(e.theta, e.obs, state, keep)
				plain.Backward(want, e.dLogits, e.dValues)
				var seen, first atomic.Int32
				s.Update(&program.Update{Grad: got, Theta: e.theta, Input: e.obs, State: state, Keep: keep,
					DLogits: dLogits, DValues: dValues, First: func() {
						time.Sleep(time.Millisecond) // another core comes to its way back first
						first.Add(1)
					}, Losses: func(i int) {
						last := steps * c.trajectories
						for _, r := range rows[i] {
							seen.Add(int32(r[1] - r[0]))
							a, z := r[0]*spec.Actions, r[1]*spec.Actions
							if r[0] >= last || !slices.Equal(logits[a:z], wantLogits[a:z]) ||
								!slices.Equal(values[r[0]:r[1]], wantValues[r[0]:r[1]]) {
								t.Errorf("rows %v of shard %d, after row %d, have other outputs than Forward's", r, i, last)
							}
							copy(dLogits[a:z], e.dLogits[a:])
							copy(dValues[r[0]:r[1]], e.dValues[r[0]:])
							last = r[0]
						}
					}})
				if first.Load() != 1 || int(seen.Load()) != steps*c.trajectories || !slices.Equal(got, want) {
					t.Fatalf("first came %d times, losses had %d rows; the gradient is Backward's: %v", first.Load(),
						seen.Load(), slices.Equal(got, want))
				}
				clear(dLogits)
				clear(dValues)
			}
		})
	}
}

// together is what several goroutines call, and each waits there until all have called it.
func together(t *testing.T, n int) func() {
	var came atomic.Int32
	all := make(chan struct{})
	return func() {
		if came.Add(1) == int32(n) {
			close(all)
		}
		select {
		case <-all:
		case <-time.After(5 * time.Minute):
			t.Errorf("%d of %d are there", came.Load(), n)
		}
	}
}

func TestTheLossesOfRecurrentShardsAreComputedAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	core := net.Spec{Obs: 4, LSTM: 3, Activation: kernel.Tanh, Actions: 3, HeadScale: 1}
	e, meet := newExample(core, 12, 1), together(t, 2)
	s, err := program.NewSharded(kernel.Auto, lower(core), true, 3, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Update(&program.Update{Grad: make([]float32, len(e.theta)), Theta: e.theta, Input: e.obs,
		State: make([]float32, 4*core.States()), Keep: make([]float32, 12), DLogits: e.dLogits, DValues: e.dValues,
		First: func() {}, Losses: func(int) { meet() }})
}

// First and the way forward of a single shard run at once, in one job.
func TestTheUpdateOfASingleShardIsAJobForTwo(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	e, s := newExample(wide, 7, 1), mustShard(t, wide, 7, 1)
	s.Update(&program.Update{Grad: make([]float32, len(e.theta)), Theta: e.theta, Input: e.obs, DLogits: e.dLogits,
		DValues: e.dValues, First: func() {}, Losses: func(int) {}})
	if s.Jobs() != 1 {
		t.Errorf("%d jobs, want 1", s.Jobs())
	}
}

// The helpers find no core: another goroutine computes a part of an update on its own.
func TestAGuestComputesPartsOfAnUpdate(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	core := net.Spec{Obs: 4, LSTM: 3, Activation: kernel.Tanh, Actions: 3, HeadScale: 1}
	e, meet, over := newExample(core, 12, 1), together(t, 2), make(chan struct{})
	s, err := program.NewSharded(kernel.Auto, lower(core), true, 3, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	share := schedule.NewCores(1).Share("a run", 1)
	defer share.Close()
	share.Acquire()
	defer share.Release()
	s.On(share)
	left := make(chan struct{})
	go func() {
		defer close(left)
		for {
			select {
			case <-over:
				return
			default:
				s.Help()
				runtime.Gosched()
			}
		}
	}()
	s.Update(&program.Update{Grad: make([]float32, len(e.theta)), Theta: e.theta, Input: e.obs,
		State: make([]float32, 4*core.States()), Keep: make([]float32, 12), DLogits: e.dLogits, DValues: e.dValues,
		First: meet, Losses: func(i int) {
			if i == 1 {
				meet()
			}
		}})
	close(over)
	<-left
}

func TestRowsAreTheShardsOfABatch(t *testing.T) {
	core := net.Spec{Obs: 4, LSTM: 3, Activation: kernel.Tanh, Actions: 3, HeadScale: 1}
	for _, c := range []struct {
		spec      net.Spec
		recurrent bool
		shards    int
		want      [][][2]int
	}{
		{wide, false, 1, [][][2]int{{{0, 9}}}},
		{wide, false, 2, [][][2]int{{{0, 5}}, {{5, 9}}}},
		{core, true, 1, [][][2]int{{{0, 9}}}},
		{core, true, 2, [][][2]int{{{6, 8}, {3, 5}, {0, 2}}, {{8, 9}, {5, 6}, {2, 3}}}},
	} {
		s, err := program.NewSharded(kernel.Auto, lower(c.spec), c.recurrent, 3, 3, c.shards)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Rows(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d shards, recurrent %v, have the rows %v, want %v", c.shards, c.recurrent, got, c.want)
		}
		s.Close()
	}
}

func TestAPanicInAnUpdateEndsIt(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	e, s := newExample(wide, 640, 1), mustShard(t, wide, 640, 8)
	for bad := -1; bad < 8; bad++ {
		broken := fmt.Errorf("shard %d", bad)
		err := schedule.Catch(func() error {
			s.Update(&program.Update{Grad: make([]float32, len(e.theta)), Theta: e.theta, Input: e.obs,
				DLogits: e.dLogits, DValues: e.dValues, First: func() {
					if bad < 0 {
						panic(broken)
					}
				}, Losses: func(i int) {
					if i == bad {
						panic(broken)
					}
				}})
			return nil
		})
		if fault := (*schedule.Fault)(nil); !errors.As(err, &fault) || fault.Value != any(broken) {
			t.Errorf("%v: %v", broken, err)
		}
	}
}
