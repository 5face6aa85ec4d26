package lab

import (
	"fmt"
	"os"
	"path/filepath"

	"impalab/learner"
)

// keep writes the last healthy snapshot of a run that diverged into the data folder, and says where, as the end of a
// sentence.
func (l *Lab) keep(id string, run *learner.Learner) string {
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
		err = os.WriteFile(path, blob, 0o644)
	}
	if err != nil {
		l.opts.Log.Error("snapshot not written", "run", id, "error", err)
		return "; its last healthy snapshot could not be written"
	}
	return fmt.Sprintf("; the last healthy snapshot is %s", path)
}
