package store

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv(victimEnv) != "" {
		victim() // does not return
	}
	code := m.Run()
	if shared.dir != "" {
		shared.close()
	}
	os.Exit(code)
}

// cluster is a PostgreSQL of our own, by tools/postgres.sh.
type cluster struct {
	dir, url string
	err      error
	once     sync.Once
	names    atomic.Int64
}

// shared serves all tests except the tests that stop a cluster.
var shared cluster

func script(verb, dir string) (string, error) {
	var said, complaint bytes.Buffer
	cmd := exec.Command("sh", "../../tools/postgres.sh", verb, dir)
	cmd.Stdout, cmd.Stderr = &said, &complaint
	cmd.WaitDelay = time.Second // the server it starts holds on to stderr
	if err := cmd.Run(); err != nil && err != exec.ErrWaitDelay {
		return "", fmt.Errorf("tools/postgres.sh %s: %w\n%s", verb, err, complaint.Bytes())
	}
	return strings.TrimSpace(said.String()), nil
}

func (c *cluster) start() error {
	c.once.Do(func() {
		if c.dir, c.err = os.MkdirTemp("", "impalab-postgres-"); c.err == nil {
			c.url, c.err = script("start", c.dir)
		}
	})
	return c.err
}

func (c *cluster) close() {
	if c.url != "" {
		if _, err := script("stop", c.dir); err != nil {
			log.Print(err)
		}
	}
	os.RemoveAll(c.dir)
}

// database makes an empty schema and returns its URL.
func (c *cluster) database(t *testing.T) string {
	t.Helper()
	if err := c.start(); err != nil {
		if os.Getenv("NEED_POSTGRES") == "" {
			t.Skip("no PostgreSQL on this machine: tools/postgres.sh install installs Debian's where it may: ", err)
		}
		t.Fatal("no PostgreSQL, and NEED_POSTGRES is set: ", err)
	}
	db, err := sql.Open("pgx", c.url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	name := fmt.Sprintf("test%d", c.names.Add(1))
	if _, err := db.Exec("CREATE SCHEMA " + name); err != nil {
		t.Fatal(err)
	}
	return c.url + "&search_path=" + name
}

// clock advances by a second each time it is read.
func clock() func() time.Time {
	var ticks atomic.Int64
	return func() time.Time { return time.UnixMilli(1_790_000_000_000 + 1000*ticks.Add(1)) }
}

// ages is more time than any test lets pass: its clock is believed.
func ages() time.Duration { return 100 * 365 * 24 * time.Hour }

func newSQLite(t *testing.T) Options { return Options{Dir: t.TempDir(), Now: clock(), Elapsed: ages} }
func newPostgres(t *testing.T) Options {
	return Options{Dir: t.TempDir(), URL: shared.database(t), Now: clock(), Elapsed: ages}
}

// engines are what every test of the store runs on.
var engines = []struct {
	name string
	make func(*testing.T) Options // an empty database
}{
	{"sqlite", newSQLite}, {"postgres", newPostgres},
}

// onBoth runs a test on an empty store of each kind.
func onBoth(t *testing.T, test func(*testing.T, *Store)) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) { test(t, opened(t, e.make(t))) })
	}
}

func opened(t *testing.T, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// do fails the test unless fn's transaction succeeds.
func do(t *testing.T, s *Store, fn func(*Tx) error) {
	t.Helper()
	if err := s.Do(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

// get is what one method of a transaction returns.
func get[T any](t *testing.T, s *Store, fn func(*Tx) (T, error)) (v T) {
	t.Helper()
	if err := s.View(context.Background(), func(tx *Tx) (err error) { v, err = fn(tx); return err }); err != nil {
		t.Fatal(err)
	}
	return v
}

// sample is a run with something in every field.
func sample(id string) Run {
	return Run{
		ID: id, Owner: "owner", Purpose: "watch", Name: "ρ̄ ≤ 1 <&>", Settings: `{"lag":"64", "rho":"1"}`, Seed: "7",
		Build: "abc", Arithmetic: "avx2", Parent: "0123", ParentUpdate: 100,
		Progress: Progress{State: Running, Reason: "none", Steps: 1, Updates: 2, Episodes: 3, ReturnMean100: 4.5,
			ParamsSHA256: "ff"},
	}
}

// added is the id of a new run that is kept already.
func added(t *testing.T, s *Store) string {
	t.Helper()
	id := NewID()
	do(t, s, func(tx *Tx) error { return tx.AddRun(sample(id)) })
	return id
}

// same compares runs; NaN is NaN.
func same(a, b Run) bool {
	if math.IsNaN(a.ReturnMean100) && math.IsNaN(b.ReturnMean100) {
		a.ReturnMean100, b.ReturnMean100 = 0, 0
	}
	return a == b
}
