package store

// A store has one server: two would train the same runs and overwrite each other. The operating system locks a data
// folder, and unlocks it when the server is killed. For PostgreSQL see session.go.

import (
	"cmp"
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

// lockFolder locks the folder for this process, until release. If another server has it, the error is ErrHeld and names
// the server.
func lockFolder(dir, address string) (release func() error, err error) {
	lock, name := flock.New(filepath.Join(dir, lockFile)), filepath.Join(dir, holderFile)
	held, err := lock.TryLock()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil, fmt.Errorf("%w on this system or disk: two servers could not be told apart on %s; "+
			"put --data on a local disk, or name a PostgreSQL database with --database-url", err, dir)
	case err != nil:
		return nil, fmt.Errorf("the data folder cannot be locked: %w; name another with --data", err)
	case !held:
		text, _ := os.ReadFile(name)
		return nil, fmt.Errorf("%w: %s is held by another impalab, %s; stop that server, or name another folder with "+
			"--data", ErrHeld, dir, cmp.Or(strings.TrimSpace(string(text)), "process unknown"))
	}
	if err := os.WriteFile(name, []byte(ourselves(address)+"\n"), 0o600); err != nil {
		lock.Close()
		return nil, fmt.Errorf("the data folder cannot be written: %w; make room, or name another with --data", err)
	}
	return func() error { return errors.Join(os.Remove(name), lock.Close()) }, nil
}

// ourselves names this server.
func ourselves(address string) string {
	text := fmt.Sprintf("process %d", os.Getpid())
	if address != "" {
		text += " at " + address
	}
	return text
}
