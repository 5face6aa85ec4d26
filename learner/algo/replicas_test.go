package algo

import (
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// replicasAgree compares the state of each of several learners with the first one's, to the bit.
func replicasAgree(t *testing.T, what string, several Algorithm) {
	t.Helper()
	members := several.(*DataParallel).members
	remembered := func(i int) [][]float32 {
		m := members[i].m
		return slices.Concat([][]float32{m.Theta}, m.Opt.State(), members[i].algo.State(), m.State())
	}
	for i, one := range members {
		for k, x := range remembered(i) {
			if !slices.Equal(x, remembered(0)[k]) || *one.m.Opt.Count() != *members[0].m.Opt.Count() {
				t.Fatalf("%s: learner %d differs in part %d, or in its %d steps", what, i, k, *one.m.Opt.Count())
			}
		}
	}
}

// A snapshot is loaded into the first learner, which acts. Replicate copies it to the others, and so does the first
// update.
func TestReplicasBecomeWhatTheFirstLearnerIs(t *testing.T) {
	for _, settings := range []string{
		"algo=stac learners=4", "algo=vmpo optimiser=adam learners=2", "algo=impala momentum=0.5 learners=4",
		"algo=vmpo popart=on learners=4",
	} {
		for _, begins := range []bool{false, true} {
			cfg, m, a := learning(t, settings)
			r := envs.NewRand(41, 0)
			var want [][]float32
			for _, x := range slices.Concat([][]float32{m.Theta}, m.Opt.State(), a.State(), m.State()) {
				for i := range x {
					x[i] = 0.1 + float32(r.Float64())
				}
				want = append(want, slices.Clone(x))
			}
			*m.Opt.Count() = 17
			if cfg.Algo == hyper.VMPO {
				if !slices.Equal(a.Acting(), a.State()[0]) {
					t.Errorf("%s: it is not the first learner's target network that acts", settings)
				}
			} else if &a.Acting()[0] != &m.Theta[0] {
				t.Errorf("%s: it is not the first learner that acts", settings)
			}
			if begins {
				b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
				strangers(b, &r)
				if err := a.Update(b, cfg, 0.001, 17, nil); err != nil {
					t.Fatal(err)
				}
			} else {
				a.(*DataParallel).Replicate()
				for k, x := range slices.Concat([][]float32{m.Theta}, m.Opt.State(), a.State(), m.State()) {
					if !slices.Equal(x, want[k]) {
						t.Errorf("%s: the first learner has changed", settings)
					}
				}
			}
			if replicasAgree(t, settings, a); *m.Opt.Count() < 17 {
				t.Errorf("%s: the first learner has forgotten its steps", settings)
			}
		}
	}
}

// PopArt's statistics take the batch's targets in its order: with fixed parameters they are one learner's to the bit,
// and a target outside the trust region counts for none.
func TestTheStatisticsOfSeveralLearnersAreOneLearners(t *testing.T) {
	for _, settings := range []string{"algo=impala", "algo=laser trust=0.05", "algo=vmpo", "algo=impala lstm=4"} {
		cfg, one, alone := learning(t, settings+" popart=on reward-scale=30")
		_, first, several := learning(t, settings+" popart=on reward-scale=30 learners=4")
		one.pop.stats.Rate = 0.02
		for _, member := range several.(*DataParallel).members {
			member.m.pop.stats.Rate = 0.02
		}
		r := envs.NewRand(44, 0)
		b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, one.Spec.Shape())
		strangers(b, &r)
		for _, a := range []Algorithm{alone, several} {
			if err := a.Update(b, cfg, 0, 3, nil); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range one.State() {
			if got := first.State()[i]; !slices.Equal(got, want) {
				t.Errorf("%s: statistics %d are %v, want %v", settings, i, got, want)
			}
		}
		if one.pop.stats.Scale[0] < 1.5 {
			t.Errorf("%s: σ is %g, too near 1 to show", settings, one.pop.stats.Scale[0])
		}
		replicasAgree(t, settings, several)
	}
}

// A batch described by several learners is described as by one, however unevenly its fresh trajectories are dealt.
func TestSeveralLearnersDescribeTheWholeBatch(t *testing.T) {
	for _, settings := range []string{
		"algo=impala mix=0.5", "algo=stac", "algo=impala correction=trust-region trust=0.05",
	} {
		cfg, m, alone := learning(t, settings)
		_, _, together := learning(t, settings+" learners=4")
		r := envs.NewRand(42, 0)
		b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
		var x, y telemetry.Update
		for round := range 2 { // the second counts afresh
			strangers(b, &r)
			for i := range b.Online {
				b.Online[i] = i%4 == 1+round || i == 4
			}
			x, y = telemetry.Update{}, telemetry.Update{}
			if err := alone.Update(b, cfg, 0, 3, &x); err != nil {
				t.Fatal(err)
			}
			if err := together.Update(b, cfg, 0, 3, &y); err != nil {
				t.Fatal(err)
			}
		}
		describedAlike(t, settings, &x, &y)
		e, f := float64(x.Metrics[telemetry.Entropy]), float64(y.Metrics[telemetry.Entropy])
		if cfg.Correction != correct.MethodTrustRegion && math.Abs(e-f) > 1e-5 {
			t.Errorf("%s: entropy %v alone, %v together", settings, e, f)
		}
		if x.Ratios != y.Ratios {
			t.Errorf("%s: ratios %v alone, %v together", settings, x.Ratios, y.Ratios)
		}
		one, all := x.AlgoValues.List(), y.AlgoValues.List()
		if len(one) != len(all) || (cfg.Algo == hyper.Stac) != (len(all) > 0) {
			t.Errorf("%s: %v alone, %v together", settings, one, all)
		}
	}
}

// guarded is a learner that looks before and after it computes.
type guarded struct {
	Algorithm
	look func()
}

func (g guarded) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	g.look()
	defer g.look()
	return g.Algorithm.Update(b, cfg, lr, now, out)
}

