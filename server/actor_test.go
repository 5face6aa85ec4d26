package main

import (
	"fmt"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/server/lab"
	"impalab/server/site/api"
)

// playsFor starts a process that plays for a run, and waits until it plays.
func playsFor(t *testing.T, server, run string) *process {
	t.Helper()
	p, line := spawn(t, nil, "actor", "--server", server+"r/"+run, "--key", ownKey, "--name", "desk")
	if !strings.HasPrefix(line, "playing for") {
		t.Fatalf("it says %q", line)
	}
	return p
}

// begins starts a run of CartPole that trains without a viewer and returns its id.
func (p *process) begins(steps int, speed, settings string) (id string) {
	var began api.Started
	p.call("POST", "/runs", fmt.Sprintf(`{"preset": "cartpole", "seed": 5, "steps": %d, "settings": {"speed": %q, %s}}`, steps,
		speed, settings), &began)
	return began.ID
}

func done(r *api.Run) bool { return r.State == "done" }

// awaitsOf reads a run until a condition holds.
func (p *process) awaitsOf(id, what string, suits func(*api.Run) bool) *api.Run {
	p.t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		var r api.Run
		p.call("GET", "/runs/"+id, "", &r)
		if suits(&r) {
			return &r
		}
		if r.State == "done" || time.Now().After(until) {
			p.t.Fatalf("%s: never came: %s at step %d, with %+v", what, r.State, r.Steps, r.Actors)
		}
	}
}

// TestALiveRunOverThreeProcessesLearnsAsOneDoes starts a server and two processes that play for its run.
func TestALiveRunOverThreeProcessesLearnsAsOneDoes(t *testing.T) {
	if !slow {
		t.Skip("it learns for half a minute; make check does")
	}
	server := launch(t, "127.0.0.1:0", t.TempDir())
	returned := func(id string) float64 { return float64(server.awaitsOf(id, "the end of a run", done).ReturnMean100) }
	const steps, settings = 600_000, `"mode": "live", "actors": 1`
	alone := returned(server.begins(steps, "30000", settings))
	id := server.begins(steps, "30000", settings)
	first, second := playsFor(t, server.url, id), playsFor(t, server.url, id)
	var playing []lab.RemoteActor
	server.awaitsOf(id, "both processes being learned from", func(r *api.Run) bool {
		playing = r.Actors
		return len(playing) == 2 && playing[0].Steps > 20_000 && playing[1].Steps > 20_000 && playing[0].Lag >= 0
	})
	together := returned(id)
	t.Logf("return %.0f over three processes, lag %.1f and %.1f; %.0f alone", together, playing[0].Lag, playing[1].Lag,
		alone)
	if together < 300 || alone < 300 {
		t.Errorf("the run came to %.0f over three processes, and to %.0f in one", together, alone)
	}
	for _, cmd := range []*process{first, second} {
		if err := cmd.Wait(); err != nil {
			t.Errorf("an actor whose run is over: %v", err)
		}
	}
}

// TestKill9OfActorsAndOfTheServerCostsALockstepRunNothing compares the run with an undisturbed run of one process.
func TestKill9OfActorsAndOfTheServerCostsALockstepRunNothing(t *testing.T) {
	if !slow {
		t.Skip("it learns for ten seconds; make check does")
	}
	cfg := kit.Config(t, "cartpole", "seed=5 steps=150000 collect=trajectory actors=3 lag=2")
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := l.Run(t.Context(), learner.Hooks{})
	l.Close()
	if err != nil {
		t.Fatal(err)
	}

	data := t.TempDir()
	server := launch(t, "127.0.0.1:0", data)
	id := server.begins(int(cfg.Steps), "15000", `"collect": "trajectory", "actors": 3, "lag": 2`)
	playing := func(n int, steps uint64) func(*api.Run) bool {
		return func(r *api.Run) bool {
			here := 0
			for _, a := range r.Actors {
				if a.Playing {
					here++
				}
			}
			return here == n && r.Steps > steps
		}
	}
	first := playsFor(t, server.url, id)
	playsFor(t, server.url, id)
	server.awaitsOf(id, "two actors", playing(2, 20_000))
	first.Process.Signal(syscall.SIGKILL)
	server.awaitsOf(id, "one actor less", playing(1, 40_000))
	playsFor(t, server.url, id)
	server.awaitsOf(id, "two again", playing(2, 60_000))
	server.Process.Kill()
	server.Wait()
	at, err := url.Parse(server.url)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	server = launch(t, at.Host, data)
	server.awaitsOf(id, "both being back by themselves", playing(2, 80_000))
	if r := server.awaitsOf(id, "the end", done); r.ParamsSHA256 != alone.ParamsSHA256 {
		t.Errorf("it comes to %.12s, undisturbed in one process to %.12s", r.ParamsSHA256, alone.ParamsSHA256)
	}
}
