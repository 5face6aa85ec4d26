package store

// A store has one server: two would train the same runs and overwrite each other. The operating system locks a data
// folder, and unlocks it when the server is killed. For PostgreSQL see session.go.

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
	holderFile = "lock.txt" // names the holder; on Windows the locked file itself cannot be read
)

// hold is one server's right to write to a store.
type hold interface {
	announce(address string) error // names the server for a second server that is refused
	release() error
}

// folder is the hold on a data folder.
type folder struct {
	dir  string
	lock *flock.Flock
}

// holdFolder locks the folder for this process. If another server has it, the error is ErrHeld and names the server.
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

// announce implements hold: holder reads the file that it writes.
func (h *folder) announce(address string) error {
	return os.WriteFile(filepath.Join(h.dir, holderFile), []byte(ourselves(address)+"\n"), 0o600)
}

func (h *folder) release() error {
	return errors.Join(os.Remove(filepath.Join(h.dir, holderFile)), h.lock.Close())
}

// holder names the server that holds dir.
func holder(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, holderFile))
	if name := strings.TrimSpace(string(text)); err == nil && name != "" {
		return "another impalab, " + name
	}
	return "another impalab"
}

// Announce tells the address of this server, once it is known, to a second server that wants the store.
func (s *Store) Announce(address string) error {
	if s.hold == nil {
		return nil
	}
	return s.hold.announce(address)
}
