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

// undisturbed returns the result of one undisturbed run of CartPole.
func undisturbed(t *testing.T, steps, seed uint64) (sha256 string) {
	t.Helper()
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
	result, err := alone.Run(t.Context(), learner.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return result.ParamsSHA256
}

// TestARunOfASweepContinuesInAnotherProcessAfterKill9 has a server that trains nothing itself, and a worker. It kills
// the worker when the run has a snapshot. A second worker continues from there and ends with the bytes of one process.
func TestARunOfASweepContinuesInAnotherProcessAfterKill9(t *testing.T) {
	if !slow {
		t.Skip("it trains for half a minute")
	}
	t.Parallel()
	const steps, seed = 10_000_000, 3
	want := undisturbed(t, steps, seed)
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
			if s.State != "done" || s.Cells[0].N != 1 || r.ParamsSHA256 != want {
				t.Errorf("two workers made %+v of\n%+v, and one process %s", r, s, want)
			}
		})
	}
}

// TestASweepContinuesAfterKill9OfItsServer kills the server that trains a sweep itself, when one run is over and
// another has a snapshot or half of its steps. After its restart it ends them all, each once, with the bytes of one
// process.
func TestASweepContinuesAfterKill9OfItsServer(t *testing.T) {
	if !slow {
		t.Skip("it trains for a minute")
	}
	t.Parallel()
	data := t.TempDir()
	server := launch(t, "127.0.0.1:0", data)
	var began api.Started
	server.call("POST", "/sweeps", `{"preset": "cartpole", "seeds": "3-6", "steps": 10000000}`, &began)
	look, err := store.Open(t.Context(), store.Options{Dir: data, Guest: true})
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close()
	var s api.Sweep
	watch := func(what string, so func() bool) {
		t.Helper()
		for until := time.Now().Add(10 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
			s = api.Sweep{} // otherwise it would change the value that was read before
			if server.call("GET", "/sweeps/"+began.ID, "", &s); so() {
				return
			}
			if time.Now().After(until) {
				t.Fatalf("never: %s; %+v", what, s)
			}
		}
	}
	snapshots := func(run string) (n int) {
		err := look.View(t.Context(), func(tx *store.Tx) error {
			kept, err := tx.Snapshots(run)
			n = len(kept)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	watch("one is over and another on its way", func() bool {
		for _, m := range s.Cells[0].Runs {
			if s.Over > 0 && m.State == "running" && (m.Steps > 5_000_000 || snapshots(*m.ID) > 0) {
				return true
			}
		}
		return false
	})
	before := s.Cells[0].Runs
	server.Process.Kill()
	server.Wait()
	t.Logf("killed with %d of %d runs over", s.Over, s.Runs)
	server = launch(t, "127.0.0.1:0", data)
	watch("the sweep is over", func() bool { return s.State != "running" })
	if s.State != "done" || s.Cells[0].N != 4 {
		t.Errorf("%+v", s)
	}
	var all api.Runs
	if server.call("GET", "/runs", "", &all); len(all.Runs) != 4 {
		t.Errorf("%d runs were begun for 4 places", len(all.Runs))
	}
	for i, m := range s.Cells[0].Runs {
		var r api.Run
		server.call("GET", "/runs/"+*m.ID, "", &r)
		if want := undisturbed(t, 10_000_000, m.Seed); r.ParamsSHA256 != want || r.State != "done" {
			t.Errorf("seed %d ended %s with %s, and undisturbed with %s", m.Seed, r.State, r.ParamsSHA256, want)
		}
		if was := before[i]; was.State == "done" && (*was.ID != *m.ID || was.Steps != m.Steps ||
			was.Return != m.Return) {
			t.Errorf("a run that was over was %+v, and is %+v", was, m)
		}
	}
}
