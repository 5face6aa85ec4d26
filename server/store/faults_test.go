package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"impalab/internal/kit"
)

// diskFull fails the test unless the store says that its disk is full.
func diskFull(t *testing.T, s *Store, id string) {
	t.Helper()
	for i := range int64(100) {
		err := s.Do(t.Context(), func(tx *Tx) error {
			return tx.keep(id, Snapshot{Update: i, Marked: true, Data: noise(uint64(i), 200_000)})
		})
		if err == nil {
			continue
		}
		if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), s.Where()) {
			t.Fatalf("error %v", err)
		}
		return
	}
	t.Fatal("20 MB fit")
}

func TestAFullDiskIsReportedAndLosesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "none", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk takes the right to mount one: %v: %s", err, bytes.TrimSpace(out))
	}
	defer func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	}()
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	s := opened(t, Options{Dir: filepath.Join(dir, "data"), Now: clock()})
	defer s.Close()
	id := added(t, s)
	do(t, s, func(tx *Tx) error { return tx.AppendTape(id, 1, "before") })
	diskFull(t, s, id)
	kept := snapshots(t, s, id)

	_, err := s.Backup(t.Context(), filepath.Join(dir, "archive"))
	if entries, _ := os.ReadDir(dir); !errors.Is(err, ErrFull) || len(entries) != 2 {
		t.Errorf("a backup: %v; %v", err, entries)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	do(t, s, func(tx *Tx) error { return tx.AppendTape(id, 2, "after") })
	if got := strings.Join(tape(t, s, id), " "); got != "before after" {
		t.Errorf("the tape is %q", got)
	}
	if again := snapshots(t, s, id); len(again) != len(kept) {
		t.Errorf("%d snapshots, then %d", len(kept), len(again))
	}
}

func TestAFullDatabaseIsReported(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		s := opened(t, newSQLite(t))
		id := added(t, s)
		if _, err := s.write.Exec("PRAGMA max_page_count = 200"); err != nil {
			t.Fatal(err)
		}
		diskFull(t, s, id)
		added(t, s)
	})
	t.Run("postgres", func(t *testing.T) { // its own code for it, in its own words
		s := opened(t, newPostgres(t))
		err := s.Do(t.Context(), func(tx *Tx) error {
			_, err := tx.exec("DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$")
			return err
		})
		if !errors.Is(err, ErrFull) {
			t.Errorf("error %v", err)
		}
		added(t, s)
	})
}

func TestALockedFileIsWaitedForAndThenNamed(t *testing.T) {
	t.Parallel()
	o := newSQLite(t)
	o.Patience = 400 * time.Millisecond
	s := opened(t, o)
	other, err := sql.Open("sqlite", s.Where()+"?_txlock=exclusive") // as a person with a shell of SQLite would
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	id := NewID()
	add := func() error { return s.Do(t.Context(), func(tx *Tx) error { return tx.AddRun(sample(id)) }) }
	if err := add(); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), s.Where()) {
		t.Errorf("locked for good: %v", err)
	}
	s.options.Patience = kit.Patience
	time.AfterFunc(300*time.Millisecond, func() { tx.Rollback() })
	if err := add(); err != nil {
		t.Errorf("locked for a moment: %v", err)
	}
}

// The database is lost while several write, comes back, and every line is there once.
func TestALostDatabaseIsWaitedFor(t *testing.T) {
	t.Parallel()
	var own cluster
	o := Options{URL: own.database(t), Now: clock(), Patience: kit.Patience}
	defer own.close()
	s := opened(t, o)
	const writers = 4
	var group sync.WaitGroup
	var stop atomic.Bool
	var written [writers]atomic.Int64
	ids := make([]string, writers)
	for w := range writers {
		ids[w] = added(t, s)
		group.Go(func() {
			for n := int64(1); !stop.Load(); n++ {
				if err := s.Do(t.Context(), func(tx *Tx) error { return appendNext(tx, ids[w]) }); err != nil {
					t.Errorf("line %d: %v", n, err)
					return
				}
				written[w].Store(n)
			}
		})
	}
	more := func() { // until each has written two
		for w := range written {
			for from, until := written[w].Load(), time.Now().Add(kit.Patience); written[w].Load() < from+2; {
				if time.Sleep(10 * time.Millisecond); time.Now().After(until) {
					t.Errorf("writer %d stands at line %d", w, from)
					break
				}
			}
		}
	}
	more()
	for _, verb := range []string{"crash", "start"} {
		if _, err := script(verb, own.dir); err != nil {
			t.Error(err)
		}
		if verb == "crash" {
			short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			if s.Answers(short) == nil {
				t.Error("a database that is gone answers")
			}
			cancel()
			time.Sleep(2 * time.Second)
		}
	}
	if err := s.Answers(t.Context()); err != nil {
		t.Error("a database that is back does not answer: ", err)
	}
	more()
	stop.Store(true)
	group.Wait()
	for w, id := range ids {
		n := get(t, s, func(tx *Tx) (int64, error) { return tx.TapeLen(id) })
		if told := written[w].Load(); n != told {
			t.Errorf("%d lines were written, %d are there", told, n)
		}
	}
}

// appendNext would add a second line if it happened twice.
func appendNext(tx *Tx, id string) error {
	n, err := tx.TapeLen(id)
	if err != nil {
		return err
	}
	return tx.AppendTape(id, n+1, fmt.Sprint("line ", n+1))
}

