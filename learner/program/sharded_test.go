package program_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"

	"impalab/learner/graph"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
)

func lower(spec net.Spec) program.Maker {
	return func(t, b int) (*program.Program, error) { return graph.Lower(spec, t, b, true) }
}

func mustShard(t testing.TB, spec net.Spec, rows, shards int) *program.Sharded {
	t.Helper()
	s, err := program.NewSharded(kernel.Auto, lower(spec), false, 1, rows, shards)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func mustHost(t testing.TB, spec net.Spec, rows int) *program.Host {
	t.Helper()
	p, err := lower(spec)(1, rows)
	if err != nil {
		t.Fatal(err)
	}
	return program.NewHost(kernel.Auto, p)
}

// example is a network's parameters and a batch with cotangents, all from a seed.
type example struct{ theta, obs, dLogits, dValues []float32 }

func newExample(spec net.Spec, rows int, seed uint64) example {
	random := rand.New(rand.NewPCG(seed, 0))
	fill := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(random.NormFloat64())
		}
		return x
	}
	return example{
		theta: fill(spec.Params()), obs: fill(rows * spec.Inputs()), dLogits: fill(rows * spec.Actions),
		dValues: fill(rows * max(1, spec.Values)),
	}
}

// Wide enough that the gradients are added up in several chunks.
var wide = net.Spec{Obs: 4, Hidden: []int{64, 320}, Activation: kernel.Tanh, Actions: 3, HeadScale: 1}

// The last chunk of these networks' gradients is full but for one number, or has one number; the third has a value for
// each of three tasks.
var (
	nearlyFull = net.Spec{Obs: 5, Hidden: []int{1820}, Activation: kernel.Tanh, Actions: 2, HeadScale: 1}
	oneMore    = net.Spec{Obs: 4, Hidden: []int{1638}, Activation: kernel.Tanh, Actions: 4, HeadScale: 1}
	tasks      = net.Spec{Obs: 4, Hidden: []int{9}, Activation: kernel.Tanh, Actions: 3, Values: 3, HeadScale: 1}
)

func TestShardsComputeWhatOneHostDoes(t *testing.T) {
	if n, m := nearlyFull.Params(), oneMore.Params(); n != program.Chunk-1 || m != program.Chunk+1 {
		t.Fatalf("%d and %d parameters, want one less and one more than %d", n, m, program.Chunk)
	}
	for _, c := range []struct {
		spec         net.Spec
		rows, shards int
	}{{wide, 1, 1}, {wide, 7, 1}, {wide, 7, 7}, {wide, 32, 3}, {wide, 100, 4}, {nearlyFull, 4, 2}, {oneMore, 4, 2},
		{tasks, 9, 2}} {
		t.Run(fmt.Sprintf("%d rows in %d of %d parameters", c.rows, c.shards, c.spec.Params()), func(t *testing.T) {
			e := newExample(c.spec, c.rows, 1)
			p, s := mustHost(t, c.spec, c.rows), mustShard(t, c.spec, c.rows, c.shards)
			want, got := make([]float32, len(e.theta)), make([]float32, len(e.theta))
			wantLogits, wantValues := p.Forward(e.theta, e.obs, nil, nil)
			p.Backward(want, e.dLogits, e.dValues)
			logits, values := s.Forward(e.theta, e.obs, nil, nil)
			if !slices.Equal(logits, wantLogits) || !slices.Equal(values, wantValues) {
				t.Fatal("the outputs differ")
			}
			wantLogits, wantValues = p.Tangent(e.theta)
			logits, values = s.Tangent(e.theta)
			if !slices.Equal(logits, wantLogits) || !slices.Equal(values, wantValues) {
				t.Fatal("the tangents differ")
			}
			for range 2 { // the second run overwrites the first one's results
				s.Backward(got, e.dLogits, e.dValues)
				near(t, "gradient", got, want)
			}
		})
	}
}

