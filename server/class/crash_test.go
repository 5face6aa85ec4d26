package class

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/kernel"
	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/store"
	"impalab/web/exercise"
)

// The victim is this test program as a server or worker to be killed. Its variable has the role, the data folder and
// the room's code.
const victimEnv = "IMPALAB_CLASS_VICTIM"

func TestMain(m *testing.M) {
	if what := strings.Fields(os.Getenv(victimEnv)); len(what) == 3 {
		panic(victim(what[0], what[1], what[2]))
	}
	os.Exit(m.Run())
}

// victim runs until it is killed. As a server it hands something in for the room's first member.
func victim(what, dir, code string) error {
	ctx := context.Background()
	kept, err := store.Open(ctx, store.Options{Dir: dir, Guest: what == "worker"})
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug}))
	queue, err := job.Open(ctx, kept, job.Options{Build: "test", Arithmetic: kernel.Arithmetic(), Workers: 1,
		Host: what == "server", Log: log})
	if err != nil {
		return err
	}
	if what == "worker" {
		if err := queue.Start(Kinds(Options{Store: kept, Log: log})...); err != nil {
			return err
		}
		select {}
	}
	rooms, err := New(Options{Store: kept, Queue: queue})
	if err != nil {
		return err
	}
	if err := queue.Start(rooms.Kinds()...); err != nil {
		return err
	}
	r, err := rooms.Room(ctx, "here", code)
	if err == nil {
		_, err = r.Answer(ctx, 1, HandIn, fewer, exercise.Answer{Settings: map[string]string{"mix": "0.875"}})
	}
	if err != nil {
		return err
	}
	select {}
}

const fewer = "five-times-fewer"

// launch starts a victim, which ends with the test at the latest.
func (h *house) launch(what, code string) (victim *exec.Cmd, said *bytes.Buffer) {
	h.t.Helper()
	victim, said = exec.Command(os.Args[0]), new(bytes.Buffer)
	victim.Env = append(os.Environ(), victimEnv+"="+what+" "+h.dir+" "+code)
	victim.Stdout, victim.Stderr = said, said
	if err := victim.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		victim.Process.Kill()
		victim.Wait()
		if h.t.Failed() {
			h.t.Logf("the %s said:\n%s", what, said)
		}
	})
	return victim, said
}

// The server is killed during a hand-in. The next server, which trains nothing, shows the answer again. A worker in
// another process continues it from the last snapshot. The verdict is the one without a kill, and counts once.
func TestAHandInOutlivesKill9OfTheServerAndIsJudgedByAWorkerElsewhere(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	h.change(r, Change{Step: stepNamed(t, r, fewer), Follow: is(true)})
	code, seeds := r.Code(), r.hidden(fewer, 8)
	h.shut()

	server, _ := h.launch("server", code)
	guest, err := store.Open(t.Context(), store.Options{Dir: h.dir, Guest: true})
	if err != nil {
		t.Fatal(err)
	}
	awaits(t, "no state of the hand-in was kept", func() (kept bool) {
		guest.View(t.Context(), func(tx *store.Tx) error {
			running, err := tx.JobsIn(store.JobRunning)
			if err == nil && len(running) == 1 {
				var state []byte
				state, err = tx.JobSnapshot(running[0].ID)
				kept = state != nil
			}
			return err
		})
		return kept
	})
	server.Process.Kill()
	server.Wait()
	guest.Close()

	h.idle = true
	h.open(Options{})
	r = h.at(code)
	if a := seen(t, r, 1).Answers[0]; !a.Open || a.Task != fewer || a.Place < 0 {
		t.Fatalf("after the kill it is %+v", a)
	}
	worker, said := h.launch("worker", code)
	curve := 0
	awaits(t, "the worker never judged it", func() bool {
		s := seen(t, r, 1)
		r.mu.Lock()
		curve = max(curve, len(r.answers[0].curve), len(r.answers[0].result.Curve))
		r.mu.Unlock()
		return !s.Answers[0].Open
	})
	worker.Process.Kill()
	worker.Wait()
	if !strings.Contains(said.String(), "resumed=true") {
		t.Error("the worker began again")
	}
	if curve < exercise.CurvePoints-1 {
		t.Errorf("the curve has %d points", curve)
	}

	training, err := r.training(r.answers[0])
	if err != nil {
		t.Fatal(err)
	}
	alone := trial.Trial{Config: training.config, Seeds: seeds, Jobs: 1, Begin: learner.Engine{Lower: graph.Lower}.New}
	reports, err := alone.Run(t.Context(), func(trial.Report) {})
	if err != nil {
		t.Fatal(err)
	}
	var returns []float64
	for i := range reports {
		returns = append(returns, float64(reports[i].ReturnMean100))
	}
	want, err := training.judge(exercise.MeasuredOf(returns))
	if got := r.answers[0].result; err != nil || fmt.Sprint(*got.Figure, got.Say) != fmt.Sprint(*want.Figure, want.Say) {
		t.Errorf("it came to %v %s, without a kill to %v %s", *got.Figure, got.Say, *want.Figure, want.Say)
	}
	done := 0
	h.kept.View(t.Context(), func(tx *store.Tx) error {
		all, err := tx.JobsIn(store.JobDone)
		done = len(all)
		return err
	})
	if a := seen(t, r, 1).Answers; done != 1 || len(a) != 1 || a[0].Credit == nil || a[0].Receipt == "" {
		t.Errorf("%d jobs were done for %+v", done, a)
	}
	h.shut()
	h.open(Options{})
	time.Sleep(lookEvery)
	if a := seen(t, h.at(code), 1).Answers; len(a) != 1 || a[0].Open || *a[0].Credit != want.Credit {
		t.Errorf("after another start it is %+v", a)
	}
}
