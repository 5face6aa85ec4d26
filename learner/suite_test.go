package learner

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/telemetry"
)

var errEnough = errors.New("enough")

// Of however many actors, in either mode, with and without replay: a fixed number per task (IMPALA §5.3).
func TestEveryBatchHasAsManyTrajectoriesOfEachTask(t *testing.T) {
	for _, changes := range []string{"", "batch=18 actors=2 collect=trajectory", "mode=live actors=3",
		"mode=live batch=12 actors=1", "mix=0.5", "mix=0.75"} {
		l, err := New(kit.Config(t, "tiny", "hidden=8 lstm=4 "+changes))
		if err != nil {
			t.Fatal(err)
		}
		tasks := len(l.scores.tasks)
		_, err = l.Run(t.Context(), Hooks{Between: func(l *Learner) error {
			if l.Updates() == 0 {
				return nil
			}
			fresh := make([]int, tasks)
			for i, online := range l.batch.Online {
				if online {
					fresh[l.batch.Task[i]]++
				}
			}
			for k, n := range fresh {
				if n != l.cfg.Fresh()/tasks {
					t.Fatalf("%s, update %d: %d of %d fresh trajectories are of task %d", changes, l.Updates(), n, l.cfg.Fresh(), k)
				}
			}
			if l.Updates() == 20 {
				return errEnough
			}
			return nil
		}})
		if !errors.Is(err, errEnough) {
			t.Errorf("%s: %v", changes, err)
		}
		l.Close()
	}
}

func TestAnUnrollKeepsItsTaskInTheReplay(t *testing.T) {
	l, err := New(kit.Config(t, "tiny", "hidden=8 lstm=4 mix=0.5 steps=4000"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(t.Context(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	for _, u := range l.store.All() {
		if copy := u.Lane & 0xffff; uint64(u.Task) != copy%6 {
			t.Fatalf("copy %d played task %d", copy, u.Task)
		}
	}
}

func TestAnEpisodeSaysWhichTaskItWas(t *testing.T) {
	heard := make([]int, 6)
	l, err := New(kit.Config(t, "tiny", "hidden=8 lstm=4 steps=8000"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	end, err := l.Run(t.Context(), Hooks{Episode: func(e telemetry.Episode) {
		heard[e.Task]++
		// A ball falls for 9 steps, a diver in a sea of 5 for 5.
		if e.Task == 0 && e.Length != 9 || e.Task == 4 && e.Length != 5 {
			t.Errorf("an episode of %d steps in task %d", e.Length, e.Task)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for k, task := range end.Tasks {
		if task.Episodes != heard[k] || task.World != l.scores.tasks[k].World {
			t.Errorf("task %d: %+v, %d episodes heard", k, task, heard[k])
		}
		sum += task.Score
	}
	if got := sum / 6; math.Abs(got-l.Score()) > 1e-12 || end.ReturnMean100 != l.Score() && !math.IsNaN(got) {
		t.Errorf("score %v, return %v, want the mean over tasks %v", l.Score(), end.ReturnMean100, got)
	}
}

func TestTheScoreOfASuiteIsCappedTaskByTask(t *testing.T) {
	s := newScores([]envs.Task{{World: "a", Random: -10, Reference: 10}, {World: "b", Random: 0, Reference: 1}})
	s.add(0, 0)
	if !math.IsNaN(s.mean()) {
		t.Error("a score without an episode of every task")
	}
	s.add(1, 7)
	if got := s.mean(); got != (0.5+1)/2 {
		t.Errorf("a half and seven times the reference score %v, want 0.75", got)
	}
	for range 100 {
		s.add(0, 10)
	}
	if s.full() || !math.IsNaN(s.bestMean()) {
		t.Error("full after one episode of the second task")
	}
	for range 100 {
		s.add(1, 1)
	}
	if s.mean() != 1 || s.bestMean() != 1 {
		t.Errorf("mean %v, best %v", s.mean(), s.bestMean())
	}
	alone := newScores([]envs.Task{{World: "a", Random: -10, Reference: 10}})
	alone.add(0, 30)
	if alone.mean() != 30 || alone.score() != 1 {
		t.Errorf("a world by itself: return %v, score %v", alone.mean(), alone.score())
	}
}

func TestWithPopArtEachTaskHasAValueAndStatistics(t *testing.T) {
	for changes, want := range map[string]int{"popart=on": 6, "popart=off": 0} {
		l, err := New(kit.Config(t, "tiny", "hidden=8 lstm=4 steps=8000 "+changes))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if _, err := l.Run(t.Context(), Hooks{}); err != nil {
			t.Fatal(err)
		}
		if l.machine.Spec.Values != want {
			t.Errorf("%s: %d values", changes, l.machine.Spec.Values)
		}
		var scales []float32
		for k := range want {
			scales = append(scales, l.machine.RealValue(1, k)-l.machine.RealValue(0, k))
		}
		slices.Sort(scales)
		if different := len(slices.Compact(scales)); different != want {
			t.Errorf("%s: %d different scales", changes, different)
		}
	}
}

func TestASuiteThatCannotBeDealtEvenlyIsRefused(t *testing.T) {
	for _, changes := range []string{"batch=20", "mix=1", "batch=12 mix=0.25", "init=soft-optimal", "policy=gaussian",
		"torso=shallow"} {
		l, err := New(kit.Config(t, "tiny", changes))
		if err == nil {
			l.Close()
			t.Errorf("%s: taken", changes)
		} else if key, _, _ := strings.Cut(changes, " "); !strings.Contains(err.Error(), "world=tiny") ||
			!strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", changes, err)
		}
	}
	l, err := New(kit.Config(t, "tiny", "mix=0.5"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := turn(l, "mix", "0.6"); err == nil || !strings.Contains(err.Error(), "6 tasks") {
		t.Errorf("a mix that cannot be dealt was taken: %v", err)
	}
}