// The trajectories of a shard lie apart in the batch. Its results go back to their places.
func TestRecurrentShardsComputeWhatOneHostDoes(t *testing.T) {
	const steps, trajectories = 5, 7
	core := net.Spec{Obs: 4, Hidden: []int{9}, Activation: kernel.Tanh, LSTM: 6, Actions: 3, Values: 2, HeadScale: 1}
	e := newExample(core, steps*trajectories, 1)
	state, keep := newExample(core, trajectories*core.States(), 2).dLogits[:trajectories*core.States()],
		make([]float32, steps*trajectories)
	for i := range keep {
		keep[i] = float32(min(1, i*7%11))
	}
	made, err := lower(core)(steps, trajectories)
	if err != nil {
		t.Fatal(err)
	}
	p := program.NewHost(kernel.Auto, made)
	s, err := program.NewSharded(kernel.Auto, lower(core), true, steps, trajectories, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	grad, wantGrad := make([]float32, len(e.theta)), make([]float32, len(e.theta))
	logits, values := s.Forward(e.theta, e.obs, state, keep)
	wantLogits, wantValues := p.Forward(e.theta, e.obs, state, keep)
	after, wantAfter := make([]float32, core.States()), make([]float32, core.States())
	for row := range steps * trajectories {
		s.StateAfter(row, after)
		p.StateAfter(row, wantAfter)
		near(t, fmt.Sprintf("state after row %d", row), after, wantAfter)
	}
	s.Backward(grad, e.dLogits, e.dValues)
	p.Backward(wantGrad, e.dLogits, e.dValues)
	tLogits, tValues := s.Tangent(e.theta)
	wantTLogits, wantTValues := p.Tangent(e.theta)
	near(t, "logits", logits, wantLogits)
	near(t, "values", values, wantValues)
	near(t, "gradient", grad, wantGrad)
	near(t, "tangents of the logits", tLogits, wantTLogits)
	near(t, "tangents of the values", tValues, wantTValues)
}

// near compares numbers that were added up in another order.
func near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-4*(1+math.Abs(float64(want[i]))) {
			t.Fatalf("%s: %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

func TestAnyNumberOfCoresGivesTheSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	if wide.Params() <= program.Chunk {
		t.Fatal("one core adds up all of so small a gradient")
	}
	const rows = 70
	e := newExample(wide, rows, 2)
	s := mustShard(t, wide, rows, 6)
	var want []float32
	for _, cores := range []int{1, 2, 4, 8} {
		runtime.GOMAXPROCS(cores)
		for range 10 {
			got := make([]float32, len(e.theta))
			s.Forward(e.theta, e.obs, nil, nil)
			s.Backward(got, e.dLogits, e.dValues)
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d cores change the gradient", cores)
			}
		}
	}
}

func TestAnyNumberOfCoresGivesARecurrentNetworkTheSameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	spec := net.Spec{Obs: 4, Hidden: []int{9}, Activation: kernel.Tanh, LSTM: 19, Actions: 3, HeadScale: 1}
	const steps = 6
	for _, c := range []struct{ trajectories, shards int }{{1, 1}, {7, 7}, {22, 7}, {32, 8}, {40, 3}} {
		e := newExample(spec, steps*c.trajectories, 5)
		state, keep := make([]float32, c.trajectories*spec.States()), make([]float32, steps*c.trajectories)
		for i := range state {
			state[i] = float32(i%5) / 4
		}
		for i := range keep {
			keep[i] = float32(min(1, i*7%11))
		}
		var want []float32
		for _, cores := range []int{4, 2, 1} {
			runtime.GOMAXPROCS(cores)
			s, err := program.NewSharded(kernel.Auto, lower(spec), true, steps, c.trajectories, c.shards)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second run overwrites the first one's results
				got := make([]float32, len(e.theta))
				logits, values := s.Forward(e.theta, e.obs, state, keep)
				s.Backward(got, e.dLogits, e.dValues)
				tLogits, tValues := s.Tangent(e.theta)
				got = slices.Concat(got, logits, values, tLogits, tValues)
				for row := range steps * c.trajectories {
					after := make([]float32, spec.States())
					s.StateAfter(row, after)
					got = append(got, after...)
				}
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%d trajectories in %d shards: %d cores change what comes out", c.trajectories, c.shards, cores)
				}
			}
			s.Close()
		}
	}
}

