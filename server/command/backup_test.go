package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/server/store"
)

func TestABackupComesBackInAnotherFolder(t *testing.T) {
	dir := t.TempDir()
	kept, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "old")})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close() // in use all the while
	id := store.NewID()
	err = kept.Do(t.Context(), func(tx *store.Tx) error {
		run := store.Run{ID: id, Settings: "{}", Progress: store.Progress{State: store.Done}}
		if err := tx.AddRun(run); err != nil {
			return err
		}
		return tx.AppendTape(id, 1, "one", "two")
	})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "backup")
	if code, out, stderr := run(t, "backup", "--data", filepath.Join(dir, "old"), file); code != 0 ||
		!strings.Contains(out, "runs 1") || !strings.Contains(out, "tape 2") {
		t.Fatalf("backup: exit %d, %s%s", code, out, stderr)
	}
	if code, out, stderr := run(t, "restore", "--data", filepath.Join(dir, "new"), file); code != 0 ||
		!strings.Contains(out, "tape 2") {
		t.Fatalf("restore: exit %d, %s%s", code, out, stderr)
	}
	for _, wrong := range [][]string{
		{"backup", "--data", filepath.Join(dir, "old"), file},         // it is there
		{"backup", "--data", filepath.Join(dir, "none"), file + "2"},  // nothing is there
		{"restore", "--data", filepath.Join(dir, "new"), file},        // no longer empty
		{"restore", "--data", filepath.Join(dir, "old"), file},        // in use
		{"restore", "--data", filepath.Join(dir, "x"), dir + "/none"}, // no such file
	} {
		if code, _, stderr := run(t, wrong...); code == 0 || len(stderr) < 20 {
			t.Errorf("%q: exit %d, %s", wrong, code, stderr)
		}
	}
	if err := os.WriteFile(file, []byte("not a backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, "restore", "--data", filepath.Join(dir, "y"), file); code != 1 || len(stderr) < 20 {
		t.Errorf("a file that is no backup: exit %d, %s", code, stderr)
	}
}
