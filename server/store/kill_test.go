package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// The victim is this test program as a server that writes until it is killed. It says after each transaction that it
// was kept: "RUN NUMBER". Its environment variable holds the data folder and the URL, with a line break between.
const victimEnv = "IMPALAB_STORE_VICTIM"

// nth returns the n-th transaction of a run, from 1.
func nth(id string, n int64) func(*Tx) error {
	return func(tx *Tx) error {
		if n == 1 {
			if err := tx.AddRun(sample(id)); err != nil {
				return err
			}
		}
		err := errors.Join(tx.AppendTape(id, n, fmt.Sprint("line ", n)),
			tx.AppendCurves(id, map[string][]Point{"a": {{n, float64(n)}}}),
			tx.SetProgress(id, Progress{State: Running, Updates: n}))
		if n%5 == 0 {
			snap := Snapshot{Update: n, Marked: true, Data: noise(uint64(n), 20_000)}
			err = errors.Join(err, tx.keep(id, snap))
		}
		return err
	}
}

func victim() {
	dir, url, _ := strings.Cut(os.Getenv(victimEnv), "\n")
	s, err := Open(context.Background(), Options{Dir: dir, URL: url})
	if err != nil {
		log.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			id := NewID()
			for n := int64(1); ; n++ {
				if err := s.Do(context.Background(), nth(id, n)); err != nil {
					log.Fatal(err)
				}
				fmt.Fprintf(os.Stdout, "%s %d\n", id, n)
			}
		})
	}
	group.Wait()
}

func TestNothingAcknowledgedIsLostByKill9(t *testing.T) {
	t.Parallel()
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			o := e.make(t)
			r := rand.New(rand.NewPCG(7, 7))
			said := map[string]int64{}
			for range 3 {
				killed(t, o, time.Duration(100+r.IntN(300))*time.Millisecond, said)
			}
			if len(said) != 12 {
				t.Fatalf("%d runs were begun", len(said))
			}
			o.Now = clock()
			s := opened(t, o) // the lock went with the process
			for id, n := range said {
				whole(t, s, id, n)
			}
		})
	}
}

// killed runs a victim, kills it some time after all its runs have begun, and adds its output to said.
func killed(t *testing.T, o Options, after time.Duration, said map[string]int64) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+o.Dir+"\n"+o.URL)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	before := len(said)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var id string
		var n int64
		if _, err := fmt.Sscan(lines.Text(), &id, &n); err != nil {
			continue // cut by the kill
		}
		said[id] = n
		if len(said) == before+4 && after > 0 {
			time.AfterFunc(after, func() { cmd.Process.Kill() })
			after = 0
		}
	}
	cmd.Wait()
}

// whole fails the test unless a run holds n transactions or one more, each of them whole.
func whole(t *testing.T, s *Store, id string, n int64) {
	t.Helper()
	run := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) })
	if run.Updates != n && run.Updates != n+1 {
		t.Errorf("run %s: %d transactions were acknowledged, %d are there", id, n, run.Updates)
	}
	lines, points := tape(t, s, id), curve(t, s, id, "a")
	snaps := snapshots(t, s, id)
	if int64(len(lines)) != run.Updates || len(points) != len(lines) || len(snaps) != min(len(lines)/5, 64) {
		t.Errorf("run %s: %d updates, %d lines, %d points, %d snapshots", id, run.Updates, len(lines), len(points),
			len(snaps))
	}
	for i, line := range lines {
		if want := int64(i + 1); line != fmt.Sprint("line ", want) || points[i] != (Point{want, float64(want)}) {
			t.Errorf("run %s: %q and %v as number %d", id, line, points[i], want)
		}
	}
	if len(snaps) > 0 {
		last := get(t, s, func(tx *Tx) (Snapshot, error) { return tx.SnapshotAt(id, math.MaxInt64) })
		if string(last.Data) != string(noise(uint64(last.Update), 20_000)) {
			t.Errorf("run %s: the snapshot of update %d is another", id, last.Update)
		}
	}
}

func TestManyMayReadAndWriteAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		const writers, transactions = 6, 15
		var group sync.WaitGroup
		ids := make([]string, writers)
		common := added(t, s)
		for w := range writers {
			ids[w] = NewID()
			group.Go(func() {
				for n := int64(1); n <= transactions; n++ {
					if err := s.Do(t.Context(), nth(ids[w], n)); err != nil {
						t.Error(err)
					}
					err := s.Do(t.Context(), func(tx *Tx) error {
						return tx.AppendCurves(common, map[string][]Point{fmt.Sprint("series ", w): {{n, 1}}})
					})
					if err != nil {
						t.Error(err)
					}
					err = s.View(t.Context(), func(tx *Tx) error {
						_, _, err := tx.RunsOf("owner", Cursor{}, 10)
						_, err2 := tx.Curve(ids[w], "a", 0, n)
						return errors.Join(err, err2)
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		bytes := get(t, s, func(tx *Tx) (int64, error) {
			return read[int64](tx, "SELECT SUM(octet_length(blob)) FROM curves WHERE run = $1", common)
		})
		if run := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(common) }); run.Bytes != bytes || bytes == 0 {
			t.Errorf("the common run says %d bytes, and has %d", run.Bytes, bytes)
		}
		for _, id := range ids {
			whole(t, s, id, transactions)
		}
	})
}
