package actor

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/net"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
)

// recurrent is a softmax actor with feedback and memory.
func recurrent(t *testing.T, world string, n int, stream uint64) (*Actor, net.Spec, []float32) {
	t.Helper()
	entry, err := envs.Lookup(world)
	if err != nil {
		t.Fatal(err)
	}
	actions := len(entry.Spec.Actions)
	spec := net.Spec{Obs: entry.Spec.Size(), Actions: actions, Feedback: actions + 1, LSTM: 4, HeadScale: 1}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	a, err := New(world, spec, n, 1, stream)
	if err != nil {
		t.Fatal(err)
	}
	return a, spec, theta
}

// Whatever the other has done before: from a saved state it plays the same unrolls to the last field and reports the
// same episodes, one of which had begun before the state was saved.
func TestALoadedActorRemembersEverything(t *testing.T) {
	a, spec, theta := recurrent(t, "cliff:limit=8", 3, 2)
	b, _, _ := recurrent(t, "cliff:limit=8", 3, 2)
	play := func(a *Actor) (out []any) {
		round := unrolls(3, 13, spec)
		a.Play(theta, 0, round, func(e telemetry.Episode) { out = append(out, e) })
		return append(out, round)
	}
	for range 2 {
		play(a)
	}
	state := a.Save()
	want := [][]any{play(a), play(a)}
	for range 5 {
		play(b)
	}
	if err := b.Load(state); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got := play(b); !reflect.DeepEqual(got, want[i]) {
			t.Fatalf("round %d: the loaded actor plays something else", i)
		}
	}
}

// An actor that forgets plays each stretch of so many steps from an empty memory, whether its unrolls are that long or
// longer: its μ is the network's, run by hand.
func TestAnActorThatForgetsBeginsEachStretchWithAnEmptyMemory(t *testing.T) {
	const stretch, rounds = 5, 4
	long, spec, theta := recurrent(t, "cliff:limit=8", 3, 2)
	short, _, _ := recurrent(t, "cliff:limit=8", 3, 2)
	long.Forget, short.Forget = stretch, stretch
	pool := schedule.NewPool()
	defer pool.Close()
	long.Split(2, pool)
	none := func(telemetry.Episode) {}
	whole := unrolls(3, stretch*rounds, spec)
	if err := long.Play(theta, 0, whole, none); err != nil {
		t.Fatal(err)
	}
	forward, logMu := net.NewForward(spec, 1), make([]float32, spec.Actions)
	for round := range rounds {
		parts := unrolls(3, stretch, spec)
		if round == 2 { // a snapshot forgets too
			if err := short.Load(short.Save()); err != nil {
				t.Fatal(err)
			}
		}
		if err := short.Play(theta, 0, parts, none); err != nil {
			t.Fatal(err)
		}
		for i, u := range parts {
			memory := make([]float32, spec.States())
			if !slices.Equal(u.State, memory) {
				t.Fatalf("round %d, copy %d: an unroll begins with memory %v", round, i, u.State)
			}
			for step := range stretch {
				raw, _ := forward.Run(theta, u.Obs[step*u.Size:(step+1)*u.Size], memory, 1)
				correct.LogSoftmax(logMu, raw, spec.Actions)
				mu, at := u.Mu[step*u.Actions:(step+1)*u.Actions], (round*stretch+step)*u.Actions
				for a := range mu {
					if math.Abs(float64(mu[a]-logMu[a])) > 1e-5 || mu[a] != whole[i].Mu[at+a] {
						t.Fatalf("round %d, copy %d, step %d: log μ %v, by hand %v, in a long unroll %v", round, i, step, mu, logMu,
							whole[i].Mu[at:at+u.Actions])
					}
				}
				if u.End[step] != 0 {
					clear(memory)
				}
			}
		}
	}
}

func TestAStateOfAnotherActorIsRefused(t *testing.T) {
	a, _, _ := recurrent(t, "cliff:limit=8", 3, 2)
	for what, spoil := range map[string]func(*State){
		"a return too few":           func(s *State) { s.Returns = s.Returns[1:] },
		"a length too few":           func(s *State) { s.Lengths = s.Lengths[1:] },
		"too little memory":          func(s *State) { s.Core = s.Core[1:] },
		"an input too few":           func(s *State) { s.Last = s.Last[1:] },
		"a world cut short":          func(s *State) { s.Worlds = s.Worlds[1:] },
		"chance that does not move":  func(s *State) { s.Chance = [2]uint64{} },
		"too much of everything":     func(s *State) { s.Returns, s.Lengths = append(s.Returns, 0), append(s.Lengths, 0) },
		"more memory than there was": func(s *State) { s.Core = append(s.Core, 0) },
	} {
		s := a.Save()
		if spoil(&s); a.Load(s) == nil {
			t.Errorf("%s: taken", what)
		}
	}
}

