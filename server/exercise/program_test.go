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

// sends is an answer of a program that makes this of the unrolls of a seed.
func sends(e *Exercise, seed [32]byte, program func(*Trajectory) Targets) *Answer {
	a := &Answer{Draw: "of a test"}
	for _, u := range e.Program.Inputs(a.Draw, seed).Unrolls {
		a.Targets = append(a.Targets, program(&u))
	}
	return a
}

func TestTheProgramOfAStudentIsJudgedByItsNumbersOnUnrollsOfItsOwnDraw(t *testing.T) {
	e := vtrace(t)
	a := sends(e, [32]byte{1}, (&recursion{}).run)
	if v, err := e.Judge(a, Hidden{Seed: [32]byte{1}}); err != nil || v.Credit != 1 {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := e.Judge(a, Hidden{Seed: [32]byte{2}}); err == nil && v.Credit > 0 {
		t.Errorf("the numbers of another draw earn %+v", v)
	}
	a.Targets[3].VS[1] = math.Nextafter(a.Targets[3].VS[1], 1e9) // rounding is forgiven
	a.Targets[0].VS[0] += 1e-6
	if v, err := e.Judge(a, Hidden{Seed: [32]byte{1}}); err != nil || v.Credit != .75 ||
		!strings.Contains(v.Say, "Not yet: plain unrolls") || !strings.Contains(v.Say, "vs[0] is wrong first") {
		t.Errorf("%+v, %v", v, err)
	}
}

// A phone's keyboard has no Greek letters.
func TestVTraceMayBeWrittenWithoutGreekLetters(t *testing.T) {
	e := vtrace(t)
	if !strings.Contains(e.Program.Start, "gamma[t], rho_bar, c_bar, lambda") {
		t.Errorf("students are not told how: %s", e.Program.Start)
	}
	v, err := e.Judge(&Answer{Text: `vs[T] = V[T]
		vs[t] = V[t] + min(rho_bar, is[t])*(r[t] + gamma[t]*V[t+1] - V[t]) +
			gamma[t]*lambda*min(c_bar, is[t])*(vs[t+1] - V[t+1])
		adv[t] = r[t] + gamma[t]*vs[t+1] - V[t]`}, Hidden{Seed: [32]byte{4}})
	if err != nil || v.Credit != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestEveryMistakeIsToldByItsNumbers(t *testing.T) {
	e := vtrace(t)
	if len(e.Program.Slips) != len(mistakes) {
		t.Errorf("%d slips, and %d mistakes", len(e.Program.Slips), len(mistakes))
	}
	for _, s := range e.Program.Slips {
		v, err := e.Judge(sends(e, [32]byte{3}, mistakes[s.Of]), Hidden{Seed: [32]byte{3}})
		if err != nil || v.Credit >= 1 || !strings.HasPrefix(v.Say, s.Say) {
			t.Errorf("%s: credit %g, %q, %v", s.Of, v.Credit, v.Say, err)
		}
	}
}

// The recursion without a mistake is what mistakes are told from, so it must be the learner's.
func TestTheRecursionWithoutAMistakeIsTheLearners(t *testing.T) {
	e := vtrace(t)
	for seed := range byte(20) {
		for _, u := range e.Program.unrolls([32]byte{seed}, 50) {
			w := &written{unrolls: []Trajectory{u}, targets: []Targets{(&recursion{}).run(&u)}, failed: []error{nil},
				right: []Targets{u.right()}, within: 1e-12}
			if !w.same(values, w.right) || !w.same(advantages, w.right) {
				t.Fatalf("%+v: %+v, not %+v", u, w.targets, w.right)
			}
		}
	}
}

func TestUnrollsAreDrawnAnewAndAsTheirGroupsSay(t *testing.T) {
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

// What everybody may know is the unroll of another exercise, so its right answer must be that exercise's.
func TestThePublicUnrollsAreThoseOfTheExercisesByHand(t *testing.T) {
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
	for text, want := range map[string]string{
		"vs[T] = V[T]\nvs[t] = r[t] + γ[t]*vs[t+1]\nadv[t] = 0": "“By hand”: These are n-step returns",
		"vs[t] = V[t]\nadv[t] = 0":                              "vs[2] is wrong first",
		"vs[t] = r[t+1]\nadv[t] = 0":                            "r[3] was asked for",
		e.Program.Start:                                         "vs[2] is wrong first",
	} {
		v, err := e.Public(&Answer{Text: text}, nil)
		if err != nil || v.Credit == 1 || !strings.Contains(v.Say, want) {
			t.Errorf("%s\n%+v, %v; want %q", text, v, err, want)
		}
	}
	right := &Answer{Draw: PublicDraw}
	for _, u := range e.Program.PublicInputs().Unrolls {
		right.Targets = append(right.Targets, u.right())
	}
	if v, err := e.Public(right, nil); err != nil || v.Credit != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

// The double sum is right, and takes the square of the steps.
func TestTheDoubleSumIsWithinTheStepsThatThereAre(t *testing.T) {
	e := vtrace(t)
	for _, k := range KnownAnswers() {
		if k.Exercise != e.Name || !strings.Contains(k.Answer.Text, "eq. 1") {
			continue
		}
		_, _, left, err := compute(k.Answer.Text, e.Program.unrolls([32]byte{4}, e.Program.Draw.Formulas))
		if err != nil || left < steps/2 {
			t.Errorf("%d of %d steps are left, %v", left, steps, err)
		}
	}
	v, err := e.Judge(&Answer{Text: "f(a, n) = if n > 200 then 1 else f(2*a, n+1) + f(2*a + 1, n+1)\n" +
		"vs[t] = f(t, 0)\nadv[t] = 0"}, Hidden{})
	if err != nil || v.Credit != 0 || strings.Count(v.Say, "too many steps") != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestAProgramThatIsNoneIsRefusedWithASentence(t *testing.T) {
	e := vtrace(t)
	loop := "vs[t] = vs[t]\nadv[t] = 1"
	for want, a := range map[string]*Answer{
		"not both":                {Text: loop, Targets: []Targets{{}}},
		"of which draw":           {Targets: []Targets{{}}},
		"line 1: the end":         {Text: "vs[t] ="},
		"say what vs[t] and adv":  {Text: "vs[t] = 1"},
		"48 unrolls, and targets": {Draw: "x", Targets: []Targets{{}}},
	} {
		if v, err := e.Judge(a, Hidden{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %+v, %v; want %q", a, v, err, want)
		}
	}
	if _, err := e.Public(&Answer{Draw: "mine", Targets: []Targets{{}}}, nil); err == nil {
		t.Error("a check of another draw was taken")
	}
	// One that never ends is an answer, and says why it earns nothing.
	if v, err := e.Judge(&Answer{Text: loop}, Hidden{}); err != nil || v.Credit != 0 || !strings.Contains(v.Say,
		"asks for itself") {
		t.Errorf("%+v, %v", v, err)
	}
}
