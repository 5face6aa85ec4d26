package traj

import (
	"math"
	"reflect"
	"testing"
)

// counted is an unroll of the shape in which no two numbers are equal: n starts the count.
func counted(n, t int, s Shape) *Unroll {
	next := float32(1000 * n)
	count := func() float32 { next++; return next }
	u := NewUnroll(t, s)
	u.Begin(uint64(count()))
	for _, x := range [][]float32{u.Obs, u.Real, u.Reward, u.Mu, u.State} {
		for i := range x {
			x[i] = count()
		}
	}
	for i := range u.Action {
		u.Action[i] = int32(count())
	}
	u.Lane, u.Serial, u.First, u.Task = uint64(count()), uint64(count()), n%2 == 0, int32(count())
	return u
}

var wide = Shape{Size: 3, Actions: 4, States: 2, Reals: 2}

// ended is counted with episodes that end and that are cut, other ones for every n.
func ended(n, t int, s Shape) *Unroll {
	u := counted(n, t, s)
	for step := range t {
		if (step+n)%3 == 0 {
			u.End[step] = 1
		}
		if (step+n)%4 == 0 {
			u.End[step] = 2
			cut := u.Cut(step)
			for i := range cut {
				cut[i] = float32(10000*n + 10*step + i)
			}
		}
	}
	return u
}

func TestACopyIsTheSameInEverything(t *testing.T) {
	from, to := ended(1, 9, wide), ended(2, 9, wide) // copying drops the earlier contents, cuts included
	to.CopyFrom(from)
	if !reflect.DeepEqual(to, from) {
		t.Errorf("copied %+v to %+v", from, to)
	}
}

// TestAnUnrollIsTheSamePlayToTheLastBit changes one thing at a time: each is noticed from either side, except whose the
// unroll is.
func TestAnUnrollIsTheSamePlayToTheLastBit(t *testing.T) {
	flip := func(x []float32) { x[len(x)-1] = math.Float32frombits(math.Float32bits(x[len(x)-1]) ^ 1) }
	for _, c := range []struct {
		what   string
		same   bool
		change func(u *Unroll)
	}{
		{"nothing", true, func(*Unroll) {}},
		{"whose it is", true, func(u *Unroll) { u.Lane, u.Serial, u.First, u.Task = 91, 92, !u.First, 93 }},
		{"its length", false, func(u *Unroll) { u.T++ }},
		{"its shape", false, func(u *Unroll) { u.Size++ }},
		{"an observation", false, func(u *Unroll) { flip(u.Obs) }},
		{"an action", false, func(u *Unroll) { u.Action[0]++ }},
		{"a control", false, func(u *Unroll) { flip(u.Real) }},
		{"a reward", false, func(u *Unroll) { flip(u.Reward) }},
		{"the sign of 0", false, func(u *Unroll) { u.Reward[1] = float32(math.Copysign(0, -1)) }},
		{"an end", false, func(u *Unroll) { u.End[0] ^= 1 }},
		{"the policy", false, func(u *Unroll) { flip(u.Mu) }},
		{"what was remembered before", true, func(u *Unroll) { flip(u.State) }},
		{"when an episode was cut", false, func(u *Unroll) { u.Cuts[0].T++ }},
		{"what was seen there", false, func(u *Unroll) { flip(u.Cuts[0].Obs) }},
		{"one cut less", false, func(u *Unroll) { u.Cuts = u.Cuts[1:] }},
	} {
		one, other := ended(1, 9, wide), ended(1, 9, wide)
		for _, u := range []*Unroll{one, other} {
			u.Reward[1], u.Obs[0] = 0, float32(math.NaN()) // which is itself here
		}
		c.change(other)
		if one.SamePlay(other) != c.same || other.SamePlay(one) != c.same {
			t.Errorf("%s changed: the same play is %v", c.what, !c.same)
		}
	}
}

func TestAnUnrollFilledAgainKeepsNoCutAndNoOldRoom(t *testing.T) {
	u := ended(1, 9, wide)
	held := &u.Cuts[0].Obs[0]
	u.Begin(7)
	if len(u.Cuts) != 0 || u.Version != 7 {
		t.Errorf("begun again with %d cuts and version %d", len(u.Cuts), u.Version)
	}
	if again := u.Cut(3); &again[0] != held {
		t.Error("a cut's room was not used again")
	}
}

// where checks column i of a batch against the unroll it was made from, field by field, from the definition of
// time-major: step t of column i is row t·B + i.
func where(t *testing.T, b *Batch, i int, u *Unroll, online bool, weight func(step int) float32) {
	t.Helper()
	equal := func(what string, got, want []float32) {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("column %d: %s is %v, want %v", i, what, got, want)
		}
	}
	keep := float32(1)
	for step := range u.T {
		row := step*b.B + i
		equal("Obs", b.Obs[row*b.Size:][:b.Size], u.Obs[step*b.Size:][:b.Size])
		equal("Mu", b.Mu[row*b.Actions:][:b.Actions], u.Mu[step*b.Actions:][:b.Actions])
		equal("Real", b.Real[row*b.Reals:][:b.Reals], u.Real[step*b.Reals:][:b.Reals])
		equal("Keep", b.Keep[row:][:1], []float32{keep})
		keep = 1
		if u.End[step] != 0 {
			keep = 0 // the next step belongs to another episode
		}
		if b.Action[row] != u.Action[step] || b.Reward[row] != u.Reward[step] || b.End[row] != u.End[step] {
			t.Errorf("column %d, step %d: action %d, reward %v, end %d", i, step, b.Action[row], b.Reward[row], b.End[row])
		}
		equal("Weight", b.Weight[row:][:1], []float32{weight(step)})
	}
	equal("State", b.State[i*b.States:][:b.States], u.State)
	equal("Tail", b.Tail[i*b.Size:][:b.Size], u.Obs[u.T*b.Size:])
	if b.Version[i] != u.Version || b.Task[i] != u.Task || b.Online[i] != online {
		t.Errorf("column %d: version %d, task %d, online %v", i, b.Version[i], b.Task[i], b.Online[i])
	}
	seen := 0
	for c, at := range b.Cuts {
		if at%b.B != i {
			continue
		}
		if at/b.B != u.Cuts[seen].T {
			t.Errorf("column %d: cut %d is of step %d, want %d", i, seen, at/b.B, u.Cuts[seen].T)
		}
		equal("a cut's observation", b.Tail[(b.B+c)*b.Size:][:b.Size], u.Cuts[seen].Obs)
		seen++
	}
	if seen != len(u.Cuts) {
		t.Errorf("column %d has %d cuts, want %d", i, seen, len(u.Cuts))
	}
}

