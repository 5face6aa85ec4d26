package command

// The data folder, and whether it can be written: a server that could keep nothing is not ready, and says so when it
// starts.

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"impalab/server/atomicfile"
)

// recheck is how long one try to write counts: anyone may ask whether the server is ready, as often as they like.
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
		return nil, fmt.Errorf("the data folder cannot be made: %w; name another with --data", err)
	}
	d := &dataFolder{path: path, log: log, now: now}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("the data folder cannot be written: %w; make room, or name another with --data", err)
	}
	return d, nil
}

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
