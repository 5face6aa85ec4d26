package evolve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
)

// few is a population small enough for a test: rounds of 400 steps, five of them.
func few(t *testing.T, preset, changes string, plan Plan) *Population {
	t.Helper()
	if plan.Members == 0 {
		plan.Members = 4
	}
	if plan.Every == 0 {
		plan.Every = 400
	}
	p, err := New(kit.Config(t, preset, "steps=2000 "+changes), plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func evolved(t *testing.T, p *Population, jobs int) *Population {
	t.Helper()
	if err := p.Run(t.Context(), jobs, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// state is everything that a copy receives and that a learner reports: its parameters and its record.
func state(l *learner.Learner) string { return fmt.Sprint(l.Result()) }

func TestNothingEvolvesDuringBurnIn(t *testing.T) {
	p := evolved(t, few(t, "catch", "", Plan{BurnIn: 1200, Genes: PaperGenes()}), 1)
	moved := func(round int) (n int) {
		for i, s := range p.rounds[round+1] {
			if p.rounds[round][i].Parent != i || !slices.Equal(s.Genes, p.rounds[round][i].Genes) {
				n++
			}
		}
		return n
	}
	// Rounds end at 400, 800, 1200, 1600 and 2000 steps; the third is the first to evolve.
	if moved(0)+moved(1) != 0 || moved(2)+moved(3) == 0 {
		t.Errorf("%d, %d, %d and %d members changed", moved(0), moved(1), moved(2), moved(3))
	}
	for i, s := range p.rounds[4] {
		if s.Parent != i {
			t.Errorf("member %d went on from another after the last round", i)
		}
		if now := p.stand()[i]; !slices.Equal(now.Genes, s.Genes) {
			t.Errorf("member %d ends with %v, reported %v", i, now.Genes, s.Genes)
		}
	}
}

func TestAHyperparameterChangesOneTimeInThreeInBothDirections(t *testing.T) {
	p := few(t, "catch", "", Plan{Genes: []Gene{{Key: "lr"}}})
	const n = 100_000
	up, down, log := 0, 0, 0.0
	for range n {
		v := p.mutate(p.rows[0], 1)
		switch v {
		case 1.2:
			up++
		case 1 / 1.2:
			down++
		case 1:
		default:
			t.Fatalf("1 became %v", v)
		}
		log += math.Log(v)
	}
	for _, k := range []int{up, down} {
		if sigma := math.Sqrt(n * .165 * .835); math.Abs(float64(k)-.165*n) > 4*sigma {
			t.Errorf("%d up, %d down of %d: want %v of each", up, down, n, .165*n)
		}
	}
	if v := p.mutate(p.rows[0], 10); v > 10 {
		t.Errorf("the largest learning rate became %v", v)
	}
}

func TestFirstValuesAreLogUniform(t *testing.T) {
	p := few(t, "catch", "", Plan{Members: 400, Genes: PaperGenes()})
	below, eps := 0, map[float64]int{}
	for _, s := range p.stand() {
		lr := s.Genes[0]
		if lr < 5e-6 || lr > 5e-3 {
			t.Fatalf("learning rate %g", lr)
		}
		if lr < math.Sqrt(5e-6*5e-3) {
			below++
		}
		eps[s.Genes[2]]++
	}
	if below < 160 || below > 240 {
		t.Errorf("%d of 400 below the geometric middle", below)
	}
	for _, v := range []float64{1e-1, 1e-3, 1e-5, 1e-7} {
		if eps[v] < 60 || eps[v] > 140 {
			t.Errorf("ε = %g %d times of 400", v, eps[v])
		}
	}
}

// A member's line follows one state from the first round to the last: each point's parent is the next one.
func TestAncestryIsOneCurve(t *testing.T) {
	p := evolved(t, few(t, "catch", "lr=0.01 steps=12000",
		Plan{Every: 1000, Genes: []Gene{{Key: "lr", Low: 1e-5, High: 1e-1}}}), 1)
	crossed := false
	for m := range p.members {
		line := p.Ancestry(m)
		if len(line) != len(p.rounds) || line[len(line)-1].Member != m {
			t.Fatalf("member %d: a line of %d rounds that ends in %d", m, len(line), line[len(line)-1].Member)
		}
		for r := 1; r < len(line); r++ {
			child := p.rounds[r-1][line[r].Member]
			if child.Parent != line[r-1].Member || line[r].Round != r || line[r].Steps <= line[r-1].Steps {
				t.Fatalf("member %d, round %d: %+v follows %+v", m, r, line[r], line[r-1])
			}
			crossed = crossed || line[r].Member != line[r-1].Member
			if child.Parent == child.Member {
				continue
			}
			// A member that copies was worse by more than the margin, and continues with the other's values, slightly
			// changed.
			if parent := line[r-1]; !(parent.Fitness > child.Fitness+margin) {
				t.Errorf("member %d with %g went on from %g", child.Member, child.Fitness, parent.Fitness)
			} else if ratio := math.Abs(math.Log(line[r].Genes[0] / parent.Genes[0])); ratio > math.Log(factor)+1e-9 {
				t.Errorf("a learning rate of %g became %g", parent.Genes[0], line[r].Genes[0])
			}
		}
	}
	if !crossed {
		t.Error("nobody ever went on from another: this test shows nothing")
	}
}

// If several members copy in one round, each gets the other's state at its end, even if that member copies too.
func TestACopiedMemberHasNotChangedYet(t *testing.T) {
	p := few(t, "catch", "", Plan{Members: 8, Genes: []Gene{{Key: "lr"}}})
	if err := p.train(t.Context(), 2, 400); err != nil {
		t.Fatal(err)
	}
	chained := false
	for round := 0; !chained && round < 100; round++ {
		states := make([]string, len(p.members))
		now := p.stand()
		for i, l := range p.members {
			states[i] = state(l)
			now[i].Fitness = float64((i * 5) % 8) // so that many copy
		}
		if err := p.evolve(now); err != nil {
			t.Fatal(err)
		}
		for i, s := range now {
			if state(p.members[i]) != states[s.Parent] {
				t.Fatalf("member %d is not what member %d was", i, s.Parent)
			}
			chained = chained || s.Parent != i && now[s.Parent].Parent != s.Parent &&
				states[s.Parent] != states[now[s.Parent].Parent]
		}
	}
	if !chained {
		t.Error("nobody was copied who copied: this test shows nothing")
	}
}

// The second population trains four members at once, and stops and continues after every few updates.
func TestAPopulationIsTheSameOnAnyNumberOfCoresAfterAnyStop(t *testing.T) {
	for _, changes := range []string{"", "lag=3 mix=0.5", "lag=2 mix=0.5 sharers=3 sharing=same replay-size=2000"} {
		plan := Plan{Genes: append(PaperGenes(), Gene{Key: "rho"})}
		one, four := evolved(t, few(t, "catch", changes, plan), 1), few(t, "catch", changes, plan)
		stops := 0
		for err := context.Canceled; err != nil; stops++ {
			err = four.Run(kit.Impatient(t.Context(), 7), 4, nil)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if stops < 10 {
			t.Errorf("%s: %d stops", changes, stops)
		}
		if fmt.Sprint(one.rounds) != fmt.Sprint(four.rounds) {
			t.Errorf("%s: other rounds", changes)
		}
		for i := range one.members {
			if state(one.members[i]) != state(four.members[i]) {
				t.Errorf("%s: member %d is another", changes, i)
			}
		}
		other := evolved(t, few(t, "catch", changes+" seed=2", plan), 2)
		if fmt.Sprint(other.rounds) == fmt.Sprint(one.rounds) {
			t.Errorf("%s: another seed, the same rounds", changes)
		}
	}
}

// A member of a population that shares its replay copies parameters, never data: the one store stays as it is, and
// every later batch has unrolls of other members.
func TestMembersShareOneReplayThroughCopies(t *testing.T) {
	shared := few(t, "catch", "mix=0.5 sharers=3 sharing=same", Plan{Genes: []Gene{{Key: "lr"}}})
	apart := few(t, "catch", "mix=0.5", Plan{Genes: []Gene{{Key: "lr"}}})
	for _, p := range []*Population{shared, apart} {
		if err := p.train(t.Context(), 1, 400); err != nil {
			t.Fatal(err)
		}
		now := p.stand()
		for i := range now {
			now[i].Fitness = float64(i)
		}
		if err := p.evolve(now); err != nil {
			t.Fatal(err)
		}
		copied := 0
		for i, s := range now {
			if s.Parent != i {
				copied++
			}
		}
		if copied == 0 {
			t.Fatal("no member copied another: this test shows nothing")
		}
		if err := p.train(t.Context(), 1, 800); err != nil {
			t.Fatal(err)
		}
	}
	for i := range shared.members {
		if l := shared.members[i]; l.Steps() != apart.members[i].Steps() || l.Updates() != apart.members[i].Updates() {
			t.Errorf("member %d: %d steps, %d updates; apart %d and %d", i, l.Steps(), l.Updates(), apart.members[i].Steps(),
				apart.members[i].Updates())
		}
		if state(shared.members[i]) == state(apart.members[i]) {
			t.Errorf("member %d learned from the shared replay what it learns from its own", i)
		}
	}
}

func TestWhoDivergedTakesAnothersPlace(t *testing.T) {
	p := few(t, "cartpole", "steps=20000 reduce=sum clip=inf",
		Plan{Members: 2, Every: 2000, Genes: []Gene{{Key: "lr", Among: []float64{0.003}}}})
	p.members[0].Machine().Theta[0] = float32(math.NaN())
	evolved(t, p, 2)
	first := p.rounds[0]
	if first[0].Diverged == "" || !math.IsInf(first[0].Fitness, -1) || first[0].Parent != 1 || first[1].Parent != 1 {
		t.Fatalf("after the first round: %+v", first)
	}
	for _, round := range p.rounds[1:] {
		if round[0].Diverged != "" || round[0].Steps != round[1].Steps {
			t.Errorf("round %d: %+v", round[0].Round, round[0])
		}
	}
	if last := p.rounds[len(p.rounds)-1]; last[0].Genes[0] > 0.1 {
		t.Errorf("it kept its learning rate, %g", last[0].Genes[0])
	}
}

func TestAPopulationThatMakesNoSenseIsRefused(t *testing.T) {
	for _, c := range []struct {
		changes string
		plan    Plan
	}{
		{"", Plan{Members: 1, Every: 1}},
		{"", Plan{Members: 2}},
		{"mode=live", Plan{Members: 2, Every: 1}},
		{"mix=0.5 sharers=2 sharing=same", Plan{Members: 2, Every: 1}},
		{"mix=0.5 sharers=1 sharing=sweep", Plan{Members: 2, Every: 1}},
		{"", Plan{Members: 2, Every: 1, Genes: []Gene{{Key: "lag"}}}},
		{"", Plan{Members: 2, Every: 1, Genes: []Gene{{Key: "correction"}}}},
		{"", Plan{Members: 2, Every: 1, Genes: []Gene{{Key: "opt-decay"}}}},
		{"", Plan{Members: 2, Every: 1, Genes: []Gene{{Key: "lr"}, {Key: "lr"}}}},
		{"", Plan{Members: 2, Every: 1, Genes: []Gene{{Key: "lr", Low: 1, High: .1}}}},
		{"", Plan{Members: 2, Every: 1, Genes: []Gene{{Key: "lr", Low: 1, High: 100}}}},
		{"", Plan{Members: 2, Every: 1, Genes: []Gene{{Key: "speling"}}}},
	} {
		if p, err := New(kit.Config(t, "catch", c.changes), c.plan); err == nil {
			p.Close()
			t.Errorf("%s %+v: taken", c.changes, c.plan)
		}
	}
}

// A grid gives each member another cell, and all cells have a member.
func TestAGridHasAMemberInEachCell(t *testing.T) {
	genes := []Gene{{Key: "lr", Among: []float64{0.001, 0.002, 0.004}}, {Key: "entropy", Among: []float64{0.01, 0.02}}}
	p := few(t, "catch", "", Plan{Members: 6, Grid: true, Genes: genes})
	seen := map[string]bool{}
	for _, l := range p.members {
		seen[l.Config().Get("lr")+" "+l.Config().Get("entropy")] = true
	}
	for _, lr := range []string{"0.001", "0.002", "0.004"} {
		for _, entropy := range []string{"0.01", "0.02"} {
			if !seen[lr+" "+entropy] {
				t.Errorf("no member has lr %s and entropy %s: %v", lr, entropy, seen)
			}
		}
	}
	for _, plan := range []Plan{{Members: 5, Genes: genes}, {Members: 6, Genes: PaperGenes()}} {
		plan.Grid, plan.Every = true, 400
		if _, err := New(kit.Config(t, "catch", "steps=2000"), plan); err == nil {
			t.Errorf("%d members for %d cells were accepted", plan.Members, plan.cells())
		}
	}
}