// Uniform actors still run the network: its memory goes into their unrolls.
func TestAUniformActorRemembersAndTakesEveryActionEquallyOften(t *testing.T) {
	a, spec, theta := recurrent(t, "cliff", 8, 0)
	a.Uniform = true
	first, second := unrolls(8, 40, spec), unrolls(8, 40, spec)
	a.Play(theta, 0, first, ignore)
	a.Play(theta, 0, second, ignore)
	forward, taken := net.NewForward(spec, 1), make([]float64, spec.Actions)
	for i, u := range first {
		state := slices.Clone(u.State)
		for step := range u.T {
			forward.Run(theta, u.Obs[step*u.Size:(step+1)*u.Size], state, 1)
			if u.End[step] != 0 {
				clear(state)
			}
			taken[u.Action[step]]++
		}
		if !slices.Equal(second[i].State, state) {
			t.Errorf("copy %d remembers %v, want %v", i, second[i].State, state)
		}
	}
	for j, n := range taken { // five standard deviations
		if p := 1 / float64(spec.Actions); math.Abs(n-320*p) > 5*math.Sqrt(320*p*(1-p)) {
			t.Errorf("action %d was taken %v times of 320", j, n)
		}
	}
}

// Logits of any size are a policy as long as they are finite: the largest is taken off before any exponential.
func TestFarLogitsAreAPolicy(t *testing.T) {
	entry, err := envs.Lookup("garnet")
	if err != nil {
		t.Fatal(err)
	}
	actions := len(entry.Spec.Actions)
	spec := net.Spec{Obs: entry.Spec.Size(), Actions: actions, HeadScale: 1} // a table
	for _, logits := range [][]float32{{0, 500}, {500, 0}, {-500, -501}, {1e4, 1e4}, {-300, 300}} {
		theta := make([]float32, spec.Params())
		table := spec.Layers()[0]
		for s := range spec.Obs {
			for j := range actions {
				table.Weights(theta)[s*table.Out+j] = logits[min(j, 1)]
			}
		}
		a, err := New("garnet", spec, 1, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float32, actions)
		for j := range row {
			row[j] = logits[min(j, 1)]
		}
		want := make([]float32, actions)
		correct.LogSoftmax(want, row, actions)
		u := unrolls(1, 5, spec)
		if err := a.Play(theta, 0, u, ignore); err != nil {
			t.Fatalf("logits %v: %v", row, err)
		}
		for j, got := range u[0].Mu[:actions] {
			if math.Abs(float64(got-want[j])) > 1e-4*(1+math.Abs(float64(want[j]))) {
				t.Errorf("logits %v: log μ %v, want %v", row, u[0].Mu[:actions], want)
			}
		}
	}
}

// The draw is a point of [0, Σp): a share's lower end is its own, so that a share of nothing is never met, and what
// rounding leaves over is the last action's.
func TestWhereADrawFalls(t *testing.T) {
	for _, c := range []struct {
		prob []float32
		at   float64
		want int
	}{
		{[]float32{0, 1}, 0, 1}, {[]float32{0.5, 0.25, 0.25}, 0.5, 1}, {[]float32{0.5, 0.25, 0.25}, 0.49, 0},
		{[]float32{0.5, 0.25, 0.25}, 0.75, 2}, {[]float32{0.5, 0.25, 0.25}, 0.999, 2}, {[]float32{1}, 0.3, 0},
	} {
		chance := envs.Rand{Recorded: &envs.Recorded{Draws: []envs.Draw{{Kind: 'u', Value: c.at}}}}
		if got := new(Policy).pick(c.prob, 1, &chance); got != c.want {
			t.Errorf("%v falls on action %d of %v, want %d", c.at, got, c.prob, c.want)
		}
	}
	greedy := &Policy{Greedy: true}
	for want, prob := range [][]float32{{0.4, 0.4, 0.2}, {0.2, 0.4, 0.4}, {0.3, 0.3, 0.4}} {
		if got := greedy.pick(prob, 1, nil); got != want {
			t.Errorf("the likeliest of %v is %d, want the first such, %d", prob, got, want)
		}
	}
}

