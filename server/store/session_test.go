package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

func TestASecondServerOnTheDatabaseIsRefusedByName(t *testing.T) {
	t.Parallel()
	o := newPostgres(t)
	o.Address, o.Patience = "127.0.0.1:8080", 200*time.Millisecond
	first := opened(t, o)
	second, err := Open(t.Context(), o)
	if err == nil {
		second.Close()
		t.Fatal("two servers hold one database")
	}
	for _, word := range []string{"database postgres on ", fmt.Sprint("process ", os.Getpid()), o.Address,
		"--database-url"} {
		if !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), word) {
			t.Errorf("error %q lacks %q", err, word)
		}
	}
	id := added(t, first) // the first still writes

	look := o
	look.Guest = true
	if !there(t, opened(t, look), id) {
		t.Error("a backup beside the server does not see the run")
	}
	opened(t, newPostgres(t)) // another schema is another store
	first.Close()
	opened(t, o)
}

// The lock ends with its connection, which an administrator or the network may end. The server takes it again before it
// writes, and writes nothing when another has it by then.
func TestAServerThatHasLostItsLockWritesNothingUntilItHasItAgain(t *testing.T) {
	t.Parallel()
	o := newPostgres(t)
	s := opened(t, o)
	id := added(t, s)
	cut := func() {
		t.Helper()
		if _, err := s.write.Exec("SELECT pg_terminate_backend($1)", s.session.pid.Load()); err != nil {
			t.Fatal(err)
		}
	}
	cut()
	do(t, s, func(tx *Tx) error { return appendNext(tx, id) })

	other, err := pgx.Connect(t.Context(), o.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(t.Context())
	cut()
	for held := false; !held; {
		if err := other.QueryRow(t.Context(), "SELECT pg_try_advisory_lock("+lockNumber+")").Scan(&held); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Do(t.Context(), func(tx *Tx) error { return appendNext(tx, id) }); !errors.Is(err, ErrHeld) {
		t.Errorf("without the lock: %v", err)
	}
	if err := s.Answers(t.Context()); !errors.Is(err, ErrHeld) {
		t.Errorf("without the lock it answers: %v", err)
	}
	if got := strings.Join(tape(t, s, id), ", "); got != "line 1" {
		t.Errorf("the tape is %q", got)
	}
	other.Close(t.Context())
	do(t, s, func(tx *Tx) error { return appendNext(tx, id) })
	if got := strings.Join(tape(t, s, id), ", "); got != "line 1, line 2" {
		t.Errorf("then the tape is %q", got)
	}
}

// The lock may lie in a connection that another server has next.
func TestADatabaseBehindAPoolerIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("pgbouncer"); err != nil {
		t.Skip("no PgBouncer on this machine (Debian: apt-get install pgbouncer)")
	}
	o := newPostgres(t) // there is a cluster, or the test is skipped
	for _, mode := range []string{"transaction", "statement", "session"} {
		url, err := script("pool-"+mode, shared.dir)
		if err != nil {
			t.Fatal(err)
		}
		o.URL, o.Patience = url, 200*time.Millisecond
		s, err := Open(t.Context(), o)
		if err == nil {
			s.Close()
		}
		if err == nil || errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "behind a pooler") {
			t.Errorf("behind a pooler by the %s: %v", mode, err)
		}
	}
}
