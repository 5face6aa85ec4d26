package traj

import "testing"

// filled is an unroll whose every value says where it stands: 100·n + 10·t + column.
func filled(n float32, t, size, actions int) *Unroll {
	u := NewUnroll(t, Shape{Size: size, Actions: actions, Reals: 1})
	u.Begin(uint64(n))
	for i := range u.Obs {
		u.Obs[i] = 100*n + 10*float32(i/size) + float32(i%size)
	}
	for i := range u.Mu {
		u.Mu[i] = -(100*n + 10*float32(i/actions) + float32(i%actions))
	}
	for i := range u.Action {
		u.Action[i], u.Reward[i] = int32(i%actions), 100*n+float32(i)
		u.Real[i] = 100*n + float32(i) + 0.5
	}
	return u
}

func TestABatchIsTimeMajor(t *testing.T) {
	b := NewBatch(3, 2, Shape{Size: 2, Actions: 2, Reals: 1})
	b.Begin()
	for i := range 2 {
		b.SetColumn(i, filled(float32(i+1), 3, 2, 2), i == 0)
	}
	for step := range 3 {
		for i := range 2 {
			row := step*2 + i
			want := 100*float32(i+1) + 10*float32(step)
			if b.Obs[row*2] != want || b.Obs[row*2+1] != want+1 || b.Mu[row*2] != -want ||
				b.Reward[row] != 100*float32(i+1)+float32(step) || b.Real[row] != b.Reward[row]+0.5 {
				t.Errorf("step %d of unroll %d is misplaced", step, i)
			}
		}
	}
	if b.Tail[0] != 130 || b.Tail[2] != 230 {
		t.Errorf("the last observations are %v", b.Tail[:4])
	}
	if !b.Online[0] || b.Online[1] || b.Version[1] != 2 {
		t.Errorf("online %v, versions %v", b.Online, b.Version)
	}
}

func TestCutsKeepTheObservationTheNextEpisodeHides(t *testing.T) {
	b := NewBatch(6, 2, Shape{Size: 2, Actions: 2, Reals: 1})
	for round := range 6 { // more cuts than a new batch has room for
		b.Begin()
		for i := range 2 {
			u := filled(float32(i+1), 6, 2, 2)
			for k := range round + 1 {
				if n := copy(u.Cut(k), []float32{float32(7*i + k), -1}); n != 2 {
					t.Fatalf("cut %d has room for %d numbers", k, n)
				}
			}
			b.SetColumn(i, u, true)
		}
		if len(b.Cuts) != 2*(round+1) {
			t.Fatalf("%d cuts", len(b.Cuts))
		}
		for n, at := range b.Cuts {
			i, k := at%2, at/2
			if got := b.Tail[(2+n)*2]; got != float32(7*i+k) {
				t.Errorf("cut %d of unroll %d ends in %v", k, i, got)
			}
		}
	}
}

func TestACopyIsDeep(t *testing.T) {
	from := filled(1, 3, 2, 2)
	copy(from.Cut(1), []float32{5, 6})
	to := NewUnroll(3, Shape{Size: 2, Actions: 2, Reals: 1})
	to.CopyFrom(from)
	from.Obs[0], from.Cuts[0].Obs[0] = -1, -1
	if to.Obs[0] != 100 || to.Cuts[0].Obs[0] != 5 || to.Cuts[0].T != 1 || to.Version != 1 {
		t.Errorf("the copy changed with the original: %+v", to)
	}
}

func TestAnUnrollFromOutsideMustBeWhole(t *testing.T) {
	whole := func() *Unroll {
		u := filled(1, 3, 2, 2)
		copy(u.Cut(1), []float32{5, 6})
		return u
	}
	if !whole().Fits(3, Shape{Size: 2, Actions: 2, Reals: 1}) {
		t.Fatal("a whole unroll was refused")
	}
	for what, breakIt := range map[string]func(*Unroll){
		"short observations": func(u *Unroll) { u.Obs = u.Obs[:7] },
		"an action too far":  func(u *Unroll) { u.Action[2] = 2 },
		"a negative action":  func(u *Unroll) { u.Action[0] = -1 },
		"a cut too late":     func(u *Unroll) { u.Cuts[0].T = 3 },
		"a short cut":        func(u *Unroll) { u.Cuts[0].Obs = nil },
		"another length":     func(u *Unroll) { u.T = 2 },
	} {
		u := whole()
		breakIt(u)
		if u.Fits(3, Shape{Size: 2, Actions: 2, Reals: 1}) {
			t.Errorf("%s: taken", what)
		}
	}
	if (*Unroll)(nil).Fits(3, Shape{Size: 2, Actions: 2, Reals: 1}) {
		t.Error("nothing at all was taken")
	}
}