func TestASuitesCopiesSayWhichTaskTheyPlay(t *testing.T) {
	suite, err := envs.LookupSuite("tiny")
	if err != nil {
		t.Fatal(err)
	}
	world, _, err := envs.Describe("tiny")
	if err != nil {
		t.Fatal(err)
	}
	tasks := len(suite.Tasks)
	spec := net.Spec{Obs: world.Size(), Actions: len(world.Actions), Values: tasks, HeadScale: 1}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	a, err := New("tiny", spec, 2*tasks, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	us, heard, ended := unrolls(2*tasks, 120, spec), make([]int, tasks), make([]int, tasks)
	a.Play(theta, 0, us, func(e telemetry.Episode) { heard[e.Task]++ })
	for i, u := range us {
		if int(u.Task) != i%tasks {
			t.Errorf("copy %d says task %d", i, u.Task)
		}
		for _, end := range u.End {
			ended[i%tasks] += int(min(end, 1))
		}
	}
	if !slices.Equal(heard, ended) || slices.Min(ended[:3]) == 0 {
		t.Errorf("episodes heard by task %v, ended %v", heard, ended)
	}
}

func TestAnActorThatCannotPlaySaysSo(t *testing.T) {
	if _, err := New("no such world", net.Spec{Obs: 1, Actions: 2}, 1, 1, 0); err == nil {
		t.Error("an unknown world was played")
	}
	defer func() {
		if s, _ := recover().(string); !strings.HasPrefix(s, "actor:") {
			t.Error("two unrolls were filled by three copies")
		}
	}()
	a, spec, theta := newActor(t, "catch", 3, 4)
	a.Play(theta, 0, unrolls(2, 5, spec), ignore)
}

// With several controls each has its own mean, spread, draw and range, in every row.
func TestEveryControlIsDrawnByItself(t *testing.T) {
	controls := []envs.Control{{Low: -1, High: 1}, {Low: 0, High: 10}, {Low: -5, High: -3}}
	raw := []float32{0.1, -0.2, 0.3, -1, 0, 1, -0.4, 0.5, 0.6, 2, -2, 0.5}
	normals := []float64{0.5, -1, 2, 0, 1.5, -0.25}
	for _, policy := range []net.Policy{net.Gaussian, net.Tanh} {
		all := NewDraw(2, 3)
		if len(all.Mu) != 12 || len(all.Real) != 6 || len(all.Scaled) != 6 || len(all.Control) != 6 {
			t.Fatalf("room for %d numbers of the policy, %d draws", len(all.Mu), len(all.Real))
		}
		want := make([]float32, 12)
		correct.Gaussian(want, nil, raw, 3, policy.Spread())
		chance := &envs.Rand{Recorded: &envs.Recorded{}}
		for _, z := range normals {
			chance.Recorded.Draws = append(chance.Recorded.Draws, envs.Draw{Kind: 'n', Value: z})
		}
		for i := range 2 {
			one := all.row(i, 3)
			if !one.Draw(policy, raw[6*i:][:6], controls, chance) {
				t.Fatal("finite numbers are refused")
			}
			for k, c := range controls {
				u := want[6*i+k] + want[6*i+3+k]*float32(normals[3*i+k])
				scaled := u
				if policy == net.Tanh {
					scaled = float32(math.Tanh(float64(u)))
				}
				at := 3*i + k
				if all.Real[at] != u || all.Scaled[at] != scaled ||
					math.Abs(float64(all.Control[at]-(c.Low+c.High)/2-scaled*(c.High-c.Low)/2)) > 1e-5 {
					t.Errorf("%s, row %d, control %d: drew %v, told the world %v", policy, i, k, all.Real[at], all.Control[at])
				}
			}
		}
		if !slices.Equal(all.Mu, want) {
			t.Errorf("%s: policy %v, want %v", policy, all.Mu, want)
		}
		for at := range 6 { // means and spreads
			spoiled := slices.Clone(raw[:6])
			spoiled[at] = float32(math.NaN())
			one := all.row(0, 3)
			if one.Draw(policy, spoiled, controls, nil) {
				t.Errorf("%s: number %d is not finite and was drawn from", policy, at)
			}
		}
	}
}

// Close returns when the goroutine has ended, and a question that was waiting at the call is answered.
func TestABatchingThatIsClosedHasStopped(t *testing.T) {
	a, spec, theta := newActor(t, "cartpole", 1, 8)
	latest := func(to []float32) uint64 { return uint64(copy(to, theta)) }
	for range 20 {
		b := NewBatching(spec, 1, 1, nil, nil, latest)
		b.Close()
		select {
		case <-b.gone:
		default:
			t.Fatal("closed, and still there")
		}
	}
	b := newBatching(spec, 2, 1, net.NewForward(spec, 2), latest)
	b.Join(a)
	answer := make(chan []float32, 1)
	go func() { raw, _ := a.ask(); answer <- raw }() // ends when it is answered, below
	first := <-b.asked
	close(b.asked)
	b.answer(first)
	if want, _ := a.forward.Run(theta, a.obs, nil, 1); !slices.Equal(<-answer, want) {
		t.Error("the last question had another answer")
	}
}
