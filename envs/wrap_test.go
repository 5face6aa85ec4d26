package envs_test

import (
	"math"
	"slices"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
)

// wrappedNames has every wrapper on worlds of every kind: pictures, finite ones, some with controls.
var wrappedNames = []string{
	"catch:stack=4",
	"catch:sticky=0.25,repeat=3",
	"catch:challenge=1",
	"cartpole:limit=20,normalise=1",
	"cartpole:perturb=1,hold=3",
	"cartpole:challenge=3",
	"cliff:limit=7,repeat=2,reward-delay=5",
	"t-maze:length=3,obs-delay=2,act-delay=1",
	"deep-sea:size=5,drop=0.2,drop-steps=3,extra=4",
	"pendulum:act-noise=0.3,stuck=0.1,stuck-steps=4",
	"pendulum:challenge=2",
	"breakout:limit=200,repeat=2,stack=2",
	"reacher:sticky=0.5,hold=2,act-delay=3,normalise=1,stack=2",
	"hopper:terrain=1,perturb=3,limit=300",
	"mountain-car:perturb=3",
	"reacher:perturb=2",
	"humanoid:terrain=2,perturb=1,act-delay=1",
	"reverse:length=4,sticky=0.2,obs-delay=1",
}

func TestWrappedWorldsConform(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole suite once more for each wrapper; it runs without -short")
	}
	for _, name := range wrappedNames {
		t.Run(name, func(t *testing.T) { envtest.Run(t, lookup(t, name)) })
	}
}

