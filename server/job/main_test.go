package job

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/store"
)

// The victim is this test program as a worker that can be killed: its variable holds data folder, URL and name of the
// worker, a line each.
const victimEnv = "IMPALAB_JOB_VICTIM"

func TestMain(m *testing.M) {
	if os.Getenv(victimEnv) != "" {
		victim()
		return
	}
	code := m.Run()
	if cluster.url != "" {
		script("stop", cluster.dir)
	}
	if cluster.dir != "" {
		os.RemoveAll(cluster.dir)
	}
	os.Exit(code)
}

// cluster is a PostgreSQL of our own, by tools/postgres.sh.
var cluster struct {
	once     sync.Once
	dir, url string
	err      error
	host     sync.Mutex // one store at a time is the host of the public schema
}

func script(verb, dir string) (string, error) {
	var said, complaint bytes.Buffer
	cmd := exec.Command("sh", "../../tools/postgres.sh", verb, dir)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &said, &complaint, time.Second
	if err := cmd.Run(); err != nil && err != exec.ErrWaitDelay {
		return "", fmt.Errorf("tools/postgres.sh %s: %w\n%s", verb, err, complaint.Bytes())
	}
	return strings.TrimSpace(said.String()), nil
}

// place is where a store is.
type place struct{ dir, url string }

func sqlitePlace(t *testing.T) place { return place{dir: t.TempDir()} }

func postgresPlace(t *testing.T) place {
	t.Helper()
	cluster.once.Do(func() {
		if cluster.dir, cluster.err = os.MkdirTemp("", "pg"); cluster.err == nil {
			cluster.url, cluster.err = script("start", cluster.dir)
		}
	})
	if cluster.err != nil {
		if os.Getenv("NEED_POSTGRES") == "" {
			t.Skip("no PostgreSQL on this machine: tools/postgres.sh install installs Debian's where it may: ", cluster.err)
		}
		t.Fatal("no PostgreSQL, and NEED_POSTGRES is set: ", cluster.err)
	}
	name := "test" + store.NewID()[:12]
	cluster.host.Lock()
	defer cluster.host.Unlock()
	psql, err := store.Open(t.Context(), store.Options{Dir: t.TempDir(), URL: cluster.url})
	if err != nil {
		t.Fatal(err)
	}
	defer psql.Close()
	if _, db := psql.SQL(); db != nil {
		if _, err := db.Exec("CREATE SCHEMA " + name); err != nil {
			t.Fatal(err)
		}
	}
	return place{t.TempDir(), cluster.url + "&search_path=" + name}
}

// onEach runs a test on an empty store of SQLite, and in the slow suite of PostgreSQL too.
func onEach(t *testing.T, test func(*testing.T, place)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, sqlitePlace(t)) })
	if slow {
		t.Run("postgres", func(t *testing.T) { test(t, postgresPlace(t)) })
	}
}