// Learners hold cores while they compute and none while they wait for each other, or with one core they would never
// end; the caller has its own again afterwards. Whether they succeed, diverge or panic, no core is lost or made.
func TestLearnersThatWaitGiveTheirCoresBack(t *testing.T) {
	for _, fate := range []string{"well", "diverges", "panics"} {
		cfg, m, _ := learning(t, "algo=vmpo learners=4 batch=8")
		cores := schedule.NewCores(1)
		share, visitor := cores.Share("ours", 1), cores.Share("theirs", 1)
		m.On(share)
		var computing atomic.Int32
		construct := func(m *Machine, cfg *hyper.Config) Algorithm {
			return guarded{NewVMPO(m, cfg), func() {
				if computing.Add(1) > 1 {
					t.Errorf("%s: two learners compute on one core", fate)
				}
				time.Sleep(time.Millisecond)
				computing.Add(-1)
				if visitor.Try() {
					t.Errorf("%s: a learner computes while the core is free", fate)
					visitor.Release()
				}
			}}
		}
		several, err := newDataParallel(m, cfg, construct)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { several.Close() })
		b := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
		r := envs.NewRand(43, 0)
		strangers(b, &r)
		switch fate {
		case "diverges":
			b.Reward[2] = float32(math.NaN())
		case "panics":
			several.members[1].algo = exploding{several.members[1].algo}
		}
		share.Acquire()
		ended := make(chan error, 1)
		go func() { ended <- several.Update(b, cfg, 0.001, 3, nil) }() // ends with its update
		select {
		case err = <-ended:
		case <-time.After(5 * time.Minute):
			t.Fatalf("%s: they wait for ever", fate)
		}
		want := map[string]any{"diverges": new(Diverged), "panics": new(*schedule.Fault)}[fate]
		if want == nil && err != nil || want != nil && !errors.As(err, want) {
			t.Errorf("%s: %v", fate, err)
		}
		if visitor.Try() {
			t.Errorf("%s: the caller has no core afterwards", fate)
		}
		share.Release()
		if !visitor.Try() || visitor.Try() {
			t.Errorf("%s: there was one core, and now there is another number of them", fate)
		}
	}
}
