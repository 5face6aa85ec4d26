package learner

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/net"
	"impalab/learner/traj"
)

// plainStream follows a column of replayed trajectories with one row at a time.
type plainStream struct {
	memory, acting []float32
	episode        string // of the present episode so far
	started        bool
	sum            float64
	n              int
	weight         float32
}

// Every replayed column is a stream of whole episodes, each of which the actors played, one directly after the other.
// Each update's parameters recompute the memory before a trajectory from the stream's earlier steps.
func TestAReplayedStreamIsWholeEpisodesWithRecomputedMemory(t *testing.T) {
	for _, changes := range []string{
		"lstm=5", "lstm=5 overlap=3", "lstm=0 trxl=6 core-heads=2 core-memory=9", "algo=vmpo lstm=5 target-every=3",
		"lstm=5 replay-size=900", "lstm=5 algo=laser sampling=prioritised priority=0.7 priority-beta=0.5", "lstm=0",
	} {
		t.Run(changes, func(t *testing.T) {
			replayedStreams(t, "unroll=12 mix=0.5 replay-by=episode lr=0.02 steps=8000 replay-size=8000 "+changes)
		})
	}
}

func replayedStreams(t *testing.T, changes string) {
	cfg := kit.Config(t, "t-maze", changes)
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	spec := l.machine.Spec
	forward := net.NewForward(spec, 1)
	states, size, online := spec.States(), spec.Shape().Size, cfg.BatchSize-cfg.Replayed()
	played, playing := map[string]bool{}, map[uint64]string{}
	streams := make([]plainStream, cfg.BatchSize)
	var theta, acting []float32
	whole, carried, surprised, weighed := 0, 0, 0, 0
	look := func(l *Learner) error {
		b := l.batch
		for _, u := range l.fresh {
			for step := u.Again; l.filled && step < u.T; step++ {
				playing[u.Lane] += stepText(u.Obs[step*size:(step+1)*size], u.Action[step], u.Reward[step],
					u.Mu[step*u.Actions:][:u.Actions])
				if u.End[step] != 0 {
					played[playing[u.Lane]] = true
					playing[u.Lane] = ""
				}
			}
		}
		for i := online; l.filled && i < b.B; i++ {
			s := &streams[i]
			if !l.replayers.all[i-online].going {
				s.started = false
				continue
			}
			first, its := b.State[i*states:(i+1)*states], b.TargetState[i*states:(i+1)*states]
			if !s.started || states > 0 && s.episode != "" && slices.Max(append(slices.Clone(first), 0)) == 0 &&
				slices.Min(append(slices.Clone(first), 0)) == 0 { // the store has lost the episode, and the stream begins again
				*s = plainStream{memory: make([]float32, states), acting: make([]float32, states), started: true}
			}
			if !slices.Equal(first, s.memory) || !slices.Equal(its, s.acting) {
				t.Fatalf("update %d, column %d: memory %v and %v, want %v and %v", l.updates, i, first, its, s.memory, s.acting)
			}
			if s.episode != "" {
				carried++
			}
			for step := range b.T {
				row := step*b.B + i
				s.episode += stepText(b.Obs[row*size:(row+1)*size], b.Action[row], b.Reward[row], b.Mu[row*b.Actions:][:b.Actions])
				if s.sum += float64(b.Errors[row]); s.n == 0 {
					s.weight = b.Weight[row]
				}
				if b.Weight[row] != s.weight || s.weight != 1 && l.store.SaveEpisodes() == nil {
					t.Fatalf("update %d, column %d: a step of weight %v in an episode of %v", l.updates, i, b.Weight[row], s.weight)
				}
				if s.weight != 1 {
					weighed++
				}
				if s.n++; b.End[row] == 0 {
					continue
				}
				if whole++; !played[s.episode] {
					t.Fatalf("update %d, column %d: an episode that no actor has played", l.updates, i)
				}
				if by := l.store.SaveEpisodes(); by != nil {
					if slices.Contains(by.Weights, math.Pow(s.sum/float64(s.n), cfg.Priority)) {
						surprised++
					}
				}
				s.episode, s.sum, s.n = "", 0, 0
			}
		}
		// The next batch is made with these parameters.
		theta, acting = l.machine.Theta, l.algo.Acting()
		for i := online; l.filled && i < b.B && states > 0; i++ {
			s := &streams[i]
			for step := 0; s.started && step < b.T; step++ {
				row := step*b.B + i
				for _, m := range []struct{ theta, memory []float32 }{{theta, s.memory}, {acting, s.acting}} {
					forward.Run(m.theta, b.Obs[row*size:(row+1)*size], m.memory, 1)
					if b.End[row] != 0 {
						clear(m.memory)
					}
				}
			}
		}
		return nil
	}
	result, err := l.Run(t.Context(), Hooks{Between: look})
	if err != nil || result.Diverged != "" {
		t.Fatal(err, result.Diverged)
	}
	if whole < 20 || carried < 20 {
		t.Fatalf("%d episodes were replayed, %d trajectories began inside one: nothing was tested", whole, carried)
	}
	if l.store.SaveEpisodes() != nil && surprised < whole*3/4 { // the store may have lost the others
		t.Errorf("%d of %d episodes have the priority of their last replay", surprised, whole)
	}
	if l.store.SaveEpisodes() != nil && weighed < 100 {
		t.Errorf("%d steps have a weight of their own", weighed)
	}
}

func stepText(obs []float32, action int32, reward float32, mu []float32) string {
	return fmt.Sprint(obs, action, reward, mu, ";")
}

// Before the first episode ends, unrolls are drawn by themselves, with the memory that they were stored with.
func TestWithoutAWholeEpisodeUnrollsAreReplayed(t *testing.T) {
	l, err := New(kit.Config(t, "t-maze", "world=t-maze:length=100 unroll=5 lstm=4 mix=0.5 replay-by=episode steps=400"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(t.Context(), Hooks{Between: func(l *Learner) error {
		for i := l.cfg.BatchSize / 2; l.filled && i < l.cfg.BatchSize; i++ {
			if !slices.ContainsFunc(l.store.All(), func(u *traj.Unroll) bool {
				return slices.Equal(u.State, l.batch.State[i*u.States:(i+1)*u.States]) && u.Version == l.batch.Version[i]
			}) {
				t.Fatalf("update %d: column %d begins with the memory of no unroll", l.updates, i)
			}
		}
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	if l.store.Episodes() > 0 || l.updates < 10 {
		t.Errorf("%d whole episodes, %d updates", l.store.Episodes(), l.updates)
	}
}
