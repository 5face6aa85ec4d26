package replay

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"impalab/envs"
	"impalab/learner/traj"
)

// copyOf plays numbered steps: observation n is the observation of the copy's n-th step.
type copyOf struct {
	lane   uint64
	ends   []uint8 // of its steps so far
	serial uint64
}

func seen(lane uint64, step int) float32 { return float32(100_000*int(lane) + step) }

// play makes the copy's next unroll of T steps, of which it repeats again ones.
func (c *copyOf) play(T, again int, end func() uint8) *traj.Unroll {
	u := traj.NewUnroll(T, traj.Shape{Size: 1, Actions: 2, States: 1})
	u.Begin(uint64(len(c.ends)))
	u.Lane, u.Serial = c.lane, c.serial
	if c.serial > 0 {
		u.Again = again
	}
	c.serial++
	for range T - u.Again {
		c.ends = append(c.ends, end())
	}
	first := len(c.ends) - T
	u.First = first == 0 || c.ends[first-1] != 0
	for t := range T {
		u.Obs[t], u.End[t], u.Reward[t] = seen(c.lane, first+t), c.ends[first+t], float32(first+t)
		if u.End[t] == uint8(envs.Truncated) {
			u.Cut(t)[0] = -seen(c.lane, first+t)
		}
	}
	u.Obs[T] = seen(c.lane, first+T)
	return u
}

// The index of whole episodes is checked against plain lists of all steps and of all held unrolls: through turns of the
// ring, overlapping unrolls and a restored snapshot.
func TestTheWholeEpisodesAreTheHeldOnesFromStartToEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const T = 4
		again := rapid.IntRange(0, 3).Draw(t, "overlap")
		s := New(T*rapid.IntRange(1, 9).Draw(t, "room"), T)
		s.ByEpisode(nil)
		var copies [3]copyOf
		var held []*traj.Unroll // oldest first
		type span struct{ lane, first, last int }
		var all []span // in the order in which they ended
		begun, lost := [3]int{}, map[[2]int]bool{}
		for range rapid.IntRange(1, 40).Draw(t, "unrolls") {
			lane := rapid.IntRange(0, 2).Draw(t, "lane")
			c := &copies[lane]
			c.lane = uint64(lane)
			had := len(c.ends)
			u := c.play(T, again, func() uint8 { return uint8(max(0, rapid.IntRange(-3, 2).Draw(t, "end"))) })
			for i, end := range c.ends[had:] {
				if end != 0 {
					all = append(all, span{lane, begun[lane], had + i})
					begun[lane] = had + i + 1
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "off") == 0 { // as when the mix is 0 for a while
				for step := had; step < len(c.ends); step++ {
					lost[[2]int{lane, step}] = true
				}
				continue
			}
			s.Add(u)
			if held = append(held, u); len(held) > s.limit {
				held = held[1:]
			}
			if rapid.IntRange(0, 5).Draw(t, "restore") == 0 {
				if err := s.Load(slices.Clone(s.All()), nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		var want []span
		for _, e := range all {
			complete := true
			for step := e.first; step <= e.last; step++ {
				complete = complete && !lost[[2]int{e.lane, step}]
			}
			for _, u := range held {
				new := int(u.Obs[0]) - 100_000*e.lane + u.Again // its first step that no earlier unroll has
				if complete && int(u.Lane) == e.lane && new <= e.first && e.first < new+T-u.Again {
					want = append(want, e)
				}
			}
		}
		if s.Episodes() != len(want) {
			t.Fatalf("%d whole episodes, want %v", s.Episodes(), want)
		}
		for i, e := range s.whole.list {
			r, at := Open(e), 0
			slice := traj.NewUnroll(T+1, held[0].Shape)
			slice.Begin(0)
			for step := want[i].first; step <= want[i].last; {
				if at == slice.T {
					slice.Begin(0)
					at = 0
				}
				n, over := s.Read(&r, slice, at)
				for k := range n {
					cut := slices.ContainsFunc(slice.Cuts, func(c traj.Cut) bool {
						return c.T == at+k && c.Obs[0] == -seen(e.lane, step)
					})
					end := copies[e.lane].ends[step]
					if slice.Obs[at+k] != seen(e.lane, step) || slice.Obs[at+k+1] != seen(e.lane, step+1) ||
						slice.End[at+k] != end || slice.Reward[at+k] != float32(step) || cut != (end == uint8(envs.Truncated)) {
						t.Fatalf("episode %v: step %d is %v", want[i], step, slice.Obs[at+k])
					}
					step++
				}
				if at += n; over != (step == want[i].last+1) || n == 0 {
					t.Fatalf("episode %v: over is %v after step %d", want[i], over, step-1)
				}
				lane, first, last := e.Span()
				if over {
					break
				}
				if again, err := s.Resume(lane, first, last, r.At); err != nil || again != r {
					t.Fatalf("episode %v: a reader at %v resumes as %v (%v)", want[i], r, again, err)
				}
			}
		}
	})
}

// surprisingEpisodes is a store of n episodes of one unroll each, which surprised by 0, 1, 2 and so on.
func surprisingEpisodes(n int, by *Priority) *Store {
	s, c := New(4*n, 4), copyOf{}
	s.ByEpisode(by)
	for i := range n {
		steps := 0
		s.Add(c.play(4, 0, func() uint8 {
			steps++
			return uint8(steps / 4)
		}))
		s.VisitEpisode(s.whole.list[i], float64(i))
	}
	return s
}

func TestEpisodesAreDrawnAsOftenAsTheirPrioritiesSay(t *testing.T) {
	for _, p := range []*Priority{nil, {Exponent: 1}, {Exponent: 0.5, Uniform: 0.2, Correction: 1},
		{Exponent: 2, Uniform: 0.1, Correction: 0.5}, {Exponent: 0}, {Exponent: 1, Uniform: 1}} {
		const n, draws = 6, 100_000
		s, r := surprisingEpisodes(n, p), envs.NewRand(1, 0)
		drawn, weight := map[*Episode]int{}, map[*Episode]float32{}
		for range draws {
			e, w := s.DrawEpisode(&r)
			drawn[e]++
			weight[e] = w
		}
		of := Priority{Exponent: 0}
		if p != nil {
			of = *p
		}
		// P(i) = (1−ε)·i^α/Σ j^α + ε/n and w = (n·P)^−β, from their definitions
		sum := 0.0
		for i := range n {
			sum += math.Pow(float64(i), of.Exponent)
		}
		for i, e := range s.whole.list {
			want := (1-of.Uniform)*math.Pow(float64(i), of.Exponent)/sum + of.Uniform/n
			// five standard deviations of a share
			if got := float64(drawn[e]) / draws; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/draws) {
				t.Errorf("%+v: episode %d is drawn with share %.4f, want %.4f", of, i, got, want)
			}
			if counts := math.Pow(n*want, -of.Correction); drawn[e] > 0 && math.Abs(float64(weight[e])-counts) > 1e-6*counts {
				t.Errorf("%+v: episode %d has weight %v, want %v", of, i, weight[e], counts)
			}
		}
	}
}