func TestAMissingDatabaseIsReported(t *testing.T) {
	t.Parallel()
	var own cluster
	o := Options{URL: own.database(t), Patience: 300 * time.Millisecond, Now: clock()}
	defer own.close()
	s := opened(t, o)
	if _, err := script("stop", own.dir); err != nil {
		t.Fatal(err)
	}
	own.url = "" // stopped already
	err := s.Do(t.Context(), func(tx *Tx) error { return tx.AddRun(sample(NewID())) })
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), own.dir) {
		t.Errorf("error %v", err)
	}
	if s, err := Open(t.Context(), o); !errors.Is(err, ErrUnavailable) {
		t.Errorf("opened %v, %v", s, err)
	}
}

// eater stands between a store and its PostgreSQL, and swallows the answer to one commit: the database has committed,
// and its client does not know.
type eater struct {
	dir, target string
	hungry      atomic.Bool
	eaten       atomic.Int64
}

func (e *eater) serve(t *testing.T) {
	listener, err := net.Listen("unix", filepath.Join(e.dir, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() { // ends with the listener
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", filepath.Join(e.target, ".s.PGSQL.5432"))
			if err != nil {
				client.Close()
				return
			}
			var silent atomic.Bool
			go func() { // towards the store; ends when the server hangs up
				buffer := make([]byte, 64<<10)
				for {
					n, err := server.Read(buffer)
					if n > 0 && silent.Load() {
						e.eaten.Add(1)
						client.Close()
						server.Close()
						return
					}
					if n > 0 {
						client.Write(buffer[:n])
					}
					if err != nil {
						client.Close()
						return
					}
				}
			}()
			go func() { // towards the server; ends when the store hangs up
				buffer := make([]byte, 64<<10)
				for {
					n, err := client.Read(buffer)
					if bytes.Contains(bytes.ToLower(buffer[:n]), []byte("commit")) && e.hungry.Swap(false) {
						silent.Store(true)
					}
					if n > 0 {
						server.Write(buffer[:n])
					}
					if err != nil {
						if err != io.EOF {
							server.Close()
						}
						return
					}
				}
			}()
		}
	}()
}

func TestACommitWhoseAnswerWasLostHappensOnce(t *testing.T) {
	t.Parallel()
	o := newPostgres(t)
	between := &eater{dir: shortDir(t), target: shared.dir}
	between.serve(t)
	o.URL = strings.Replace(o.URL, "host="+shared.dir, "host="+between.dir, 1)
	s := opened(t, o)
	id := added(t, s)
	for range 3 {
		between.hungry.Store(true)
		do(t, s, func(tx *Tx) error { return appendNext(tx, id) })
	}
	if got := strings.Join(tape(t, s, id), ", "); got != "line 1, line 2, line 3" || between.eaten.Load() != 3 {
		t.Errorf("%d answers were lost, the tape is %q", between.eaten.Load(), got)
	}
}

// A backend may still be at work on a commit when we ask: the question waits for it, and a
// commit that has not happened by then never will.
func TestAskingAfterACommitWaitsForItsEnd(t *testing.T) {
	t.Parallel()
	s := opened(t, newPostgres(t))
	for _, commit := range []bool{true, false} {
		tx, err := s.write.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		token, err := s.recordCommit(t.Context(), tx)
		if err != nil {
			t.Fatal(err)
		}
		var ended atomic.Bool
		time.AfterFunc(200*time.Millisecond, func() {
			ended.Store(true)
			if commit {
				tx.Commit()
			} else {
				tx.Rollback()
			}
		})
		done, err := committed(t.Context(), s.write, token, s.now())
		if err != nil || done != commit || !ended.Load() {
			t.Errorf("committed %v: told %v, %v; after its end: %v", commit, done, err, ended.Load())
		}
	}
}

// shortDir returns a folder with a short name: the name of a socket has few bytes.
func shortDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestAMistakeOfTheCallerIsNotRetried(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		for _, mine := range []error{io.ErrUnexpectedEOF, &net.OpError{Op: "read", Err: io.EOF}, errors.New("mine")} {
			tries := 0
			err := s.Do(t.Context(), func(tx *Tx) error { tries++; return mine })
			if err != mine || tries != 1 {
				t.Errorf("%d tries, %v", tries, err)
			}
		}
	})
}

func TestAnErrorOrAPanicUndoesEverything(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, mine := NewID(), errors.New("mine")
		for _, end := range []func() error{func() error { return mine }, func() error { panic(mine) }} {
			func() {
				defer func() { recover() }()
				s.Do(t.Context(), func(tx *Tx) error {
					if err := tx.AddRun(sample(id)); err != nil {
						return err
					}
					return end()
				})
			}()
			if there(t, s, id) {
				t.Error("the run is there")
			}
		}
		added(t, s) // the store works
	})
}

func TestAForeignFileIsNamedAndLeftAlone(t *testing.T) {
	t.Parallel()
	o := newSQLite(t)
	path := filepath.Join(o.Dir, sqliteFile)
	text := strings.Repeat("no database ", 1000)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), o)
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, %v", s, err)
	}
	if kept, _ := os.ReadFile(path); string(kept) != text {
		t.Error("the file has changed")
	}
}
