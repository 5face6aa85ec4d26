package command

// The data folder, and whether it can be written: a server that could keep nothing is not ready, and says so when it
// starts.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"impalab/server/atomicfile"
	"impalab/server/store"
)

// recheck is how long one try to write, or to ask the database, counts: anyone may ask whether the server is ready, as
// often as they like.
const recheck = 5 * time.Second

// dataFolder is what --data names.
type dataFolder struct {
	path string
	log  *slog.Logger
	now  func() time.Time

	mu    sync.Mutex
	tried time.Time
	err   error
}

// openData makes the folder, and refuses one that cannot be written: a run is something that is kept.
func openData(path string, log *slog.Logger, now func() time.Time) (*dataFolder, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("--data %q: the folder cannot be made: %v; name another with --data", path, cause(err))
	}
	d := &dataFolder{path: path, log: log, now: now}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("the data folder cannot be written: %v; make room, or name another with --data", cause(err))
	}
	return d, nil
}

// salt returns the bytes that addresses are hashed with before they are stored, and makes them where there are none.
// The file lies beside the store, and in no backup of it.
func (d *dataFolder) salt() ([]byte, error) {
	path := filepath.Join(d.path, "salt")
	secret, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		secret = []byte(store.NewKey())
		err = atomicfile.WriteFile(path, secret, 0o600)
	}
	if err == nil && len(secret) < minSecret {
		err = fmt.Errorf("%s has %d bytes, and should have %d: delete it, and another is made", path, len(secret), minSecret)
	}
	return secret, err
}

const minSecret = 16

// check tries to write, unless it has just done so. Each change is logged.
func (d *dataFolder) check() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.tried.IsZero() && d.now().Sub(d.tried) < recheck {
		return d.err
	}
	before := d.err
	d.tried, d.err = d.now(), atomicfile.Check(d.path)
	switch {
	case d.err != nil && before == nil:
		d.log.Warn("the data folder cannot be written; make room, or start again with another --data", "error", d.err)
	case d.err == nil && before != nil:
		d.log.Info("the data folder can be written again")
	}
	return d.err
}

// answers returns a function that says why the database does not answer, or that another server has it. Each change is
// logged.
func answers(kept *store.Store, log *slog.Logger, now func() time.Time) func() error {
	var mu sync.Mutex
	var asked time.Time
	var err error
	return func() error {
		mu.Lock()
		defer mu.Unlock()
		if asked.IsZero() || now().Sub(asked) >= recheck {
			ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
			defer cancel()
			before := err
			if err = kept.Answers(ctx); err != nil && before == nil {
				log.Error("the database cannot be used: no run starts, and no change is stored", "error", err)
			} else if err == nil && before != nil {
				log.Info("the database can be used again")
			}
			asked = now()
		}
		return err
	}
}

// answerWithin is shorter than whoever asks for readiness waits.
const answerWithin = 2 * time.Second
