package lab

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/web/wire"
)

// bomb is a world whose copies panic at one of their steps.
type bomb struct {
	envs.World
	spec *envs.Spec
	left int
}

func (b *bomb) Spec() *envs.Spec { return b.spec }

func (b *bomb) Step(r *envs.Rand, action int) envs.Outcome {
	if b.left--; b.left == 0 {
		panic("bomb")
	}
	return b.World.Step(r, action)
}

func init() {
	catch, err := envs.Lookup("catch")
	if err != nil {
		panic(err)
	}
	spec := *catch.Spec
	spec.Name = "bomb"
	envs.Table = append(envs.Table, envs.Entry{Spec: &spec,
		New: func() envs.World { return &bomb{catch.New(), &spec, 20} }})
}

// bystander is a run of someone else's, which must not notice.
func bystander(t *testing.T, l *Lab) (alive func()) {
	t.Helper()
	v, _ := visit(t, l, link("p=catch speed=2000"))
	return func() {
		t.Helper()
		var cancel context.CancelFunc
		v.ctx, cancel = context.WithTimeout(context.Background(), kit.Patience) // from now on
		defer cancel()
		at := await[*wire.XRay](v, nil).Update
		await(v, func(x *wire.XRay) bool { return x.Update > at })
		await[*wire.Frame](v, nil)
	}
}

// One for each kind of goroutine that a run has.
func TestAPanicAnywhereInARunEndsThatRunOnly(t *testing.T) {
	l := newLab(t, Options{})
	alive := bystander(t, l)
	for i, settings := range []string{
		"mode=reference speed=inf", "mode=reference collect=trajectory actors=4 speed=inf", "mode=live actors=4 speed=inf",
		"mode=live actors=4 inference=batched speed=inf", "learners=4 speed=inf",
		"batch=1 unroll=1 speed=1", // what people watch comes to the step before the learner does
	} {
		v, _ := visit(t, l, link("p=catch world=bomb batch=8 "+settings))
		if s := await[*wire.Status](v, nil); s.State != wire.StateStopped || s.Reason != errInternal.Error() {
			t.Errorf("%s: status %+v", settings, s)
		}
		if l.Panics() != uint64(i+1) {
			t.Errorf("%s: %d panics are counted, want %d", settings, l.Panics(), i+1)
		}
		v.run.Leave()
		alive()
	}
}

// Under these settings the parameters stay finite, but the outputs of the network do not. A NaN action once ended the
// whole process, with every run in it.
func TestSettingsThatOverflowStopTheirRunWithASentence(t *testing.T) {
	l := newLab(t, Options{})
	alive := bystander(t, l)
	const base = "activation=relu lr=10 clip=inf policy-cost=1e-9 value-cost=0 entropy=10 opt-eps=1e-30 batch=2 " +
		"unroll=1 head-scale=1 opt-decay=0.99999 momentum=0.999 replay-size=1 actors=1 "
	stopped, n := 0, 0
	for _, world := range []string{"pendulum:extra=100", "reacher:extra=100", "mountain-car-continuous:extra=100"} {
		for _, policy := range []string{"gaussian", "softmax"} {
			for _, hidden := range []string{"64-64-64-60", "200-200-200-180"} {
				for seed := range 3 {
					if !slow && seed > 0 {
						continue // make check has them all
					}
					if n++; testing.Short() && n%2 == 0 {
						continue
					}
					for _, mode := range []string{"reference", "live"} {
						settings := fmt.Sprintf("world=%s policy=%s hidden=%s seed=%d mode=%s steps=4000 speed=inf", world, policy,
							hidden, seed, mode)
						v, _ := visit(t, l, link(base+settings))
						s := await(v, func(s *wire.Status) bool { return s.State != wire.StateRunning })
						switch s.State {
						case wire.StateDiverged:
							stopped++
							if !strings.HasPrefix(s.Reason, "update ") || !strings.Contains(s.Reason, ", step ") {
								t.Errorf("%s: %s", settings, s.Reason)
							}
						case wire.StateDone:
						default:
							t.Errorf("%s: state %d, %s", settings, s.State, s.Reason)
						}
						v.sub.Close()
						v.run.Leave()
					}
				}
			}
		}
	}
	alive()
	if l.Panics() != 0 || stopped == 0 {
		t.Errorf("%d panics, %d runs stopped by what is not finite", l.Panics(), stopped)
	}
	t.Logf("%d configurations in two modes, %d runs diverged", n, stopped)
}