func TestShardsAllocateNothing(t *testing.T) {
	const rows = 64
	e := newExample(wide, rows, 3)
	s := mustShard(t, wide, rows, 4)
	grad := make([]float32, len(e.theta))
	core := net.Spec{Obs: 4, LSTM: 8, Activation: kernel.Tanh, Actions: 3, HeadScale: 1}
	unrolls := newExample(core, rows, 3)
	recurrent, err := program.NewSharded(kernel.Auto, lower(core), true, 4, 16, 4)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(recurrent.Close)
	coreGrad, state, keep := make([]float32, core.Params()), make([]float32, 16*core.States()), make([]float32, rows)
	step := func() {
		s.Forward(e.theta, e.obs, nil, nil)
		s.Backward(grad, e.dLogits, e.dValues)
		s.Tangent(grad)
		recurrent.Forward(unrolls.theta, unrolls.obs, state, keep)
		recurrent.Backward(coreGrad, unrolls.dLogits, unrolls.dValues)
		recurrent.Tangent(coreGrad)
	}
	if n := testing.AllocsPerRun(20, step); n != 0 { // on one core
		t.Fatalf("%v allocations in a step on one core", n)
	}
	// On two cores, where AllocsPerRun cannot look.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	step()
	const steps = 400
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range steps {
		step()
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > steps/40 { // the runtime's own, when it collects
		t.Fatalf("%d allocations in %d steps", n, steps)
	}
}

// The backward pass of several shards reads weights that were transposed once; a single shard transposes its own. Only
// weights are: B of a product A·Bᵀ may be another vector.
func TestTheWeightsOfShardsAreTransposedOnce(t *testing.T) {
	e := newExample(wide, 160, 1)
	p, err := lower(wide)(1, 160)
	if err != nil {
		t.Fatal(err)
	}
	for _, shards := range []int{1, 2} {
		s := mustShard(t, wide, 160, shards)
		s.Forward(e.theta, e.obs, nil, nil)
		s.Backward(make([]float32, len(e.theta)), e.dLogits, e.dValues)
		if turned := s.Turned(); (turned == nil) != (shards == 1) {
			t.Fatalf("%d shards have %d transposed weights", shards, len(turned))
		} else if shards == 1 {
			continue
		}
		products := 0
		for i := range p.Backward {
			step := &p.Backward[i]
			if step.Op != program.ProductBT {
				if p.Weights(step, e.theta) != nil {
					t.Errorf("step %d, %v, has weights to transpose", i, step.Op)
				}
				continue
			}
			products++
			weights, turned := p.Weights(step, e.theta), p.Weights(step, s.Turned())
			n, k := step.Size[1], step.Size[2]
			if len(weights) != n*k || len(turned) != n*k {
				t.Fatalf("product %d has %d weights and %d transposed ones, want %d", i, len(weights), len(turned), n*k)
			}
			for at, w := range weights {
				if got := turned[at%k*n+at/k]; got != w {
					t.Fatalf("product %d: weight %d is %g, transposed %g", i, at, w, got)
				}
			}
			other := *step
			other.At[2] = p.Segments[program.Work].At
			if p.Weights(&other, e.theta) != nil || p.Weights(step, nil) != nil {
				t.Error("another vector was taken for weights")
			}
		}
		if products == 0 {
			t.Fatal("no product was looked at")
		}
	}
}

// A single shard adds nothing up, and so wakes no helper.
func TestASingleShardWakesNoHelper(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	e, s := newExample(wide, 7, 1), mustShard(t, wide, 7, 1)
	s.Forward(e.theta, e.obs, nil, nil)
	s.Backward(make([]float32, len(e.theta)), e.dLogits, e.dValues)
	if s.Jobs() != 0 {
		t.Errorf("%d jobs, want none", s.Jobs())
	}
}

// Vectors that are one number too long are refused, each beside others that fit.
func TestAVectorOfAnotherLengthIsRefused(t *testing.T) {
	const steps, trajectories = 3, 4
	core := net.Spec{Obs: 4, LSTM: 3, Activation: kernel.Tanh, Actions: 3, HeadScale: 1}
	e := newExample(core, steps*trajectories, 1)
	s, err := program.NewSharded(kernel.Auto, lower(core), true, steps, trajectories, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	state, keep := make([]float32, trajectories*core.States()), make([]float32, steps*trajectories)
	fits := [8][]float32{e.theta, e.obs, state, keep, make([]float32, len(e.theta)), e.dLogits, e.dValues, e.theta}
	for long, name := range []string{"θ", "input", "state", "keep", "grad", "dLogits", "dValues", "direction", "none"} {
		v := fits
		if long < len(v) {
			v[long] = append(slices.Clone(v[long]), 0)
		}
		refused := func() (refused bool) {
			defer func() { refused = recover() != nil }()
			s.Forward(v[0], v[1], v[2], v[3])
			s.Backward(v[4], v[5], v[6])
			s.Tangent(v[7])
			return false
		}()
		if refused != (name != "none") {
			t.Errorf("too long: %s; refused: %v", name, refused)
		}
	}
}

func TestCloseLeavesNoHelperBehind(t *testing.T) {
	for _, times := range []int{1, 2} {
		t.Run(fmt.Sprint(times), func(t *testing.T) { closes(t, times) })
	}
}

func closes(t *testing.T, times int) {
	synctest.Test(t, func(t *testing.T) { // fails when a goroutine outlives it
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
		e := newExample(wide, 16, 4)
		s, err := program.NewSharded(kernel.Auto, lower(wide), false, 1, 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		s.Forward(e.theta, e.obs, nil, nil)
		if s.Helpers() != 4 {
			t.Errorf("%d helpers on 4 cores, want 4", s.Helpers())
		}
		for range times {
			s.Close()
		}
		defer func() {
			if recover() == nil {
				t.Error("a closed Sharded still works")
			}
		}()
		s.Forward(e.theta, e.obs, nil, nil)
	})
}

func TestShardsFollowTheRowsAlone(t *testing.T) {
	for rows, want := range map[int]int{1: 1, 128: 1, 129: 2, 320: 4, 640: 8, 1 << 20: program.MaxShards} {
		if got := program.Shards(false, 1, rows); got != want {
			t.Errorf("%d rows in %d shards, want %d", rows, got, want)
		}
	}
	for b, want := range map[int]int{1: 1, 6: 1, 7: 2, 16: 2, 32: 2, 63: 2, 64: 4, 100: 4, 1 << 20: program.MaxShards} {
		if got := program.Shards(true, 20, b); got != want {
			t.Errorf("20 steps of %d trajectories in %d shards, want %d", b, got, want)
		}
	}
	for _, shards := range []int{0, 6} {
		if _, err := program.NewSharded(kernel.Auto, lower(wide), false, 1, 5, shards); err == nil {
			t.Errorf("5 rows in %d shards were accepted", shards)
		}
	}
}

// The cost of a shard's size on one core, and its gain on several.
func BenchmarkShards(b *testing.B) {
	const rows = 640
	spec := net.Spec{Obs: 4, Hidden: []int{64, 64}, Activation: kernel.ReLU, Actions: 2, HeadScale: 0.01}
	e := newExample(spec, rows, 9)
	grad := make([]float32, len(e.theta))
	for _, shards := range []int{1, 2, 4, 5, 8, 10, 20} {
		b.Run(fmt.Sprint(shards), func(b *testing.B) {
			s := mustShard(b, spec, rows, shards)
			for b.Loop() {
				s.Forward(e.theta, e.obs, nil, nil)
				s.Backward(grad, e.dLogits, e.dValues)
			}
		})
	}
}
