package lab

import (
	"fmt"
	"os"
	"path/filepath"

	"impalab/server/atomicfile"
)

// shelf keeps the snapshots of runs that gave way: in a folder, or in memory where there is none. A run takes its own back,
// or it goes with the run.
type shelf struct {
	dir  string
	blob []byte
}

// shelfDir is under the data folder. What is in it belongs to runs of this process.
const shelfDir = "resting"

// clearShelves removes what a process that ended without a word left behind.
func clearShelves(data string) error {
	if data == "" {
		return nil
	}
	return os.RemoveAll(filepath.Join(data, shelfDir))
}

func (s *shelf) path(id string) string { return filepath.Join(s.dir, shelfDir, id+".impalab") }

// put keeps a snapshot.
func (s *shelf) put(id string, blob []byte) error {
	if s.dir == "" {
		s.blob = blob
		return nil
	}
	path := s.path(id)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("the run cannot be kept while it rests: %w", err)
	}
	if err := atomicfile.WriteFile(path, blob, 0o644); err != nil {
		return fmt.Errorf("the run cannot be kept while it rests: %w", err)
	}
	return nil
}

// take gives the snapshot back; nil if there is none.
func (s *shelf) take(id string) (blob []byte, err error) {
	if s.dir == "" {
		blob, s.blob = s.blob, nil
		return blob, nil
	}
	if blob, err = os.ReadFile(s.path(id)); os.IsNotExist(err) {
		return nil, nil
	}
	if err == nil {
		err = os.Remove(s.path(id))
	}
	return blob, err
}

// clear removes the snapshot, if there is one.
func (s *shelf) clear(id string) {
	s.blob = nil
	if s.dir != "" {
		os.Remove(s.path(id)) // there may be none
	}
}
