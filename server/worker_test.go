package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"impalab/server/board"
	"impalab/server/store"
)

// long is a track whose seeds take about a second each.
const long = `title: Long
sentence: CartPole for a while.
preset: cartpole
settings: lag=4
steps: 300000
score: mean over the run
scale: [0, 500]
seeds: {public: 1-8, secret: 8}
allowed:
  rho: 0.1 to inf
baselines:
  - {name: the start, settings: ""}
`

// worker starts a worker and waits until it takes jobs.
func worker(t *testing.T, flags ...string) *process {
	t.Helper()
	p, line := spawn(t, nil, append([]string{"worker", "--log-level", "warn", "--workers", "1"}, flags...)...)
	if !strings.HasPrefix(line, "taking jobs of") {
		t.Fatalf("it says %q", line)
	}
	return p
}

// TestAnEntryContinuesInAnotherProcessAfterKill9 has two workers beside a server that trains nothing itself. It kills
// the worker of the entry, starts a third, and stops the second. The third ends the entry, and the row equals the row
// of one process.
func TestAnEntryContinuesInAnotherProcessAfterKill9(t *testing.T) {
	if !slow {
		t.Skip("it trains sixteen seeds twice")
	}
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			data, tracks := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(tracks, "long.yaml"), []byte(long), 0o644); err != nil {
				t.Fatal(err)
			}
			where := []string{"--tracks", tracks}
			kept := store.Options{Dir: data, Guest: true}
			if engine == "postgres" {
				kept.URL = database(t)
				where = append(where, "--database-url", kept.URL)
			}
			server := launch(t, "127.0.0.1:0", data, append(where, "--workers", "0")...)
			where = append(where, "--data", data)
			var entry struct{ ID string }
			server.call("POST", "/board/long/entries", `{"settings": {"rho": "2"}}`, &entry)
			look, err := store.Open(t.Context(), kept)
			if err != nil {
				t.Fatal(err)
			}
			defer look.Close()
			at := func(what string, within time.Duration, so func([]store.Job) bool) {
				t.Helper()
				var all []store.Job
				for until := time.Now().Add(within); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
					err := look.View(t.Context(), func(tx *store.Tx) (err error) {
						all, err = tx.JobsIn(store.JobRunning)
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
					if so(all) {
						return
					}
				}
				t.Fatalf("not within %v: %s; running are %+v", within, what, all)
			}
			first := worker(t, where...)
			var by string
			at("a seed is trained", time.Minute, func(all []store.Job) bool {
				if len(all) == 1 && all[0].Progress > 0 {
					by = all[0].Worker
				}
				return by != ""
			})
			second := worker(t, where...)
			time.Sleep(2500 * time.Millisecond) // the store has a state of the job
			first.Process.Signal(syscall.SIGKILL)
			first.Wait()
			at("the second goes on", 5*time.Second, func(all []store.Job) bool {
				return len(all) == 1 && all[0].Worker != by
			})
			third := worker(t, where...)
			time.Sleep(time.Second)
			second.Process.Signal(syscall.SIGTERM)
			if err := second.Wait(); err != nil {
				t.Errorf("after SIGTERM: %v", err)
			}
			var row store.BoardEntry
			for until := time.Now().Add(3 * time.Minute); row.State != store.Done; time.Sleep(100 * time.Millisecond) {
				err := look.View(t.Context(), func(tx *store.Tx) (err error) { row, err = tx.Entry(entry.ID); return err })
				if err != nil || row.State == store.Failed || time.Now().After(until) {
					t.Fatalf("%v, %+v", err, row)
				}
			}
			third.Process.Signal(syscall.SIGTERM)
			if err := third.Wait(); err != nil {
				t.Errorf("after SIGTERM: %v", err)
			}
			all, err := board.Load(tracks)
			if err != nil {
				t.Fatal(err)
			}
			track, err := all.Find("long")
			if err != nil {
				t.Fatal(err)
			}
			e, err := track.ParseEntry("rho=2")
			if err != nil {
				t.Fatal(err)
			}
			season, err := board.ReadSeason(t.Context(), look, 1)
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"public": row.PublicRow, "secret": row.SecretRow} {
				order := board.Order{Track: track, Entry: e, Seeds: track.PublicSeeds(), Jobs: 2}
				if name == "secret" {
					order.Seeds = season.Seeds(track)
				}
				alone, err := board.Train(t.Context(), order)
				if err != nil {
					t.Fatal(err)
				}
				var row board.Row
				if err := json.Unmarshal([]byte(text), &row); err != nil || len(row.Params) != len(row.Seeds) {
					t.Fatalf("%s: %v, %s", name, err, text)
				}
				if name == "secret" { // Train hides the figures of each seed
					row.Each, row.Params = nil, nil
				}
				got, _ := json.Marshal(row)
				if want, _ := json.Marshal(alone); string(want) != string(got) {
					t.Errorf("%s: three workers made\n%.1500s\nand one process\n%.1500s", name, got, want)
				}
			}
		})
	}
}