// A new episode is drawn as if it had surprised most, and a lost one says nothing.
func TestANewEpisodeHasTheLargestPriority(t *testing.T) {
	s := surprisingEpisodes(3, &Priority{Exponent: 1})
	lost, c := s.whole.list[0], copyOf{serial: 3, ends: []uint8{11: 1}}
	s.Add(c.play(4, 0, func() uint8 { return 1 })) // four episodes of one step, in the place of the first
	s.VisitEpisode(lost, 100)
	var weights []float64
	for _, e := range s.whole.list {
		weights = append(weights, e.weight)
	}
	if want := []float64{1, 2, 2, 2, 2, 2}; !slices.Equal(weights, want) || s.whole.top != 2 {
		t.Errorf("priorities %v, the largest %v; want %v", weights, s.whole.top, want)
	}
	r := envs.NewRand(1, 0)
	empty := New(8, 4)
	empty.ByEpisode(nil)
	if e, _ := empty.DrawEpisode(&r); e != nil {
		t.Error("an empty store has an episode")
	}
}

// The age of a trajectory of several episodes is the oldest one's, in whichever order they come.
func TestATrajectoryIsAsOldAsItsOldestSteps(t *testing.T) {
	s := surprisingEpisodes(3, nil)
	for _, order := range [][]int{{0, 2}, {2, 0}, {1, 2}} {
		slice := traj.NewUnroll(8, s.At(0).Shape)
		slice.Begin(0)
		for i, which := range order {
			r := Open(s.whole.list[which])
			if n, over := s.Read(&r, slice, 4*i); n != 4 || !over {
				t.Fatalf("%d steps of 4, over %v", n, over)
			}
		}
		if want := s.At(min(order[0], order[1])).Version; slice.Version != want {
			t.Errorf("episodes %v: version %d, want %d", order, slice.Version, want)
		}
	}
}

func TestASnapshotOfEpisodesIsTakenOverOnlyWhole(t *testing.T) {
	by := &Priority{Exponent: 1}
	s := surprisingEpisodes(3, by)
	again := New(12, 4)
	again.ByEpisode(by)
	if err := again.Load(s.All(), nil); err != nil {
		t.Fatal(err)
	}
	if err := again.LoadEpisodes(s.SaveEpisodes()); err != nil {
		t.Fatal(err)
	}
	a, b := envs.NewRand(3, 0), envs.NewRand(3, 0)
	for range 100 {
		x, wx := s.DrawEpisode(&a)
		y, wy := again.DrawEpisode(&b)
		if x.first != y.first || wx != wy {
			t.Fatalf("the old store draws %v, the restored one %v", x, y)
		}
	}
	for what, saved := range map[string]*Saved{
		"no priorities":            nil,
		"too few":                  {Weights: []float64{1, 1}, Top: 1},
		"one above the largest":    {Weights: []float64{1, 3, 1}, Top: 2},
		"a negative one":           {Weights: []float64{1, -1, 1}, Top: 2},
		"one that is not a number": {Weights: []float64{1, math.NaN(), 1}, Top: 2},
		"a largest below 1":        {Weights: []float64{0, 0, 0}, Top: 0.5},
	} {
		if err := again.LoadEpisodes(saved); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
	if err := New(12, 4).LoadEpisodes(s.SaveEpisodes()); err == nil {
		t.Error("a store of unrolls took priorities of episodes")
	}
	first, last := Point{0, 0}, Point{0, 3}
	for _, at := range []Point{{0, 4}, {0, -1}, {1, 0}} {
		if r, err := s.Resume(0, first, last, at); err == nil && s.Holds(&r) {
			t.Errorf("a reader at %v of an episode from %v to %v was taken", at, first, last)
		}
	}
	if r, err := s.Resume(0, first, Point{9, 0}, first); err == nil {
		t.Errorf("a reader of an episode that is not held was taken: %s", fmt.Sprint(r))
	}
}
