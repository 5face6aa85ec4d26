package exercise

import (
	"math"
	"strings"
	"testing"
)

func vtrace(t *testing.T) *Exercise {
	t.Helper()
	e, err := Named("write-vtrace")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// sends returns the answer of a program to the unrolls of a seed.
func sends(e *Exercise, seed [32]byte, program func(*Trajectory) Targets) *Answer {
	a := &Answer{Draw: "of a test"}
	for _, u := range e.Program.Inputs(a.Draw, seed).Unrolls {
		a.Targets = append(a.Targets, program(&u))
	}
	return a
}

func unspoilt(u *Trajectory) Targets { return u.spoilt(func(*Trajectory, int, *term) {}) }

func TestTheProgramOfAStudentIsJudgedByItsNumbersOnUnrollsOfItsOwnDraw(t *testing.T) {
	e := vtrace(t)
	a := sends(e, [32]byte{1}, unspoilt)
	if v, err := e.Judge(a, Hidden{Seed: [32]byte{1}}); err != nil || v.Credit != 1 {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := e.Judge(a, Hidden{Seed: [32]byte{2}}); err == nil && v.Credit > 0 {
		t.Errorf("the numbers of another draw earn %+v", v)
	}
	a.Targets[3].VS[1] = math.Nextafter(a.Targets[3].VS[1], 1e9) // rounding does not count
	a.Targets[0].VS[0] += 1e-6
	if v, err := e.Judge(a, Hidden{Seed: [32]byte{1}}); err != nil || v.Credit != .75 ||
		!strings.Contains(v.Say, "Not yet: plain unrolls") || !strings.Contains(v.Say, "vs[0] is wrong first") {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestEveryMistakeIsToldByItsNumbers(t *testing.T) {
	e := vtrace(t)
	if len(e.Program.Slips) != len(mistakes) {
		t.Errorf("%d slips, and %d mistakes", len(e.Program.Slips), len(mistakes))
	}
	for _, s := range e.Program.Slips {
		program := func(u *Trajectory) Targets { return u.spoilt(mistakes[s.Of]) }
		v, err := e.Judge(sends(e, [32]byte{3}, program), Hidden{Seed: [32]byte{3}})
		if err != nil || v.Credit >= 1 || !strings.HasPrefix(v.Say, s.Say) {
			t.Errorf("%s: credit %g, %q, %v", s.Of, v.Credit, v.Say, err)
		}
	}
}

// The recursion without a mistake must be the learner's, because the mistakes are variants of it.
func TestTheRecursionWithoutAMistakeIsTheLearners(t *testing.T) {
	e := vtrace(t)
	for seed := range byte(20) {
		for _, u := range e.Program.unrolls([32]byte{seed}, 50) {
			c := &compared{unrolls: []Trajectory{u}, targets: []Targets{unspoilt(&u)},
				right: []Targets{u.right()}, within: 1e-12}
			if !c.same(values, c.right) || !c.same(advantages, c.right) {
				t.Fatalf("%+v: %+v, not %+v", u, c.targets, c.right)
			}
		}
	}
}

func TestEachRequestDrawsNewUnrollsOfTheirGroups(t *testing.T) {
	p := vtrace(t).Program
	if a, b := p.unrolls([32]byte{1}, 1), p.unrolls([32]byte{2}, 1); a[0].Reward[0] == b[0].Reward[0] {
		t.Error("two seeds, one draw")
	}
	const n = 200
	all := p.unrolls([32]byte{1}, n)
	for g, group := range p.Groups {
		ends, zero, none, one := 0, 0, 0, 0
		for _, u := range all[g*n : (g+1)*n] {
			for i := range u.Reward {
				if u.Discount[i] == 0 {
					ends++
				}
				if u.Ratio[i] == 0 {
					zero++
				}
			}
			if rho, _ := u.bars(); math.IsInf(rho, 1) {
				none++
			}
			if len(u.Reward) < 2 || len(u.Reward) > longest || u.Discount[0] == 0 {
				t.Fatalf("%+v", u)
			}
			if u.Lambda == 1 {
				one++
			}
		}
		if (ends > 0) != group.Ends || (zero > 0) != group.Zero || (none > 0) != (g == 2) || (one == n) != (g != 2) {
			t.Errorf("%s: %d ends, %d ratios of 0, %d without ρ̄, %d with λ 1", group.Title, ends, zero, none, one)
		}
	}
}

// The public unrolls belong to other exercises, so their right answers must agree.
func TestThePublicUnrollsEqualTheExercisesByHand(t *testing.T) {
	for _, s := range vtrace(t).Program.Public {
		out := s.right()
		if s.Like == "" { // all ratios are 1
			for i := range out.VS {
				sum, discount := 0., 1.
				for k := i; k < len(out.VS); k++ {
					sum, discount = sum+discount*s.Reward[k], discount*s.Discount[k]
				}
				if sum += discount * s.Bootstrap; math.Abs(sum-out.VS[i]) > 1e-12 {
					t.Errorf("%s: v[%d] is %g, and the return %g", s.Title, i, out.VS[i], sum)
				}
			}
			continue
		}
		like, err := Named(s.Like)
		if err != nil || !like.Numbers.matches(out.VS, like.Numbers.Are) {
			t.Errorf("%s: %v, %v", s.Title, out.VS, err)
		}
	}
}

func TestTheCheckOfAProgramNamesTheSlipByTheExercise(t *testing.T) {
	e := vtrace(t)
	for want, program := range map[string]func(*Trajectory) Targets{
		"“By hand”: These are n-step returns": func(u *Trajectory) Targets { return u.spoilt(mistakes["no-ratios"]) },
		"vs[2] is wrong first":                func(u *Trajectory) Targets { return Targets{u.Value, u.Value} },
		"hand it in":                          (*Trajectory).right,
	} {
		a := &Answer{Draw: PublicDraw}
		for _, u := range e.Program.PublicInputs().Unrolls {
			a.Targets = append(a.Targets, program(&u))
		}
		v, err := e.Public(a, nil)
		if err != nil || (v.Credit == 1) != (want == "hand it in") || !strings.Contains(v.Say, want) {
			t.Errorf("%+v, %v; want %q", v, err, want)
		}
	}
}

func TestTargetsThatCannotBeJudgedAreRefusedWithASentence(t *testing.T) {
	e := vtrace(t)
	short := sends(e, [32]byte{}, (*Trajectory).right)
	short.Targets[1].VS = short.Targets[1].VS[1:]
	for want, a := range map[string]*Answer{
		"needs the targets":       {Text: "vs[t] = V[t]"},
		"draw is missing":         {Targets: []Targets{{}}},
		"48 unrolls, and targets": {Draw: "x", Targets: []Targets{{}}},
		"unroll 2 has":            short,
	} {
		if v, err := e.Judge(a, Hidden{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %+v, %v; want %q", a, v, err, want)
		}
	}
	if _, err := e.Public(&Answer{Draw: "mine", Targets: []Targets{{}}}, nil); err == nil {
		t.Error("a check of another draw was taken")
	}
}
