package main

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/server/site/api"
	"impalab/server/store"
)

// TestARunOfASweepGoesOnInAnotherProcessAfterKill9 has a server that trains nothing itself and a worker, which is
// killed when the run has a snapshot. A second worker goes on from there, to the bytes of one process.
func TestARunOfASweepGoesOnInAnotherProcessAfterKill9(t *testing.T) {
	if !slow {
		t.Skip("it trains for half a minute")
	}
	t.Parallel()
	const steps, seed = 10_000_000, 3
	cfg, err := hyper.FromPreset("cartpole")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Steps, cfg.Seed = steps, seed
	alone, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	want, err := alone.Run(t.Context(), learner.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			data := t.TempDir()
			kept := store.Options{Dir: data, Guest: true}
			var where []string
			if engine == "postgres" {
				kept.URL = database(t)
				where = append(where, "--database-url", kept.URL)
			}
			server := launch(t, "127.0.0.1:0", data, append(where, "--workers", "0")...)
			where = append(where, "--data", data)
			var began api.Started
			server.call("POST", "/sweeps", fmt.Sprintf(`{"preset": "cartpole", "seeds": "%d", "steps": %d}`, seed, steps),
				&began)
			look, err := store.Open(t.Context(), kept)
			if err != nil {
				t.Fatal(err)
			}
			defer look.Close()
			var run string
			var snapshots int
			var going store.Job
			at := func(what string, within time.Duration, so func() bool) {
				t.Helper()
				for until := time.Now().Add(within); ; time.Sleep(20 * time.Millisecond) {
					err := look.View(t.Context(), func(tx *store.Tx) error {
						all, err := tx.JobsIn(store.JobRunning)
						if going = (store.Job{}); len(all) > 0 {
							going = all[0]
						}
						if err != nil || run == "" {
							return err
						}
						kept, err := tx.Snapshots(run)
						snapshots = len(kept)
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
					if so() {
						return
					}
					if time.Now().After(until) {
						t.Fatalf("not within %v: %s; %+v is at it, and the run has %d snapshots", within, what, going, snapshots)
					}
				}
			}
			first := worker(t, where...)
			var s api.Sweep
			at("the first run is begun", time.Minute, func() bool {
				server.call("GET", "/sweeps/"+began.ID, "", &s)
				if s.Cells[0].Runs[0].ID != nil {
					run = *s.Cells[0].Runs[0].ID
				}
				return run != ""
			})
			second := worker(t, where...)
			at("it has a snapshot", time.Minute, func() bool { return snapshots > 0 })
			by := going.Worker
			first.Process.Signal(syscall.SIGKILL)
			first.Wait()
			killed := time.Now()
			at("the second goes on", 5*time.Second, func() bool { return going.Worker != "" && going.Worker != by })
			t.Logf("it went on after %v", time.Since(killed))
			for until := time.Now().Add(5 * time.Minute); s.State == "running"; time.Sleep(200 * time.Millisecond) {
				if server.call("GET", "/sweeps/"+began.ID, "", &s); time.Now().After(until) {
					t.Fatalf("the sweep never ended: %+v", s)
				}
			}
			second.Process.Signal(syscall.SIGTERM)
			if err := second.Wait(); err != nil {
				t.Errorf("after SIGTERM: %v", err)
			}
			var r api.Run
			server.call("GET", "/runs/"+run, "", &r)
			if s.State != "done" || s.Cells[0].N != 1 || r.ParamsSHA256 != want.ParamsSHA256 {
				t.Errorf("two workers made %+v of\n%+v, and one process %s", r, s, want.ParamsSHA256)
			}
		})
	}
}
