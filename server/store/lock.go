package store

// A store has one server: two would train the same runs and write over each other. A data folder is held by a lock of
// the operating system's, so a server that was killed leaves none behind; a PostgreSQL database by a session
// (session.go).

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

const (
	lockFile   = "lock"
	holderFile = "lock.txt" // beside the lock: on Windows a locked file cannot be read
)

// hold is the right to write to a store, which one server has.
type hold interface {
	announce(address string) error // who has it, for the one that is refused to name
	release() error
}

// folder is the right to use a data folder.
type folder struct {
	dir  string
	lock *flock.Flock
}

// holdFolder takes the folder for this process, or says who has it.
func holdFolder(dir, address string) (*folder, error) {
	lock := flock.New(filepath.Join(dir, lockFile))
	held, err := lock.TryLock()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil, fmt.Errorf("%w on this system or disk: two servers could not be told apart on %s; "+
			"put --data on a local disk, or name a PostgreSQL database with --database-url", err, dir)
	case err != nil:
		return nil, fmt.Errorf("the data folder cannot be locked: %w; name another with --data", err)
	case !held:
		return nil, fmt.Errorf("%w: %s is held by %s; stop that server, or name another folder with --data",
			ErrHeld, dir, holder(dir))
	}
	h := &folder{dir, lock}
	if err := h.announce(address); err != nil {
		lock.Close()
		return nil, fmt.Errorf("the data folder cannot be written: %w; make room, or name another with --data", err)
	}
	return h, nil
}

// ourselves names this server.
func ourselves(address string) string {
	text := fmt.Sprintf("process %d", os.Getpid())
	if address != "" {
		text += " at " + address
	}
	return text
}

// announce writes down who holds the folder, for holder to read.
func (h *folder) announce(address string) error {
	return os.WriteFile(filepath.Join(h.dir, holderFile), []byte(ourselves(address)+"\n"), 0o600)
}

func (h *folder) release() error {
	return errors.Join(os.Remove(filepath.Join(h.dir, holderFile)), h.lock.Close())
}

// holder is who wrote down that it holds dir.
func holder(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, holderFile))
	if name := strings.TrimSpace(string(text)); err == nil && name != "" {
		return "another impalab, " + name
	}
	return "another impalab"
}

// Announce writes down the address at which this server listens, once it is known.
func (s *Store) Announce(address string) error {
	if s.hold == nil {
		return nil
	}
	return s.hold.announce(address)
}
