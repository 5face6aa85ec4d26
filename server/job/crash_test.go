package job

import (
	"os"
	"testing"
	"time"

	"impalab/server/store"
)

// TestAJobOutlivesACrashOfPostgreSQL crashes it in the middle of a job, for longer than hearts may stand still.
func TestAJobOutlivesACrashOfPostgreSQL(t *testing.T) {
	if !slow {
		t.Skip("it stands still for seconds")
	}
	t.Parallel()
	dir, err := os.MkdirTemp("", "pg") // a short name: it holds a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	url, err := script("start", dir)
	if err != nil {
		t.Skip("no PostgreSQL on this machine: ", err)
	}
	t.Cleanup(func() { script("stop", dir) })
	p := place{t.TempDir(), url}
	s := p.opened(t, false)
	q := queue(t, s, Options{Host: true})
	queue(t, p.opened(t, true), Options{Workers: 1, Name: "guest"}, chain("guest", func(uint64) {}))
	id := add(t, s, q, "chain", map[string]int{"Rounds": 1500})
	awaits(t, s, id, "it is on its way", func(j store.Job) bool { return j.Progress > 0 })
	if _, err := script("crash", dir); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * hurry)
	if _, err := script("start", dir); err != nil {
		t.Fatal(err)
	}
	awaits(t, s, id, "it is done", in(store.JobDone))
	if got := results(t, s, id); len(got) != 1 || got[0] != "guest "+chained(1500) {
		t.Error(got)
	}
	next := add(t, s, q, "chain", map[string]int{"Rounds": 5})
	awaits(t, s, next, "the queue goes on", in(store.JobDone))
}
