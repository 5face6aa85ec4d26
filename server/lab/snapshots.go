package lab

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"impalab/learner"
	"impalab/server/atomicfile"
)

// maxSnapshots bounds the snapshots kept: anyone can make a run diverge, and that must not fill the disk.
const maxSnapshots = 50

// saveSnapshot writes the last healthy snapshot of a run that diverged into the data folder, and says where, as the end of a
// sentence.
func (l *Lab) saveSnapshot(id string, run *learner.Learner) string {
	if l.opts.Data == "" {
		return ""
	}
	dir := filepath.Join(l.opts.Data, "snapshots")
	path := filepath.Join(dir, id+".impalab")
	blob, err := run.Snapshot()
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = atomicfile.WriteFile(path, blob, 0o644)
	}
	if err == nil {
		err = removeOldest(dir, maxSnapshots)
	}
	if err != nil {
		l.opts.Log.Error("snapshot not written", "run", id, "error", err)
		return "; its last healthy snapshot could not be written"
	}
	// Visitors need not know where the data folder is.
	return fmt.Sprintf("; the last healthy snapshot is snapshots/%s in the data folder, for impalab train --resume",
		filepath.Base(path))
}

// removeOldest removes all snapshots of a folder but the n written last. What a crash left half-written counts as one.
func removeOldest(dir string, n int) error {
	type kept struct {
		path string
		when int64
	}
	var all []kept
	paths, err := filepath.Glob(filepath.Join(dir, "*.impalab*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil { // else another run has removed it
			all = append(all, kept{path, info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Compare(b.when, a.when) })
	for _, old := range all[min(n, len(all)):] {
		if err := os.Remove(old.path); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}
