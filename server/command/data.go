package command

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

// dataFlags name the data of a server.
type dataFlags struct {
	Data        string `default:"data" help:"Folder in which the server stores its runs." placeholder:"DIR"`
	DatabaseURL string `name:"database-url" secret:"url" help:"PostgreSQL database for the runs; none: SQLite in the folder." placeholder:"URL"`
}

// options returns the options of a command that works beside the server.
func (f *dataFlags) options(prog *Program) store.Options {
	return store.Options{Dir: f.Data, URL: f.DatabaseURL, Log: (&logFlags{LogLevel: "warn"}).logger(prog)}
}

// checked remembers the result of a check for a few seconds: anyone may ask whether the server is ready, as often as
// they like. It logs each change.
type checked struct {
	check      func() error
	lost, back func(err error) // log that the check fails, and that it succeeds again
	now        func() time.Time

	mu  sync.Mutex
	at  time.Time
	err error
}

// recheck is how long a result is valid.
const recheck = 5 * time.Second

// result returns the error of the newest check.
func (c *checked) result() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.at.IsZero() && c.now().Sub(c.at) < recheck {
		return c.err
	}
	before := c.err
	c.err, c.at = c.check(), c.now()
	if c.err != nil && before == nil {
		c.lost(c.err)
	} else if c.err == nil && before != nil {
		c.back(nil)
	}
	return c.err
}

// openData makes the data folder. It returns a check that the folder is writable, which it has done once.
func openData(path string, log *slog.Logger, now func() time.Time) (*checked, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("--data %q: the folder cannot be made: %v; name another with --data", path, cause(err))
	}
	c := &checked{check: func() error { return atomicfile.Check(path) }, now: now,
		lost: func(err error) {
			log.Warn("the data folder cannot be written; make room, or start again with another --data", "error", err)
		},
		back: func(error) { log.Info("the data folder can be written again") }}
	if err := c.result(); err != nil {
		return nil, fmt.Errorf("the data folder cannot be written: %v; make room, or name another with --data", cause(err))
	}
	return c, nil
}

// answers returns a check that the database answers, and that no other server has taken it.
func answers(kept *store.Store, log *slog.Logger) *checked {
	return &checked{now: time.Now, check: func() error {
		ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
		defer cancel()
		return kept.Answers(ctx)
	}, lost: func(err error) {
		log.Error("the database cannot be used: no run starts, and no change is stored", "error", err)
	}, back: func(error) { log.Info("the database can be used again") }}
}

// answerWithin is shorter than the time for which programs wait for an answer about readiness.
const answerWithin = 2 * time.Second

const minSecret = 16

// readSalt returns the bytes with which the server hashes addresses before it stores them. It makes them if there are
// none. Their file is beside the database, and in no backup.
func readSalt(folder string) ([]byte, error) {
	path := filepath.Join(folder, "salt")
	secret, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		secret = []byte(store.NewKey())
		err = atomicfile.WriteFile(path, secret, 0o600)
	}
	if err == nil && len(secret) < minSecret {
		err = fmt.Errorf("%s has %d bytes, and needs %d: delete it, and the server makes a new one", path, len(secret),
			minSecret)
	}
	return secret, err
}