func lookup(t testing.TB, name string) *envs.Entry {
	t.Helper()
	e, err := envs.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// episode plays actions in a world and its bare twin with the same chance, until one of them stops.
type episode struct {
	world, bare envs.World
	a, b        envs.Rand
}

func begin(t *testing.T, name, bare string) *episode {
	e := &episode{world: lookup(t, name).New(), bare: lookup(t, bare).New(), a: envs.NewRand(3, 0), b: envs.NewRand(3, 0)}
	e.world.Reset(&e.a)
	e.bare.Reset(&e.b)
	return e
}

func see(w envs.World) []float32 {
	obs := make([]float32, w.Spec().Size())
	w.Observe(obs)
	return obs
}

func TestLimitCutsAndDoesNotEnd(t *testing.T) {
	e := begin(t, "cartpole:limit=5", "cartpole")
	for i := range 5 {
		out, want := e.world.Step(&e.a, i%2), e.bare.Step(&e.b, i%2)
		if i == 4 {
			want.End = envs.Truncated
		}
		if out != want || !slices.Equal(see(e.world), see(e.bare)) {
			t.Errorf("step %d: %v, want %v", i, out, want)
		}
	}
	if limit := e.world.Spec().Limit; limit != 5 {
		t.Errorf("the spec says %d", limit)
	}
	e = begin(t, "catch:limit=9", "catch") // Catch ends with its ninth step: an end is stronger than a cut
	for range 8 {
		e.world.Step(&e.a, 1)
	}
	if out := e.world.Step(&e.a, 1); out.End != envs.Terminated {
		t.Errorf("the last step gave %v, want an end", out)
	}
}

func TestRepeatAddsUpAndStopsAtAnEnd(t *testing.T) {
	e := begin(t, "catch:repeat=4", "catch") // nine steps: 4, 4, 1
	for round, steps := range []int{4, 4, 1} {
		var want envs.Outcome
		for range steps {
			out := e.bare.Step(&e.b, 0)
			want.Reward += out.Reward
			want.End = out.End
		}
		if out := e.world.Step(&e.a, 0); out != want || !slices.Equal(see(e.world), see(e.bare)) {
			t.Errorf("round %d: %v, want %v", round, out, want)
		}
	}
	e = begin(t, "cartpole:repeat=4", "cartpole") // a fallen pole pays no more
	sum, want := float32(0), float32(0)
	for end := envs.Running; end == envs.Running; {
		out := e.world.Step(&e.a, 1)
		sum += out.Reward
		end = out.End
	}
	for end := envs.Running; end == envs.Running; {
		out := e.bare.Step(&e.b, 1)
		want += out.Reward
		end = out.End
	}
	if sum != want || int(want)%4 == 0 {
		t.Errorf("in fours it returns %v, want %v, no multiple of 4", sum, want)
	}
	if limit := lookup(t, "cliff:repeat=3").Spec.Limit; limit != 34 {
		t.Errorf("a limit of 100 in threes is %d, want 34", limit)
	}
}

// Only statistics of observations outlive an episode.
func TestResetForgets(t *testing.T) {
	for _, name := range append(wrappedNames, "cartpole:sticky=0.5", "cartpole:stuck=0.3,stuck-steps=50",
		"cartpole:drop=0.3,drop-steps=50", "cartpole:reward-delay=9") {
		e := lookup(t, name)
		w, r := e.New(), envs.NewRand(1, 0)
		if l, ok := w.(interface{ Lasting() bool }); ok && l.Lasting() {
			continue
		}
		w.Reset(&r)
		for i := range 5 {
			w.Step(&r, i%2)
		}
		fresh, twin := e.New(), r
		w.Reset(&r)
		fresh.Reset(&twin)
		if string(w.State(nil)) != string(fresh.State(nil)) {
			t.Errorf("%s: a new episode remembers the last one", name)
		}
	}
}

// In CartPole the velocity shows the sign of the push.
func pushes(t *testing.T, name string, actions []int) []int {
	w, r := lookup(t, name).New(), envs.NewRand(1, 0)
	w.Reset(&r)
	var done []int
	before := see(w)[1]
	for _, a := range actions {
		w.Step(&r, a)
		now := see(w)[1]
		if now > before {
			done = append(done, 1)
		} else {
			done = append(done, 0)
		}
		before = now
	}
	return done
}

func TestHoldKeepsAnAction(t *testing.T) {
	if done := pushes(t, "cartpole:hold=3", []int{1, 0, 0, 0, 1, 1, 1, 0}); !slices.Equal(done,
		[]int{1, 1, 1, 0, 0, 0, 1, 1}) {
		t.Errorf("held in threes: %v", done)
	}
}

func TestDelayedActionsComeLater(t *testing.T) {
	if done := pushes(t, "cartpole:act-delay=2", []int{1, 0, 0, 1, 0, 1, 1}); !slices.Equal(done,
		[]int{1, 1, 1, 0, 0, 1, 0}) {
		t.Errorf("two steps late: %v", done)
	}
}

func TestStickyActionsStickSoOften(t *testing.T) {
	const steps, chance = 20_000, .3
	e := lookup(t, "cartpole:sticky=0.3")
	w, r := e.New(), envs.NewRand(1, 0)
	w.Reset(&r)
	other, last, n := 0, -1, 0
	for n < steps {
		action := n % 2
		before := see(w)[1]
		out := w.Step(&r, action)
		done := 0
		if see(w)[1] > before {
			done = 1
		}
		if last < 0 && done != action {
			t.Fatal("an episode's first action stuck")
		}
		if done != action {
			other++
		}
		last = done
		n++
		if out.End != envs.Running {
			w.Reset(&r)
			last = -1
		}
	}
	// Actions alternate, so the real action is the chosen one with probability p after another, and with 1 − p
	// otherwise: it differs in p/(1+p) of the steps, less the first of each episode.
	if share, want := float64(other)/steps, chance/(1+chance); math.Abs(share-want) > .02 {
		t.Errorf("%.3f of the steps did something else, want about %.3f", share, want)
	}
}

func TestDelayedObservationsComeLater(t *testing.T) {
	e := begin(t, "cartpole:obs-delay=3", "cartpole")
	past := [][]float32{see(e.bare)}
	for i := range 8 {
		e.world.Step(&e.a, i%2)
		e.bare.Step(&e.b, i%2)
		past = append(past, see(e.bare))
		if want := past[max(i+1-3, 0)]; !slices.Equal(see(e.world), want) {
			t.Errorf("step %d: %v, want %v", i, see(e.world), want)
		}
	}
}

func TestDelayedRewardsAddUpToTheSame(t *testing.T) {
	for _, name := range []string{"catch:reward-delay=4", "catch:reward-delay=20", "cartpole:reward-delay=7"} {
		bare := lookup(t, name).Bare.Name
		e := begin(t, name, bare)
		sum, want := float32(0), float32(0)
		for i := range 1000 {
			out, twin := e.world.Step(&e.a, i%2), e.bare.Step(&e.b, i%2)
			sum += out.Reward
			want += twin.Reward
			if out.End != twin.End {
				t.Fatalf("%s: %v, want %v", name, out, twin)
			}
			if bare == "cartpole" && out.End == envs.Running && i < 7 && out.Reward != 0 {
				t.Errorf("%s: step %d paid %v at once", name, i, out.Reward)
			}
			if out.End != envs.Running {
				break
			}
		}
		if sum != want {
			t.Errorf("%s returns %v, want %v", name, sum, want)
		}
	}
}

func TestStackShowsTheNewestLast(t *testing.T) {
	e := begin(t, "cartpole:stack=3", "cartpole")
	past := [][]float32{see(e.bare), see(e.bare), see(e.bare)}
	for i := range 5 {
		if got, want := see(e.world), slices.Concat(past[len(past)-3:]...); !slices.Equal(got, want) {
			t.Errorf("step %d: %v, want %v", i, got, want)
		}
		e.world.Step(&e.a, i%2)
		e.bare.Step(&e.b, i%2)
		past = append(past, see(e.bare))
	}

	picture := lookup(t, "catch:stack=2") // [10, 5] becomes [10, 5, 2]: frames are channels
	if !slices.Equal(picture.Spec.Obs, []int{10, 5, 2}) {
		t.Fatalf("a picture became %v", picture.Spec.Obs)
	}
	e = begin(t, "catch:stack=2", "catch")
	before := see(e.bare)
	e.world.Step(&e.a, 0)
	e.bare.Step(&e.b, 0)
	for i, x := range see(e.bare) {
		if got := see(e.world); got[2*i] != before[i] || got[2*i+1] != x {
			t.Errorf("cell %d shows %v %v, want %v %v", i, got[2*i], got[2*i+1], before[i], x)
		}
	}
}

// After n looks the shown value is (x − mean)/√(variance + ε) of those n.
func TestNormaliseIsTheRunningMeanAndVariance(t *testing.T) {
	e := begin(t, "cartpole:normalise=1", "cartpole")
	var past [][]float32
	for i := range 12 {
		past = append(past, see(e.bare))
		for k, got := range see(e.world) {
			mean, square := 0.0, 0.0
			for _, x := range past {
				mean += float64(x[k]) / float64(len(past))
			}
			for _, x := range past {
				square += (float64(x[k]) - mean) * (float64(x[k]) - mean) / float64(len(past))
			}
			want := (float64(past[i][k]) - mean) / math.Sqrt(square+1e-8)
			if math.Abs(float64(got)-want) > 1e-5 {
				t.Errorf("look %d, value %d: %v, want %v", i, k, got, want)
			}
		}
		e.world.Step(&e.a, i%2)
		e.bare.Step(&e.b, i%2)
	}
}

// Noise of every kind has the size its option says.
func TestNoiseIsAsLargeAsItSays(t *testing.T) {
	const n = 4000
	e := begin(t, "chain:length=99,obs-noise=0.5,limit=39999", "chain:length=99")
	size := e.bare.Spec().Size()
	sum, squares := 0.0, 0.0
	for i := range n {
		e.world.Step(&e.a, i%2)
		e.bare.Step(&e.b, i%2)
		noisy, true := see(e.world), see(e.bare)
		for k := range noisy {
			d := float64(noisy[k] - true[k])
			sum += d
			squares += d * d
		}
	}
	if mean, deviation := sum/float64(n*size), math.Sqrt(squares/float64(n*size)); math.Abs(mean) > .01 ||
		math.Abs(deviation-.5) > .01 {
		t.Errorf("noise has mean %v, deviation %v; want 0, .5", mean, deviation)
	}

	for name, want := range map[string]float64{ // share of values that are not as they are
		"chain:length=99,drop=0.1":              .1,
		"chain:length=99,drop=0.1,drop-steps=4": .4 / 1.3, // out for 4 steps, then working for 1/.1 − 1 on average
	} {
		w, r := lookup(t, name).New(), envs.NewRand(1, 0)
		w.Reset(&r)
		out := 0
		for i := range n {
			w.Step(&r, i%2)
			// the one value that is not 0 has dropped out
			if !slices.ContainsFunc(see(w), func(x float32) bool { return x != 0 }) {
				out++
			}
		}
		if share := float64(out) / n; math.Abs(share-want) > .05 {
			t.Errorf("%s: out for %.3f of the time, want about %.3f", name, share, want)
		}
	}
}

// A stuck sensor repeats its value for the given number of steps.
func TestStuckSensorsStick(t *testing.T) {
	w, r := lookup(t, "cartpole:stuck=1,stuck-steps=5").New(), envs.NewRand(1, 0)
	w.Reset(&r)
	first := see(w)
	for i := range 6 {
		w.Step(&r, i%2)
		if !slices.Equal(see(w), first) { // with chance 1 it sticks again as soon as it works
			t.Errorf("step %d: %v, want %v", i, see(w), first)
		}
	}
}

// An action has its effect a few steps late, another number of steps in each episode, and never before the first
// action; observations differ from the true ones by at most the level's noise, in the world's units.
func TestPerturbedBodiesAreLateAndBlurred(t *testing.T) {
	delays := map[int]bool{}
	w, r := lookup(t, "mountain-car-continuous:perturb=3").New(), envs.NewRand(1, 0)
	inside := w.(interface{ Within() envs.World }).Within()
	for range 40 {
		w.Reset(&r)
		late := 0
		for step := range 8 {
			v := see(inside)[1]
			throttle := float32(1)
			if step == 0 {
				throttle = -1
			}
			pull := float32(.0025 * math.Cos(3*float64(see(inside)[0])))
			w.(envs.Driven).Drive(&r, []float32{throttle})
			if see(inside)[1]-v+pull < 0 { // the engine still pulls back
				late = step
			}
			for i, unit := range []float32{.5, .02} {
				seen, is := see(w)[i], see(inside)[i]
				if d := seen - is; d == 0 || d > .1*unit+1e-6 || d < -.1*unit-1e-6 {
					t.Fatalf("value %d is %v and is seen as %v", i, is, seen)
				}
			}
		}
		delays[late] = true
	}
	if len(delays) != 4 || !delays[0] || !delays[3] {
		t.Errorf("the first throttle lasts so many steps more: %v; want 0 to 3", delays)
	}
}

func TestPerturbedPolesFallAtTheirOwnPace(t *testing.T) {
	w, r := lookup(t, "cartpole:perturb=1").New(), envs.NewRand(1, 0)
	paces := map[float32]bool{}
	for range 5 {
		w.Reset(&r)
		w.Step(&r, 1)
		paces[see(w)[3]] = true
	}
	if len(paces) != 5 {
		t.Errorf("%d paces in five episodes", len(paces))
	}
}

// A challenge is its parts: spelled out it is the same world, with all of them taken back it is the bare one.
func TestChallengeIsTheSumOfItsParts(t *testing.T) {
	for name, twin := range map[string]string{
		"catch:challenge=1": "catch:act-noise=.1,obs-noise=.1,drop=.01,stuck=.01,act-delay=3,obs-delay=3," +
			"reward-delay=10,extra=10",
		"pendulum:challenge=2": "pendulum:hold=2,act-noise=.3,obs-noise=.3,drop=.05,drop-steps=5,stuck=.05," +
			"stuck-steps=5,act-delay=6,obs-delay=6,reward-delay=20,extra=20",
		"cartpole:challenge=3": "cartpole:perturb=1,hold=3,act-noise=1,obs-noise=1,drop=.1,drop-steps=10,stuck=.1," +
			"stuck-steps=10,act-delay=9,obs-delay=9,reward-delay=40,extra=50",
		"walker:challenge=2": "walker:perturb=2,hold=2,act-noise=.3,obs-noise=.3,drop=.05,drop-steps=5,stuck=.05," +
			"stuck-steps=5,act-delay=6,obs-delay=6,reward-delay=20,extra=20",
		"cartpole:challenge=1,perturb=0,act-noise=0,obs-noise=0,drop=0,stuck=0,act-delay=0,obs-delay=0,reward-delay=0," +
			"extra=0": "cartpole",
	} {
		e := begin(t, name, twin)
		for i := range 300 {
			x, y := e.world.Step(&e.a, i%2), e.bare.Step(&e.b, i%2)
			if x != y || !slices.Equal(see(e.world), see(e.bare)) {
				t.Fatalf("%s: step %d gave %v and %v, %s %v and %v", name, i, x, see(e.world), twin, y, see(e.bare))
			}
			if x.End != envs.Running {
				e.world.Reset(&e.a)
				e.bare.Reset(&e.b)
			}
		}
	}
}

func TestDrivenWorldsStayDriven(t *testing.T) {
	for name, want := range map[string]bool{"pendulum:stack=2": true, "cartpole:stack=2": false} {
		if _, driven := lookup(t, name).New().(envs.Driven); driven != want {
			t.Errorf("%s: driven is %v", name, driven)
		}
	}
}

// The rules do not contain the cut: further steps show the states that would have followed without it.
func TestACutWorldContinuesByTheSameRules(t *testing.T) {
	for name, limited := range map[string]string{
		"cartpole": "cartpole:limit=7", "pendulum": "pendulum:limit=7", "four-rooms": "four-rooms:limit=7",
		"breakout":         "breakout:limit=7",
		"rooms-keys-doors": "rooms-keys-doors:limit=7", "cartpole:repeat=3": "cartpole:limit=6,repeat=3",
	} {
		e := begin(t, limited, name)
		for i := range 60 {
			out, want := e.world.Step(&e.a, i%2), e.bare.Step(&e.b, i%2)
			if out.End == envs.Truncated {
				out.End = envs.Running
			}
			if out != want || !slices.Equal(see(e.world), see(e.bare)) {
				t.Errorf("%s, step %d: %v, want %v", name, i, out, want)
				break
			}
			if out.End != envs.Running {
				e.world.Reset(&e.a)
				e.bare.Reset(&e.b)
			}
		}
	}
}

func TestAnEndlessVectorIsNeverCut(t *testing.T) {
	const n = 3
	free, err := envs.NewVector("pendulum:limit=9", n, 1)
	if err != nil {
		t.Fatal(err)
	}
	begun := free.State(nil)
	want, err := envs.NewVector("pendulum", n, 1)
	if err != nil {
		t.Fatal(err)
	}
	out, plain := make([]envs.Outcome, n), make([]envs.Outcome, n)
	free.Endless()
	for range 2 { // the second time from the state it began in
		want.Reset(1)
		for i := range 100 {
			free.Step([]int32{0, 1, 2}, out)
			want.Step([]int32{0, 1, 2}, plain)
			if !slices.Equal(out, plain) {
				t.Fatalf("step %d: %v, want %v", i, out, plain)
			}
		}
		if err := free.SetState(begun); err != nil {
			t.Fatal(err)
		}
	}
}