func TestABatchAndItsSharesHoldEveryUnrollWhole(t *testing.T) {
	const T, B = 9, 6
	whole := NewBatch(T, B, wide)
	for round := range 2 { // the second finds the first's in every place
		whole.Begin()
		var us []*Unroll
		for i := range B {
			us = append(us, ended(1+i+B*round, T, wide))
			whole.SetColumn(i, us[i], i%2 == round)
		}
		for i, u := range us {
			where(t, whole, i, u, i%2 == round, func(int) float32 { return 1 })
		}
		for i := range whole.Weight {
			whole.Weight[i] = 0.25 * float32(i) // as a prioritised replay leaves them
		}
		for _, n := range []int{1, 2, 3} {
			share := NewBatch(T, B/n, wide)
			for k := range n { // the same memory for every share: nothing of the one before may stay
				share.Share(whole, k, n)
				for i := range share.B {
					from := k + i*n
					where(t, share, i, us[from], from%2 == round, func(step int) float32 { return whole.Weight[step*B+from] })
				}
			}
		}
	}
}

func TestWhatDoesNotFitABatchIsRefused(t *testing.T) {
	refused := func(what string, put func()) {
		defer func() {
			if s, ok := recover().(string); !ok || len(s) < 5 || s[:5] != "traj:" {
				t.Errorf("%s was taken", what)
			}
		}()
		put()
	}
	b, other := NewBatch(4, 2, wide), wide
	other.States++
	refused("a longer unroll", func() { b.SetColumn(0, NewUnroll(5, wide), true) })
	refused("an unroll of another shape", func() { b.SetColumn(0, NewUnroll(4, other), true) })
	refused("a share of too many", func() { b.Share(NewBatch(4, 6, wide), 0, 2) })
	refused("a share of too few", func() { b.Share(NewBatch(4, 2, wide), 0, 2) })
	refused("a share of longer unrolls", func() { b.Share(NewBatch(5, 4, wide), 0, 2) })
	refused("a share of another shape", func() { b.Share(NewBatch(4, 4, other), 0, 2) })
}

func TestEveryPartOfAnUnrollFromOutsideIsChecked(t *testing.T) {
	whole := func() *Unroll {
		u := ended(3, 4, wide)
		for i := range u.Action {
			u.Action[i] = int32(i)
		}
		return u
	}
	inf := float32(math.Inf(1))
	for what, change := range map[string]func(*Unroll){
		"fewer observations":  func(u *Unroll) { u.Obs = u.Obs[1:] },
		"fewer actions":       func(u *Unroll) { u.Action = u.Action[1:] },
		"fewer real numbers":  func(u *Unroll) { u.Real = u.Real[1:] },
		"fewer states":        func(u *Unroll) { u.State = u.State[1:] },
		"fewer rewards":       func(u *Unroll) { u.Reward = u.Reward[1:] },
		"fewer ends":          func(u *Unroll) { u.End = u.End[1:] },
		"a shorter policy":    func(u *Unroll) { u.Mu = u.Mu[1:] },
		"another shape":       func(u *Unroll) { u.Size++ },
		"an endless number":   func(u *Unroll) { u.Real[2] = inf },
		"minus that":          func(u *Unroll) { u.Real[2] = -inf },
		"no number":           func(u *Unroll) { u.Real[2] = inf - inf },
		"a cut before step 0": func(u *Unroll) { u.Cuts[0].T = -1 },
		"a cut after the end": func(u *Unroll) { u.Cuts[0].T = 4 },
		"a cut of nothing":    func(u *Unroll) { u.Cuts[0].Obs = u.Cuts[0].Obs[1:] },
	} {
		u := whole()
		if change(u); u.Fits(4, wide) {
			t.Errorf("%s: taken", what)
		}
	}
	for what, change := range map[string]func(*Unroll){
		"nothing changed":         func(*Unroll) {},
		"the largest number":      func(u *Unroll) { u.Real[2] = -math.MaxFloat32 },
		"a cut at the first step": func(u *Unroll) { u.Cuts[0].T = 0 },
		"a cut at the last step":  func(u *Unroll) { u.Cuts[0].T = 3 },
		"the last action":         func(u *Unroll) { u.Action[0] = 3 },
	} {
		u := whole()
		if change(u); !u.Fits(4, wide) {
			t.Errorf("%s: refused", what)
		}
	}
}