// opened is a store for this test; a guest's is beside it.
func (p place) opened(t *testing.T, guest bool) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: p.dir, URL: p.url, Guest: guest})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if !guest {
		_, db := s.SQL()
		if _, err := db.Exec("CREATE TABLE results (job TEXT, worker TEXT, value TEXT)"); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// hurry is how long a worker may be silent in most tests.
const hurry = 900 * time.Millisecond

// queue opens a queue and starts it. It is closed with the test.
func queue(t *testing.T, s *store.Store, o Options, kinds ...Kind) *Queue {
	t.Helper()
	if o.Build == "" {
		o.Build = "build"
	}
	o.Arithmetic, o.dead, o.settle = "avx2", cmp.Or(o.dead, hurry), hurry
	q, err := Open(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := q.Start(kinds...); err != nil {
		t.Fatal(err)
	}
	return q
}

// do fails the test unless the transaction happens.
func do(t *testing.T, s *store.Store, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Do(context.WithoutCancel(t.Context()), fn); err != nil {
		t.Fatal(err)
	}
}

// add queues a job.
func add(t *testing.T, s *store.Store, q *Queue, kind string, args any) (id string) {
	t.Helper()
	do(t, s, func(tx *store.Tx) (err error) {
		id, err = q.Add(tx, store.Job{Kind: kind, Priority: 2}, args)
		return err
	})
	return id
}

// awaits waits for a job to be as it should.
func awaits(t *testing.T, s *store.Store, id, what string, so func(store.Job) bool) (j store.Job) {
	t.Helper()
	for until := time.Now().Add(kit.Patience); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		do(t, s, func(tx *store.Tx) (err error) { j, err = tx.Job(id); return err })
		if so(j) {
			return j
		}
	}
	t.Fatalf("never: %s; the job is %+v", what, j)
	return j
}

func in(state store.State) func(store.Job) bool {
	return func(j store.Job) bool { return j.State == state }
}

// results are what jobs came to, each as "worker value".
func results(t *testing.T, s *store.Store, id string) (all []string) {
	t.Helper()
	_, db := s.SQL()
	rows, err := db.Query("SELECT worker, value FROM results WHERE job = $1", id)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var worker, value string
		if err := rows.Scan(&worker, &value); err != nil {
			t.Fatal(err)
		}
		all = append(all, worker+" "+value)
	}
	return all
}

// record finishes a job with a result.
func record(w *Work, worker, value string) error {
	return w.Finish(func(tx *store.Tx) error {
		ctx, sqlTx := tx.SQL()
		_, err := sqlTx.ExecContext(ctx, "INSERT INTO results VALUES ($1, $2, $3)", w.ID(), worker, value)
		return err
	})
}

// chain is work that takes a while, with the same result wherever it is interrupted: a hash of a hash of a hash.
func chain(worker string, kept func(round uint64)) Kind {
	return Kind{Name: "chain", Work: func(ctx context.Context, w *Work) error {
		var args struct{ Rounds uint64 }
		if err := w.Args(&args); err != nil {
			return err
		}
		state := make([]byte, 8+sha256.Size)
		if from := w.Resumed(); from != nil {
			copy(state, from)
		}
		for round := binary.BigEndian.Uint64(state); round < args.Rounds; {
			if ctx.Err() != nil {
				if err := w.Save(state); err != nil {
					return err
				}
				return ctx.Err()
			}
			sum := sha256.Sum256(state)
			round++
			binary.BigEndian.PutUint64(state, round)
			copy(state[8:], sum[:])
			w.Progress(int64(round), int64(args.Rounds))
			if round%50 == 0 {
				if err := w.Save(state); err != nil {
					return err
				}
				kept(round)
			}
			time.Sleep(time.Millisecond)
		}
		return record(w, worker, hex.EncodeToString(state))
	}}
}

// chained returns the result of a chain.
func chained(rounds uint64) string {
	state := make([]byte, 8+sha256.Size)
	for round := range rounds {
		sum := sha256.Sum256(state)
		binary.BigEndian.PutUint64(state, round+1)
		copy(state[8:], sum[:])
	}
	return hex.EncodeToString(state)
}

func victim() {
	words := strings.Split(os.Getenv(victimEnv), "\n")
	s, err := store.Open(context.Background(), store.Options{Dir: words[0], URL: words[1], Guest: true})
	if err != nil {
		log.Fatal(err)
	}
	q, err := Open(context.Background(), s, Options{Build: "build", Arithmetic: "avx2", Name: words[2], Workers: 1,
		Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), dead: hurry})
	if err != nil {
		log.Fatal(err)
	}
	if err := q.Start(chain(words[2], func(round uint64) { fmt.Println(round) })); err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	select {}
}

// launch starts a victim and returns a channel of its output.
func (p place) launch(t *testing.T, name string) (*exec.Cmd, <-chan string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+p.dir+"\n"+p.url+"\n"+name)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	said := make(chan string, 1000)
	go func() { // ends with the process
		defer close(said)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			said <- lines.Text()
		}
	}()
	return cmd, said
}
